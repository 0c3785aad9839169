"""Packs and throws are sealed with a label, and what was sealed is never changed from here on."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from tables.models import seals

TABLES = ("tables_shoe", "tables_sealedthrow", "tables_roundlog")


def create(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, TABLES)


def drop(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, TABLES)


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0003_two_persons'),
    ]

    operations = [
        migrations.AddField(
            model_name='sealedthrow',
            name='scheme',
            field=models.PositiveSmallIntegerField(default=1, help_text='How it is sealed (tables.base.chance): 1 without a label, checked but not thrown.'),
        ),
        migrations.AddField(
            model_name='sealedthrow',
            name='sealed_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='sealedthrow',
            name='serial',
            field=models.PositiveBigIntegerField(help_text='Counts the throws of the table from 1.', null=True),
        ),
        migrations.AddField(
            model_name='sealedthrow',
            name='table',
            field=models.ForeignKey(help_text='Null under the first scheme.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table'),
        ),
        migrations.AddField(
            model_name='shoe',
            name='scheme',
            field=models.PositiveSmallIntegerField(default=1, help_text='How it is sealed (tables.base.chance): 1 without a label, checked but not dealt from.'),
        ),
        migrations.AlterField(
            model_name='sealedthrow',
            name='commitment',
            field=models.CharField(help_text='SHA-256 of label, salt and numbers, hexadecimal.', max_length=64, unique=True),
        ),
        migrations.AlterField(
            model_name='sealedthrow',
            name='sealed',
            field=models.BinaryField(help_text='Label, salt and numbers, encrypted.'),
        ),
        migrations.AlterField(
            model_name='shoe',
            name='commitment',
            field=models.CharField(help_text='SHA-256 of label, salt and order, or of the leaves, hexadecimal.', max_length=64, unique=True),
        ),
        migrations.AlterField(
            model_name='shoe',
            name='sealed',
            field=models.BinaryField(help_text='Label, salt and order, encrypted.'),
        ),
        migrations.AddConstraint(
            model_name='sealedthrow',
            constraint=models.UniqueConstraint(fields=('table', 'serial'), name='throws_of_a_table_are_numbered'),
        ),
        migrations.RunPython(create, drop),
    ]
