"""Seeds from which nothing is made any more, since the database was restored to an earlier moment."""

from typing import Any

from django.db import migrations, models

from tables.models import seals


def drop(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, ("tables_packseed",))


def create(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, ("tables_packseed",))


class Migration(migrations.Migration):
    dependencies = (("tables", "0019_frozen"),)
    operations = (
        migrations.RunPython(drop, create),
        migrations.AddField(
            model_name="packseed",
            name="dropped_at",
            field=models.DateTimeField(
                help_text="Since when nothing is made from it: the database was restored to an earlier moment.", null=True
            ),
        ),
        migrations.RunPython(create, drop),
    )
