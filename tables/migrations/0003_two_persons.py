"""Requests that a second person approves, with the triggers that see to it; stops of play; origins at a table."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.models import second_person


def guard(apps: Any, schema_editor: Any) -> None:
    second_person.create(schema_editor)


def release(apps: Any, schema_editor: Any) -> None:
    second_person.drop(schema_editor)


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0002_guards'),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="halted",
            field=models.BooleanField(
                default=False, help_text="No round is begun of its game, or on the whole floor (tables.models.Halt)."
            ),
        ),
        migrations.AddField(
            model_name="roundlog",
            name='held_until',
            field=models.DateTimeField(blank=True, help_text='Till then nothing is done in it: the pit waits for a second person.', null=True),
        ),
        migrations.CreateModel(
            name='ApprovalRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('appoint', 'an appointment'), ('remove_factor', 'the removal of a second factor'), ('change_email', 'another e-mail address of a player'), ('comp', 'a comp'), ('open_table', 'a new table'), ('reopen_table', 'a closed table'), ('void', 'a ruling that voids a round'), ('close_at_once', 'closing a table at once'), ('play_again', 'the end of a stop of play')], max_length=20)),
                ('key', models.CharField(help_text='Of one thing one request waits.', max_length=80)),
                ('asked', models.JSONField(help_text='What is asked for, in the shape of its kind; amounts in cents.')),
                ('why', models.TextField()),
                ('asked_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('approved', 'approved'), ('refused', 'refused'), ('withdrawn', 'withdrawn')], default='waiting', max_length=10)),
                ('decided_at', models.DateTimeField(null=True)),
                ('decision', models.TextField(blank=True, default='', help_text='Why it was refused.')),
                ('told_at', models.DateTimeField(help_text='When the asker was told how it ended.', null=True)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('log', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='approval_requests', to='tables.roundlog')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='approval_requests', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='approval_requests', to='tables.table')),
            ],
            options={
                'db_table': 'tables_approvalrequest',
                'ordering': ('-asked_at', '-id'),
                'indexes': [models.Index(fields=['kind', 'player', 'decided_at'], name='recent_appointments'), models.Index(condition=models.Q(('decided_at__isnull', False), ('told_at__isnull', True)), fields=['asked_by'], name='ended_and_not_told')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('key',), name='one_request_for_a_thing_waits'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'approved'), _negated=True), models.Q(('decided_by__isnull', False), models.Q(('decided_by', models.F('asked_by')), _negated=True)), _connector='OR'), name='requests_are_approved_by_another'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'withdrawn'), _negated=True), models.Q(('decided_by__isnull', False), ('decided_by', models.F('asked_by'))), _connector='OR'), name='requests_are_withdrawn_by_who_asked'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('state', 'waiting')), models.Q(models.Q(('state', 'waiting'), _negated=True), ('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='requests_are_decided_by_somebody')],
            },
        ),
        migrations.CreateModel(
            name='Halt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(blank=True, default='', help_text='The game; empty: the whole floor.', max_length=30)),
                ('why', models.TextField()),
                ('at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('approved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'tables_halt',
                'ordering': ('-at', '-id'),
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('game',), name='one_halt_of_a_game_at_a_time'), models.CheckConstraint(condition=models.Q(models.Q(('approved_by__isnull', True), ('ended_at__isnull', True), ('ended_by__isnull', True)), models.Q(('approved_by__isnull', False), ('ended_at__isnull', False), ('ended_by__isnull', False), models.Q(('ended_by', models.F('approved_by')), _negated=True)), _connector='OR'), name='halts_are_ended_by_two')],
            },
        ),
        migrations.CreateModel(
            name='TableOrigin',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(help_text='HMAC-SHA-256 of the address with a key of the house.', max_length=64)),
                ('at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tables.table')),
            ],
            options={
                'db_table': 'tables_tableorigin',
                'constraints': [models.UniqueConstraint(fields=('table', 'player'), name='one_origin_of_a_player_at_a_table')],
            },
        ),
        migrations.RunPython(guard, release),
    ]
