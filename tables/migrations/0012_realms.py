"""No chip leaves its realm from here on."""

from typing import Any

from django.db import migrations

from tables.models import guards


def keep(apps: Any, schema_editor: Any) -> None:
    guards.keep_realms(schema_editor)


def release(apps: Any, schema_editor: Any) -> None:
    guards.release_realms(schema_editor)


class Migration(migrations.Migration):
    dependencies = (("tables", "0011_kiosks"),)
    operations = (migrations.RunPython(keep, release),)
