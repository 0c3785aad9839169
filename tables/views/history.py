"""A round of a player again: its replay, and its public record. Their list is in `my_rounds`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tables.felt.formatting import text_of
from tables.felt.games import FELTS
from tables.felt.page import table_page
from tables.felt.private import Viewer
from tables.felt.story import told
from tables.games import GAMES
from tables.games.contract.actions import CloseBets
from tables.games.contract.errors import Refused
from tables.games.contract.game import Game, on_hand
from tables.games.contract.round import Round, Stake
from tables.games.values.words import Note, Words, say
from tables.models import Played, Player, RoundLog
from tables.proof import visibility
from tables.queries.folds import LogEntry, log_entries, opened_round, round_of
from tables.queries.history import record_of_log, took_part
from tables.queries.table import Ruled, TableState, state_at
from tables.services.players import reviews

from .heavy import a_few_at_once
from .people import player_of
from .reviews import AskForm, panel_of
from .verify import links_of_round

LINES = 8
"""Lines of the log that stand beside the felt: the present one and those before it."""


# ── The replay ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class StoryEntry:
    """One line of the log in words."""

    seq: int
    at: datetime
    notes: list[Note]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A phase of the round, and the step at which it began."""

    step: int
    words: str
    now: bool


@never_cache
@a_few_at_once
@login_required
@require_safe
def round_(request: HttpRequest, log_id: int) -> HttpResponse:
    """One round, step by step, as this player saw it; there they ask for a review of it."""
    player = player_of(request)
    return _round_page(request, _own_round(log_id, player), player)


def _round_page(request: HttpRequest, log: RoundLog, player: Player, form: AskForm | None = None) -> HttpResponse:
    if log.settled_at is None:
        return render(request, "history/running.html", {"log": log})
    if (why := visibility.unrecorded_for(player).get(log.table_id)) is not None:
        return _unrecorded(request, log, why)
    context = {
        **replayed(request, log, player),
        **panel_of(request, log, player, form),
        "here": reverse("round", args=(log.pk,)),
        "record_open": visibility.record_is_open(log, player.key),
        "links": links_of_round(log, player.key),
    }
    return render(request, "history/round.html", context, status=HTTPStatus.BAD_REQUEST if form else HTTPStatus.OK)


@never_cache
@a_few_at_once
@login_required
def ask_review(request: HttpRequest, log_id: int) -> HttpResponse:
    """Ask the pit to look at this round again; the page says so, or why not, and keeps what was typed."""
    player = player_of(request)
    log, form = _own_round(log_id, player), AskForm(request.POST)
    if request.method != "POST":
        return redirect("round", log.pk)  # a change of language, on the page that says why not
    if form.is_valid():
        try:
            reviews.ask(player.pk, log.pk, form.cleaned_data["reason"], form.cleaned_data["words"])
        except Refused as refusal:
            form.add_error(None, text_of(refusal.words))
        else:
            messages.success(request, _("The pit has your request. You will read its answer here."))
            return HttpResponseRedirect(reverse("round", args=(log.pk,)) + "#review")
    return _round_page(request, log, player, form)


def replayed(request: HttpRequest, log: RoundLog, player: Player | None) -> dict[str, object]:
    """What a page needs that shows a round which is over step by step, as this player saw it (nobody: a spectator).

    It opens on the last step, which shows the result.
    """
    key = player.key if player is not None else None
    step = _step(request, log.version)
    replay = _Replay.of(log, step)
    state = replay.state()
    game, last = GAMES[log.game], round_of(log)
    played = Played.objects.filter(log=log, player=player).first() if player is not None else None
    return {
        **felt_of(state, player),
        "log": log,
        "rules_query": f"?round={log.pk}",
        "game": game,
        "step": step,
        "last": log.version,
        "told": [
            StoryEntry(
                line.seq, line.at, [*told(log.game, line, key or "", state.names), *_ruled(game, line, state.rulings)]
            )
            for line in replay.lines
        ],
        "chapters": list(replay.chapters()),
        "outcome": FELTS[log.game].result_words(log.result or {}),
        "played": played,
        "net": played.returned - played.staked if played is not None else 0,
        "payouts": [
            (on_hand(game.called(paid.spot, replay.lay[paid.bet].box), last.hand_of(paid)), paid)
            for paid in last.payouts()
            if paid.by == key
        ],
        "refusals": [(_called(game, replay.lay[one.bet]), one) for one in last.refusals if one.by == key],
    }


