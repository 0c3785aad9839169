"""The ledger and the logs are insert-only from here on."""

from typing import Any

from django.db import migrations

from tables.models import guards


def create(apps: Any, schema_editor: Any) -> None:
    guards.create(schema_editor, guards.LEDGER_AND_LOGS)


def drop(apps: Any, schema_editor: Any) -> None:
    guards.drop(schema_editor, guards.LEDGER_AND_LOGS)


class Migration(migrations.Migration):
    dependencies = (("tables", "0001_opening"),)
    operations = (migrations.RunPython(create, drop),)
