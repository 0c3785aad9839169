"""Leaves of packs whose rounds are archived may leave the database, and the links that were revealed for them."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from tables.models import seals

SEEDS = ("tables_packseed", "tables_revealedlink")


def free(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, SEEDS)


def guard(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, SEEDS)


class Migration(migrations.Migration):
    dependencies = (("tables", "0031_wallboards"),)
    operations = (
        migrations.RunPython(free, guard),
        migrations.AddField(
            model_name="packseed",
            name="archive",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The file of its last round, once leaves and rows of revealed links have left the database.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tables.archive",
            ),
        ),
        migrations.AddIndex(
            model_name="packseed",
            index=models.Index(
                condition=models.Q(("archive__isnull", True)), fields=["committed_at"], name="seeds_not_archived"
            ),
        ),
        migrations.RunPython(guard, free),
    )
