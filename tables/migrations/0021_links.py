"""Links that bettors offer and reveal; seeds may be those of throws."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from tables.models import seals


def drop(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, ("tables_packseed",))


def create(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, ("tables_packseed",))


def guard(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, ("tables_revealedlink",))


def unguard(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, ("tables_revealedlink",))


_ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))
_SINCE = "Since when this bettor contributes here: who came first stands first."
_NUMBER = "The number of its pack, or of its throw, at this table."


class Migration(migrations.Migration):
    dependencies = (("tables", "0020_dropped_seeds"),)
    operations = (
        migrations.RunPython(drop, create),
        migrations.AlterField(
            model_name="packseed",
            name="number",
            field=models.PositiveIntegerField(help_text=_NUMBER),
        ),
        migrations.AlterField(
            model_name="packseed",
            name="leaves",
            field=models.JSONField(
                help_text="The commitment to each card, by place; null before mixing, and of a throw.", null=True
            ),
        ),
        migrations.RunPython(create, drop),
        migrations.CreateModel(
            name="OfferedLink",
            fields=[
                _ID,
                ("link", models.CharField(max_length=64)),
                ("offered_at", models.DateTimeField(help_text=_SINCE)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tables.player"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tables.table"),
                ),
            ],
            options={"db_table": "tables_offeredlink"},
        ),
        migrations.AddConstraint(
            model_name="offeredlink",
            constraint=models.UniqueConstraint(fields=("table", "player"), name="one_link_offered_by_a_player"),
        ),
        migrations.CreateModel(
            name="RevealedLink",
            fields=[
                _ID,
                ("link", models.CharField(max_length=64)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.player"
                    ),
                ),
                (
                    "seed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="links", to="tables.packseed"
                    ),
                ),
            ],
            options={"db_table": "tables_revealedlink"},
        ),
        migrations.AddConstraint(
            model_name="revealedlink",
            constraint=models.UniqueConstraint(fields=("seed", "player"), name="one_link_revealed_by_a_player"),
        ),
        migrations.RunPython(guard, unguard),
    )