def _ruled(game: Game, line: LogEntry, rulings: Iterable[Ruled]) -> Iterator[Note]:
    """What the pit ruled after this line, or with it."""
    for ruled in rulings:
        if ruled.line == line.seq and (what := game.irregularity(ruled.name)) is not None:
            yield Note("", say("The pit has ruled: %(what)s", what=what.happened(ruled.box)))
            yield Note(what.article, what.ordered(line.after))


def _called(game: Game, stake: Stake) -> Words:
    return game.called(stake.spot, stake.box)


def _unrecorded(request: HttpRequest, log: RoundLog, why: Note) -> HttpResponse:
    """Why a player does not see this round again now. Their wallet shows what it brought them."""
    return render(request, "history/unrecorded.html", {"log": log, "why": why}, status=HTTPStatus.FORBIDDEN)


def _own_round(log_id: int, player: Player) -> RoundLog:
    """The round, if the player had a stake or a seat in it; to everybody else it does not exist."""
    log = get_object_or_404(RoundLog.objects.select_related("table", "shoe"), pk=log_id)
    if not took_part(log, player):
        raise Http404
    return log


def _step(request: HttpRequest, last: int) -> int:
    wanted = request.GET.get("step", str(last))
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) <= 9):
        raise Http404
    return min(int(wanted), last)


@dataclass(frozen=True, slots=True)
class _Replay:
    """A round folded to one step, the lines that led there, and where its phases begin.

    `lay` is bet -> stake for what lay on the layout when betting closed, and at the end.
    """

    log: RoundLog
    step: int
    round: Round
    lines: tuple[LogEntry, ...]
    phases: tuple[tuple[int, str], ...]
    lay: Mapping[str, Stake]

    @classmethod
    def of(cls, log: RoundLog, step: int) -> _Replay:
        round_ = opened_round(log)
        phases = [(0, str(round_.phase))]
        lines = []
        lay = {stake.bet: stake for stake in round_of(log).stakes()}
        for line in log_entries(log):
            if isinstance(line.action, CloseBets):
                lay |= {stake.bet: stake for stake in line.before.stakes()}
            if (phase := str(line.after.phase)) != phases[-1][1]:
                phases.append((line.seq, phase))
            if step - LINES < line.seq <= step:
                lines.append(line)
            if line.seq == step:
                round_ = line.after
        return cls(log, step, round_, tuple(lines), tuple(phases), lay)

    def chapters(self) -> Iterator[Chapter]:
        """The phases, by the words of the felt; two that are called the same are one."""
        words = FELTS[self.log.game].phase_words
        marks: list[tuple[int, str]] = []
        for step, phase in self.phases:
            if not marks or marks[-1][1] != words(phase):
                marks.append((step, words(phase)))
        for place, (step, said) in enumerate(marks):
            ends = marks[place + 1][0] if place + 1 < len(marks) else self.log.version + 1
            yield Chapter(step, said, step <= self.step < ends)

    def state(self) -> TableState:
        """The table as it stood at this step, as far as the round knows it."""
        at = self.lines[-1].at if self.lines else self.log.started_at
        return state_at(self.log, self.round, self.step, at)


def felt_of(state: TableState, player: Player | None) -> dict[str, object]:
    """The felt at this step as this player (or a spectator) saw it: what the table's page is made of, with nothing to
    press."""
    viewer = Viewer()
    if player is not None:
        viewer = Viewer(key=player.key, name=str(player), seat=state.seat_of(player.key))
    page = table_page(state, viewer)
    taken = {seat.number for seat in state.seats if seat.key is not None}
    return {**page, "seats": [seat for seat in page["seats"] if seat.number in taken]}


# ── The record ──────────────────────────────────────────────────────────────────────────────────────────────


@never_cache
@a_few_at_once
@login_required
@require_safe
def record(request: HttpRequest, log_id: int) -> HttpResponse:
    """The public record of a round that is over, for `manage.py replay` and anybody else.

    A record holds every card, so nobody has it here who did not see them all; the house has it by `replay --round`.
    """
    player = player_of(request)
    log = _own_round(log_id, player)
    if log.settled_at is None:
        raise Http404
    if (why := visibility.unrecorded_for(player).get(log.table_id)) is not None:
        return _unrecorded(request, log, why)
    if not visibility.record_is_open(log, player.key):
        if GAMES[log.game].private_hands:
            messages.info(request, _("The record shows hands that you have not seen, so it is not available to you."))
        else:
            messages.info(request, _("The record is available once the shoe is retired."))
        return redirect("round", log_id)
    answer = JsonResponse(record_of_log(log), json_dumps_params={"indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="round-{log.pk}.json"'
    return answer
