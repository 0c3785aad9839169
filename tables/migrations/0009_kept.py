"""What was asked of a second person, how it was decided, and each stop of play are kept."""

from typing import Any

from django.db import migrations

from tables.models import second_person


def guard(apps: Any, schema_editor: Any) -> None:
    second_person.drop(schema_editor)
    second_person.create(schema_editor)


class Migration(migrations.Migration):
    dependencies = (("tables", "0008_budget"),)
    operations = (migrations.RunPython(guard, migrations.RunPython.noop),)
