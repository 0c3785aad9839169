"""Which tables play the edition in force, and by which article the pit has ordered fresh cards.

A table that plays an edition that had passed before this migration was written keeps it: somebody chose it.
"""

from typing import Any

from django.db import migrations, models

PASSED = ("55/2004", "55/2004+73/2005", "69/2003")


def keep_chosen(apps: Any, schema_editor: Any) -> None:
    tables = apps.get_model("tables", "Table").objects.using(schema_editor.connection.alias)
    tables.filter(options__edition__in=PASSED).update(edition_in_force=False)


class Migration(migrations.Migration):
    dependencies = (("tables", "0009_kept"),)
    operations = (
        migrations.AddField(
            model_name="table",
            name="fresh_shoe_by",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The article by which the pit has ordered the new shoe; empty if it has not.",
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="edition_in_force",
            field=models.BooleanField(
                default=True,
                help_text=(
                    "Rounds are played under the edition of the regulation in force on their day; else under the one "
                    "in the options."
                ),
            ),
        ),
        migrations.RunPython(keep_chosen, migrations.RunPython.noop, elidable=False),
    )
