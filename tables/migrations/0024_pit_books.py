"""Slips of fills and credits, counts of floats, notes of the pit, and whom it watches."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.models import guards


def number_slips(apps: Any, schema_editor: Any) -> None:
    """What was confirmed before has slips as well, in the order in which it was."""
    slip, order = (apps.get_model("tables", name) for name in ("Slip", "ChipOrder"))
    for kind in ("fill", "credit"):
        confirmed = order.objects.filter(kind=kind, state="confirmed").order_by("decided_at", "pk")
        slip.objects.bulk_create(
            [slip(order=one, kind=kind, number=number) for number, one in enumerate(confirmed, start=1)]
        )


def guard(apps: Any, schema_editor: Any) -> None:
    guards.create(schema_editor, guards.BOOKS)


def release(apps: Any, schema_editor: Any) -> None:
    guards.drop(schema_editor, guards.BOOKS)


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0023_seeds_by_time'),
    ]

    operations = [
        migrations.CreateModel(
            name='FloatCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Counts the counts of this table from 1.')),
                ('chips', models.JSONField(help_text='Denomination in credits, as text -> how many of it.')),
                ('rest', models.PositiveSmallIntegerField(default=0, help_text='Cents that no chip is small enough for.')),
                ('cents', models.BigIntegerField(help_text='What all of it comes to.')),
                ('expected', models.BigIntegerField(help_text='What the ledger said, in cents.')),
                ('why', models.TextField(blank=True, default='', help_text='What explains a difference.')),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='counts', to='tables.table')),
            ],
            options={
                'db_table': 'tables_floatcount',
                'ordering': ('-at', '-id'),
                'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='counts_are_numbered'), models.CheckConstraint(condition=models.Q(('cents', models.F('expected')), models.Q(('why', ''), _negated=True), _connector='OR'), name='a_difference_is_explained')],
            },
        ),
        migrations.CreateModel(
            name='PitNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('incident', 'incident'), ('bookmark', 'bookmark')], max_length=10)),
                ('seq', models.PositiveIntegerField(help_text='Of a bookmark: the line of the log that it is about.', null=True)),
                ('text', models.TextField()),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('log', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='tables.roundlog')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notes', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='tables.table')),
            ],
            options={
                'db_table': 'tables_pitnote',
                'ordering': ('-at', '-id'),
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('kind', 'bookmark'), _negated=True), models.Q(('log__isnull', False), ('seq__isnull', False)), _connector='OR'), name='bookmarks_are_of_a_round')],
            },
        ),
        migrations.CreateModel(
            name='Slip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(help_text='That of its order.', max_length=10)),
                ('number', models.PositiveBigIntegerField(help_text='1, 2, 3 … of this kind.')),
                ('printed', models.PositiveIntegerField(default=0, help_text='How often it was printed: from the second time, again.')),
                ('order', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='slip', to='tables.chiporder')),
            ],
            options={
                'db_table': 'tables_slip',
                'constraints': [models.UniqueConstraint(fields=('kind', 'number'), name='slips_are_numbered')],
            },
        ),
        migrations.CreateModel(
            name='Watch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('why', models.TextField()),
                ('at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='watches', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'tables_watch',
                'ordering': ('-at', '-id'),
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('player',), name='a_player_is_watched_once'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_by__isnull', True)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='watches_are_ended_by_somebody')],
            },
        ),
        migrations.RunPython(number_slips, migrations.RunPython.noop),
        migrations.RunPython(guard, release),
    ]
