"""The laws of what is done outside rounds: which chips move, how much, how often, and by whose deed. Reads only.

A transfer with fitting balances can be put into the ledger by whoever can write the database. It is found here, because
no deed of the house could have made it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from django.db.models import Min, Q

from tables.base.calendar import macau_date
from tables.games import GAMES
from tables.games.contract.errors import OptionError
from tables.games.shared.alternatives import alternatives
from tables.models import (
    Account,
    Adjustment,
    ApprovalRequest,
    Authorisation,
    ChipOrder,
    Event,
    Review,
    RoundLog,
    Table,
    Transfer,
)
from tables.services.money.wallet import Reason
from tables.services.pit.authorisations import covering
from tables.services.players.people import COOL_DOWN, FIRST_CREDITS, NEARLY_BROKE, TOP_UP_TO


def faults() -> Iterator[str]:
    """Each transfer and appointment that no law allows or no deed ordered, and each deed that came to nothing."""
    yield from _welcomes()
    yield from _top_ups()
    yield from _comps()
    yield from _adjustments()
    yield from _reviews()
    yield from _chip_orders()
    yield from _openings()
    yield from _requests()
    yield from _alternatives()
    yield from _authorisations()


def _welcomes() -> Iterator[str]:
    """A new player gets the first credits, and gets them once."""
    for given in Transfer.objects.filter(reason=Reason.WELCOME).select_related("credit").iterator():
        if given.key != f"welcome:{given.credit.player_id}" or given.amount != FIRST_CREDITS:
            yield f"transfer {given.pk}: a welcome of {given.amount} under the key {given.key}"


def _top_ups() -> Iterator[str]:
    """Whoever is nearly broke gets what is missing to the first credits, and not again before an hour is over."""
    given = Transfer.objects.filter(reason=Reason.TOP_UP)
    accounts = dict(Account.objects.filter(pk__in=given.values("credit")).values_list("pk", "player_id"))
    balances = dict.fromkeys(accounts, 0)
    last: dict[int, datetime] = {}
    moved = Transfer.objects.filter(Q(debit__in=accounts) | Q(credit__in=accounts)).order_by("pk")
    for pk, key, debit, credit, amount, reason, at in moved.values_list(
        "pk", "key", "debit_id", "credit_id", "amount", "reason", "at"
    ).iterator():
        if reason == Reason.TOP_UP and credit in balances:
            balance, before = balances[credit], last.get(credit)
            if balance >= NEARLY_BROKE or amount != TOP_UP_TO - balance:
                yield f"transfer {pk}: a top-up of {amount} to a player who had {balance}"
            if before is not None and at < before + COOL_DOWN:
                yield f"transfer {pk}: a top-up at {at.isoformat()}, and the one before at {before.isoformat()}"
            if not key.startswith(f"top-up:{accounts[credit]}:"):
                yield f"transfer {pk}: a top-up under the key {key}"
            last[credit] = at
        if credit in balances:
            balances[credit] += amount
        if debit in balances:
            balances[debit] -= amount


def _comps() -> Iterator[str]:
    """Each comp has the event that gave it, and each such event its comp."""
    events = {event.seq: event for event in Event.objects.filter(deed=Event.Kind.COMP)}
    for comp in Transfer.objects.filter(reason=Reason.COMP).select_related("credit").order_by("pk"):
        seq = comp.key.removeprefix("comp:")
        event = events.pop(int(seq), None) if seq.isdecimal() else None
        given = None if event is None else (event.player_id, (event.after or {}).get("cents"))
        if given != (comp.credit.player_id, comp.amount):
            yield f"transfer {comp.pk}: a comp of {comp.amount} to player {comp.credit.player_id} that no event gave"
    for unpaid in events:
        yield f"event {unpaid} gave a comp, and nothing moved"


def _adjustments() -> Iterator[str]:
    """Each adjustment was asked for and approved, and moved just that."""
    approved = {f"adjustment:{one.pk}": one for one in Adjustment.objects.filter(state=Adjustment.State.APPROVED)}
    decided = {
        (event.after or {}).get("adjustment")
        for event in Event.objects.filter(deed=Event.Kind.ADJUSTMENT_DECIDED)
        if (event.after or {}).get("state") == Adjustment.State.APPROVED
    }
    for moved in Transfer.objects.filter(reason=Reason.ADJUSTMENT).select_related("debit", "credit").order_by("pk"):
        asked = approved.pop(moved.key, None)
        to_player = moved.credit.kind == Account.Kind.PLAYER
        player, cents = (moved.credit.player_id, moved.amount) if to_player else (moved.debit.player_id, -moved.amount)
        if asked is None or (asked.player_id, asked.cents) != (player, cents) or asked.pk not in decided:
            yield f"transfer {moved.pk}: an adjustment of {cents} for player {player} that nobody approved"
    for key in approved:
        yield f"{key} was approved, and nothing moved"


def _reviews() -> Iterator[str]:
    """Each answer to a player has its event, and one that speaks of credits the approved adjustment that it names."""
    ruled = {
        (event.after or {}).get("review"): event.after or {}
        for event in Event.objects.filter(deed=Event.Kind.REVIEW_RULED)
    }
    answered = Review.objects.filter(outcome__isnull=False).select_related("adjustment")
    for review in answered.order_by("pk").iterator():
        event, asked = ruled.get(review.pk, {}), review.adjustment
        if (event.get("outcome"), event.get("adjustment")) != (review.outcome, review.adjustment_id):
            yield f"review {review.pk} is answered otherwise than the events say"
        if asked is not None and (asked.player_id, asked.log_id, asked.state) != (
            review.player_id, review.log_id, Adjustment.State.APPROVED,
        ):  # fmt: skip
            yield f"review {review.pk} speaks of adjustment {asked.pk}, which is of something else or not approved"


def _chip_orders() -> Iterator[str]:
    """Each fill and each credit was ordered and confirmed, and moved just that."""
    confirmed = {f"{one.kind}:{one.pk}": one for one in ChipOrder.objects.filter(state=ChipOrder.State.CONFIRMED)}
    told = {(event.before or {}).get("order") for event in Event.objects.filter(deed=Event.Kind.CHIPS_CONFIRMED)}
    moves = Transfer.objects.filter(reason__in=(Reason.FILL, Reason.CREDIT)).select_related("debit", "credit")
    for moved in moves.order_by("pk"):
        order = confirmed.pop(moved.key, None)
        float_ = moved.credit if moved.reason == Reason.FILL else moved.debit
        if (
            order is None
            or (order.table_id, order.amount, order.kind) != (float_.table_id, moved.amount, moved.reason)
            or order.pk not in told
        ):
            table = float_.table_id
            yield f"transfer {moved.pk}: a {moved.reason} of {moved.amount} at table {table} that nobody confirmed"
    for key in confirmed:
        yield f"{key} was confirmed, and nothing moved"


def _openings() -> Iterator[str]:
    """The mint makes just what tables and jackpots open with, each once; a table that opens again does so by an
    event."""
    openings = Transfer.objects.filter(reason__in=(Reason.FLOAT, Reason.SEED))
    opened = dict(openings.values_list("key", "amount"))
    for pk, key, amount in Transfer.objects.filter(reason=Reason.MINT).values_list("pk", "key", "amount"):
        if opened.get(key.removeprefix("mint:")) != amount or not key.startswith("mint:"):
            yield f"transfer {pk}: the mint made {amount} for {key}"
    again: dict[int, int] = {}
    for table, after in Event.objects.filter(deed=Event.Kind.TABLE_OPENED).values_list("table_id", "after"):
        if set(after or {}) == {"float"}:
            again[table] = again.get(table, 0) + 1
    for table, times in _floats_again().items():
        if times != again.get(table, 0):
            yield f"table {table} got a float again {times} times, and was opened again {again.get(table, 0)} times"


def _floats_again() -> dict[int, int]:
    """How often each table got a float after its first."""
    found: dict[int, int] = {}
    floats = Transfer.objects.filter(reason=Reason.FLOAT).select_related("credit")
    for moved in floats:
        table = moved.credit.table_id or 0
        if moved.key != f"float:{table}":
            found[table] = found.get(table, 0) + 1
    return found


def _requests() -> Iterator[str]:
    """What was approved is an event of whoever approved it, and no member of the staff appoints anybody without."""
    approved = {one.pk: one for one in ApprovalRequest.objects.filter(state=ApprovalRequest.State.APPROVED)}
    appointed: Counter[tuple[int | None, int | None, str]] = Counter(
        (one.asked_by_id, one.player_id, one.asked["role"])
        for one in approved.values()
        if one.kind == ApprovalRequest.Kind.APPOINT
    )
    for event in Event.objects.filter(deed__in=(Event.Kind.REQUEST_APPROVED, Event.Kind.ROLE)).order_by("seq"):
        if event.deed == Event.Kind.ROLE:
            key = (event.by_id, event.player_id, str(event.after))
            if event.by_id is not None and event.after and not appointed[key]:
                yield f"event {event.seq}: player {event.player_id} became {event.after}, and no second person approved"
            appointed[key] -= 1
        else:
            request = approved.pop((event.after or {}).get("request", 0), None)
            if request is None or request.decided_by_id != event.by_id:
                yield f"event {event.seq} approved a request that was not approved so"
    for pk in approved:
        yield f"request {pk} was approved, and no event says so"


def _alternatives() -> Iterator[str]:
    """No table plays an alternative that is not authorised on that day, or that it was not opened with before that was
    asked."""
    given = list(Authorisation.objects.filter(state=Authorisation.State.GIVEN).order_by("pk"))
    rounds = RoundLog.objects.order_by().values_list("table", "game", "options").annotate(since=Min("started_at"))
    present = [(*one, None) for one in Table.objects.values_list("pk", "game", "options")]
    told = set()
    for table, game, options, since in (*rounds, *present):
        try:
            chosen = alternatives(GAMES[game], options)
        except OptionError:
            yield f"table {table} has options that its game does not know"
            continue
        on_record = [
            one
            for one in given
            if (one.game, one.table_id) in ((game, None), (game, table))
            and (since is None or one.holds_from <= macau_date(since))
        ]
        for name, value in chosen.items():
            if covering(on_record, name, value) is None and (table, name, str(value)) not in told:
                told.add((table, name, str(value)))
                yield f"table {table} plays {name}: {value}, which no authorisation on record covers"


def _authorisations() -> Iterator[str]:
    """Each answer of the inspectorate that is on record was put there by a deed, and just so."""
    told = {(event.after or {}).get("authorisation"): event.after for event in _events(Event.Kind.AUTHORISATION_GIVEN)}
    approved = {(event.after or {}).get("change") for event in _events(Event.Kind.OPTIONS_APPROVED)}
    answers = Authorisation.objects.filter(state=Authorisation.State.GIVEN, basis=Authorisation.Basis.ANSWER)
    for one in answers.order_by("pk"):
        said = told.get(one.pk) or {}
        by_its_change = one.change_id is not None and one.change_id in approved
        if not by_its_change and (said.get("game"), said.get("options")) != (one.game, one.options):
            yield f"authorisation {one.pk} of {one.game} is on record by no deed"


def _events(kind: Event.Kind) -> Iterator[Event]:
    return Event.objects.filter(deed=kind).iterator()
