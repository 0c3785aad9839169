"""The ledger, the logs and the pit's events are insert-only from here on, and no chip leaves its realm."""

from typing import Any

from django.db import migrations

from tables.models import guards


def create(apps: Any, schema_editor: Any) -> None:
    guards.create(schema_editor, guards.FIRST)
    guards.keep_realms(schema_editor)


def drop(apps: Any, schema_editor: Any) -> None:
    guards.release_realms(schema_editor)
    guards.drop(schema_editor, guards.FIRST)


class Migration(migrations.Migration):
    dependencies = (("tables", "0001_tables"),)
    operations = (migrations.RunPython(create, drop),)
