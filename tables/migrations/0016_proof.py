"""Cards that lie face down stand sealed in the log; once a round is over they stand beside it in clear. Throws are made
from a seed, whose commitment and links stand beside them."""

from typing import Any

from django.db import migrations, models

from tables.models import seals

TABLES = ("tables_roundlog", "tables_sealedthrow")


def create(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, TABLES)


def drop(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, TABLES)


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0015_table_days'),
    ]

    operations = [
        migrations.RunPython(drop, create),
        migrations.AddField(
            model_name='roundlog',
            name='turned',
            field=models.JSONField(blank=True, help_text='Once it is over: the cards that stand sealed in its log, by line.', null=True),
        ),
        migrations.AddField(
            model_name='sealedthrow',
            name='seed_commitment',
            field=models.CharField(help_text='SHA-256 of table, number and seed, hexadecimal.', max_length=64, null=True, unique=True),
        ),
        migrations.AddField(
            model_name='sealedthrow',
            name='offered',
            field=models.JSONField(help_text='The links that bettors had committed to, as [bettor, link].', null=True),
        ),
        migrations.AddField(
            model_name='sealedthrow',
            name='revealed',
            field=models.JSONField(help_text='The links beneath them that came in time.', null=True),
        ),
        migrations.AlterField(
            model_name='sealedthrow',
            name='scheme',
            field=models.PositiveSmallIntegerField(default=1, help_text='How it is sealed (tables.base.chance): before 3, checked but not thrown.'),
        ),
        migrations.AlterField(
            model_name='sealedthrow',
            name='sealed',
            field=models.BinaryField(help_text='Label and seed, encrypted; before scheme 3 label, salt and numbers.'),
        ),
        migrations.AlterField(
            model_name='sealedthrow',
            name='opened',
            field=models.JSONField(blank=True, help_text='Salt, numbers and seed, once opened.', null=True),
        ),
        migrations.RunPython(create, drop),
    ]
