"""The pit's events and rulings are insert-only from here on."""

from typing import Any

from django.db import migrations

from tables.models import guards


def create(apps: Any, schema_editor: Any) -> None:
    guards.create(schema_editor, guards.PIT)


def drop(apps: Any, schema_editor: Any) -> None:
    guards.drop(schema_editor, guards.PIT)


class Migration(migrations.Migration):
    dependencies = (("tables", "0008_pit"),)
    operations = (migrations.RunPython(create, drop),)
