"""Packs are made from a seed: it stands in a row of its own, which is there before the pack is mixed."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from tables.models import seals


def create(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, ("tables_shoe",))


def drop(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, ("tables_shoe",))


def guard(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, ("tables_packseed",))


def unguard(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, ("tables_packseed",))


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0017_chance_days'),
    ]

    operations = [
        migrations.RunPython(drop, create),
        migrations.AlterField(
            model_name='shoe',
            name='commitment',
            field=models.CharField(help_text='SHA-256 of the leaves, or of label, salt and order, hexadecimal.', max_length=64, unique=True),
        ),
        migrations.AlterField(
            model_name='shoe',
            name='leaves',
            field=models.JSONField(blank=True, help_text='Before scheme 3: the commitment to each card, if hands stay private.', null=True),
        ),
        migrations.AlterField(
            model_name='shoe',
            name='opened',
            field=models.JSONField(blank=True, help_text='The seed, or salts and cards, once retired.', null=True),
        ),
        migrations.AlterField(
            model_name='shoe',
            name='scheme',
            field=models.PositiveSmallIntegerField(default=1, help_text='How it is sealed (tables.base.chance): before 3, checked but not dealt from.'),
        ),
        migrations.AlterField(
            model_name='shoe',
            name='sealed',
            field=models.BinaryField(help_text='Before scheme 3: label, salt and order, encrypted.', null=True),
        ),
        migrations.CreateModel(
            name='PackSeed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='The number of its pack at this table.')),
                ('committed_at', models.DateTimeField()),
                ('commitment', models.CharField(help_text='SHA-256 of table, number and seed, hexadecimal.', max_length=64, unique=True)),
                ('offered', models.JSONField(help_text='The links that bettors had committed to, as [bettor, link].')),
                ('sealed', models.BinaryField(help_text='Label and seed, encrypted.')),
                ('revealed', models.JSONField(help_text='The links beneath them that came in time; null before mixing.', null=True)),
                ('leaves', models.JSONField(help_text='The commitment to each card, by place; null before mixing.', null=True)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
            ],
            options={
                'db_table': 'tables_packseed',
            },
        ),
        migrations.AddField(
            model_name='shoe',
            name='seed',
            field=models.OneToOneField(help_text='Null before scheme 3.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='shoe', to='tables.packseed'),
        ),
        migrations.AddConstraint(
            model_name='packseed',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='seeds_are_numbered'),
        ),
        migrations.RunPython(create, drop),
        migrations.RunPython(guard, unguard),
    ]
