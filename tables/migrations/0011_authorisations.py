"""Authorisations on record. Tables that are there already keep what they play, marked as opened before."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils.timezone import now

from tables.base.calendar import macau_date
from tables.games import GAMES
from tables.games.contract.errors import OptionError
from tables.games.shared.alternatives import alternatives
from tables.games.shared.options import options_of
from tables.models import second_person


def guard(apps: Any, schema_editor: Any) -> None:
    second_person.create(schema_editor, second_person.AUTHORISATIONS)


def release(apps: Any, schema_editor: Any) -> None:
    second_person.drop(schema_editor, second_person.AUTHORISATIONS)


def take_over(apps: Any, schema_editor: Any) -> None:
    """What changes of options were authorised, the house may play; the rest each table may go on with by itself."""
    authorisation, change = apps.get_model("tables", "Authorisation"), apps.get_model("tables", "OptionChange")
    table, log = apps.get_model("tables", "Table"), apps.get_model("tables", "RoundLog")
    answered: dict[str, list[dict[str, Any]]] = {}
    for one in change.objects.filter(authorisation=True, state__in=("approved", "adopted")).select_related("table"):
        about = options_of(GAMES[one.table.game].options)
        options = {name: value for name, value in one.changes.items() if name in about and about[name].authorised}
        answered.setdefault(one.table.game, []).append(options)
        authorisation.objects.create(
            game=one.table.game, options=options, basis="answer", change=one, why=one.why, state="given",
            submitted_on=one.submitted_on, holds_from=one.planned_for, reference=one.reference,
            requested_by=one.drafted_by, requested_at=one.drafted_at,
            decided_by=one.decided_by, decided_at=one.decided_at,
        )  # fmt: skip
    for one in table.objects.order_by("pk"):
        rounds = log.objects.filter(table=one)
        since = rounds.order_by("number").values_list("started_at", flat=True).first() or now()
        known = list(answered.get(one.game, ()))
        for options in (one.options, *rounds.order_by().values_list("options", flat=True).distinct()):
            try:
                chosen = alternatives(GAMES[one.game], options)
            except OptionError:  # of a game that does not know them any more
                continue
            left = {name: value for name, value in chosen.items() if (name, value) not in _pairs(known)}
            if left:
                known.append(left)
                authorisation.objects.create(
                    game=one.game, options=left, basis="before", table=one, state="given", holds_from=macau_date(since),
                    requested_at=now(), decided_at=now(),
                )  # fmt: skip


def _pairs(known: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    return [pair for options in known for pair in options.items()]


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0010_editions'),
    ]

    operations = [
        migrations.CreateModel(
            name='Authorisation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=30)),
                ('options', models.JSONField(help_text='Option -> the value that may be played, as in the public record.')),
                ('basis', models.CharField(choices=[('answer', 'an answer of the inspectorate'), ('demonstration', 'brought with the demonstration floor'), ('before', 'opened before authorisations were asked for')], max_length=15)),
                ('why', models.TextField(blank=True, default='')),
                ('state', models.CharField(choices=[('requested', 'requested'), ('given', 'given'), ('refused', 'refused')], default='requested', max_length=10)),
                ('submitted_on', models.DateField(help_text="Macau's date of the request to the inspectorate.", null=True)),
                ('holds_from', models.DateField(help_text="Macau's date from which it may be played.")),
                ('reference', models.CharField(blank=True, default='', help_text="The inspectorate's, of its answer.", max_length=80)),
                ('requested_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
                ('change', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='given', to='tables.optionchange')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('requested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='authorisations', to='tables.table')),
            ],
            options={
                'db_table': 'tables_authorisation',
                'ordering': ('-requested_at', '-id'),
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('basis', 'answer'), ('state', 'given'), _negated=True), models.Q(('decided_by__isnull', False), ('requested_by__isnull', False), ('submitted_on__isnull', False), models.Q(('reference', ''), _negated=True), models.Q(('decided_by', models.F('requested_by')), _negated=True)), _connector='OR'), name='authorisations_are_recorded_by_another'), models.CheckConstraint(condition=models.Q(models.Q(('basis', 'before'), ('table__isnull', False)), models.Q(models.Q(('basis', 'before'), _negated=True), ('table__isnull', True)), _connector='OR'), name='one_table_opened_before'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('state', 'requested')), models.Q(models.Q(('state', 'requested'), _negated=True), ('decided_at__isnull', False)), _connector='OR'), name='authorisations_are_decided_at_some_time')],
            },
        ),
        migrations.RunPython(guard, release),
        migrations.RunPython(take_over, migrations.RunPython.noop),
    ]
