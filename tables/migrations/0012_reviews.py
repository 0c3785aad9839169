"""A player asks the pit to look at a round of theirs again. What was asked and ruled is never changed (`seals`)."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.models import seals

TABLES = ("tables_review",)


def create(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, TABLES)


def drop(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, TABLES)


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0011_authorisations'),
    ]

    operations = [
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('payment', 'I was paid wrongly'), ('stake', 'A stake of mine is missing or wrong'), ('decision', 'My decision was not taken as I made it'), ('result', 'The cards, the number or the dice were wrong'), ('connection', 'My connection failed'), ('other', 'Something else')], max_length=12)),
                ('words', models.TextField(help_text='What the player says of it.')),
                ('asked_at', models.DateTimeField()),
                ('taken_at', models.DateTimeField(null=True)),
                ('outcome', models.CharField(choices=[('stands', 'The round stands'), ('adjusted', 'Adjusted')], max_length=10, null=True)),
                ('answer', models.TextField(help_text='What the player reads.', null=True)),
                ('decided_as', models.CharField(choices=[('pit_boss', 'pit boss'), ('shift_manager', 'shift manager'), ('surveillance', 'surveillance'), ('cage', 'cage')], help_text='Their role then: all that the player reads of them.', max_length=20, null=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('told_at', models.DateTimeField(help_text='When the player saw the answer.', null=True)),
                ('adjustment', models.OneToOneField(help_text='Asked for to settle it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='review', to='tables.adjustment')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='tables.roundlog')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to=settings.AUTH_USER_MODEL)),
                ('taken_by', models.ForeignKey(help_text='Who of the pit has taken it up.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'tables_review',
                'ordering': ('asked_at', 'id'),
                'indexes': [models.Index(condition=models.Q(('outcome__isnull', True)), fields=['asked_at'], name='reviews_that_wait'), models.Index(fields=['player', 'asked_at'], name='reviews_of_a_player')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('outcome__isnull', True)), fields=('player', 'log'), name='one_open_review_of_a_round'), models.CheckConstraint(condition=models.Q(models.Q(('taken_at__isnull', True), ('taken_by__isnull', True)), models.Q(('taken_at__isnull', False), ('taken_by__isnull', False)), _connector='OR'), name='reviews_are_taken_by_somebody'), models.CheckConstraint(condition=models.Q(models.Q(('answer__isnull', True), ('decided_as__isnull', True), ('decided_at__isnull', True), ('decided_by__isnull', True), ('outcome__isnull', True)), models.Q(('answer__isnull', False), ('decided_as__isnull', False), ('decided_at__isnull', False), ('decided_by__isnull', False), ('outcome__isnull', False), models.Q(('answer', ''), _negated=True)), _connector='OR'), name='reviews_are_ruled_on_whole'), models.CheckConstraint(condition=models.Q(('outcome__isnull', True), models.Q(('adjustment__isnull', False), ('outcome', 'adjusted')), models.Q(('adjustment__isnull', True), ('outcome', 'stands')), _connector='OR'), name='reviews_are_adjusted_by_an_adjustment'), models.CheckConstraint(condition=models.Q(('decided_by__isnull', True), models.Q(('decided_by', models.F('player')), _negated=True), _connector='OR'), name='nobody_rules_on_their_own_review')],
            },
        ),
        migrations.RunPython(create, drop),
    ]
