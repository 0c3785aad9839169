"""Cards that lie face down stand sealed in the log; once a round is over they stand beside it in clear."""

from typing import Any

from django.db import migrations, models

from tables.models import seals

TABLES = ("tables_roundlog",)


def create(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, TABLES)


def drop(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, TABLES)


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0012_reviews'),
    ]

    operations = [
        migrations.RunPython(drop, create),
        migrations.AddField(
            model_name='roundlog',
            name='turned',
            field=models.JSONField(blank=True, help_text='Once it is over: the cards that stand sealed in its log, by line.', null=True),
        ),
        migrations.RunPython(create, drop),
    ]
