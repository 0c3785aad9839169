"""Laws that every game of the house keeps, whatever people do."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields, replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tables.games import GAMES
from tables.games.cards import card, pack
from tables.games.codec import action_from, action_json, opening_from, opening_json, stake_from, stake_json
from tables.games.options import options_json, read_options
from tables.games.protocol import (
    HOUSE,
    Action,
    Cut,
    Decline,
    DrawCard,
    Leave,
    Lower,
    Move,
    PlaceBet,
    Ready,
    Sit,
    Withdraw,
    replayed,
)
from tables.games.record import outcome_of, record_of
from tests.laws.playing import PEOPLE, Play, is_accepted, plays
from tests.laws.secrets import HIDDEN

law = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
VIEWERS = (None, *PEOPLE)


@law
@given(plays())
def test_everything_that_is_stored_survives_json(play: Play) -> None:
    def through(data: Any) -> Any:
        return json.loads(json.dumps(data))

    assert read_options(play.game.options, through(options_json(play.options))) == play.options
    assert opening_from(through(opening_json(play.opening))) == play.opening
    assert [action_from(play.game, through(action_json(action))) for action in play.log] == play.log
    for stake in play.last.stakes():
        assert stake_from(through(stake_json(stake))) == stake


@law
@given(plays())
def test_the_fold_of_the_log_is_the_round(play: Play) -> None:
    folded = replayed(play.game, play.options, play.opening, play.log)
    assert folded == play.last
    assert folded.view(None) == play.last.view(None)
    assert folded.result() == play.last.result()


@law
@given(plays())
def test_what_is_done_to_a_round_leaves_the_one_before_as_it_was(play: Play) -> None:
    again = play.game.opened(play.options, play.opening)
    for action, before in zip(play.log, play.rounds, strict=False):
        assert again == before
        assert (again.held(), again.stakes(), again.view(None)) == (before.held(), before.stakes(), before.view(None))
        again = again.apply(action)


@law
@given(plays())
def test_what_is_offered_is_accepted(play: Play) -> None:
    for round_ in play.rounds:
        for who in (*PEOPLE, "stranger"):
            offers = round_.offers(who)
            for action in offers.actions:
                assert action.by == who
                round_.apply(action)
            for offer in offers.bets:
                for amount in {offer.least, offer.most or offer.least}:
                    round_.apply(PlaceBet(who, bet="new", spot=offer.spot, amount=amount, box=offer.box))


@settings(law, max_examples=40)
@given(plays())
def test_what_is_not_offered_is_refused(play: Play) -> None:
    for round_ in play.rounds:
        for who in (*PEOPLE, "stranger"):
            offers = round_.offers(who)
            for action in everything(play, who):
                if action not in offers.actions and not has_range(action, offers.actions):
                    assert not is_accepted(round_, action), action
            offered = {(offer.spot, offer.box): offer for offer in offers.bets}
            for spot in (*play.game.spots, "nowhere"):
                for box in {None, 0, 1, 7, 99, *round_.seats.values()}:
                    offer = offered.get((spot, box))
                    wrong = {0, -100, 150} if offer is None else {0, offer.least - offer.step, offer.least + 1}
                    if offer is None:
                        wrong |= {100_00, 10_000_00}
                    elif offer.most is not None:
                        wrong.add(offer.most + offer.step)
                    for amount in wrong:
                        bet = PlaceBet(who, bet="new", spot=spot, amount=amount, box=box)
                        assert not is_accepted(round_, bet), bet


def everything(play: Play, who: str) -> list[Action]:
    """Every action of the game that a bettor could send, with whatever is at hand in its places."""
    bets = [stake.bet for stake in play.rounds[-1].stakes()] + ["nothing"]
    at_hand: dict[str, list[Any]] = {
        "bet": bets,
        "spot": [*play.game.spots, "nowhere"],
        "amount": [100],
        "position": [50],
        "to": [*PEOPLE, "stranger"],
        "reason": [""],
        "card": [card("As")],
        "exposed": [False],
    }
    made: list[Action] = []
    for kind in play.game.actions:
        if kind in (PlaceBet, Sit, Leave):
            continue  # bets have ranges; who sits where the house decides
        made_of: list[dict[str, Any]] = [{}]
        for part in fields(kind):
            if part.name == "by":
                continue
            values = at_hand.get(part.name) or ["player", "banker"]
            made_of = [{**done, part.name: value} for done in made_of for value in values]
        made.extend(action_from(play.game, {**as_json(parts), "do": kind.do, "by": who}) for parts in made_of)
    return made


def as_json(parts: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value) if name == "card" else value for name, value in parts.items()}


def has_range(action: Action, offered: tuple[Action, ...]) -> bool:
    """Whether an offer of the same kind stands for a range that this action may lie in."""
    match action:
        case Cut():
            return any(isinstance(other, Cut) for other in offered)
        case Lower():
            return any(isinstance(other, Lower) and other.bet == action.bet for other in offered)
        case Ready():
            return True  # to say it twice changes nothing
        case _:
            return False


@law
@given(plays())
def test_only_a_round_that_is_over_pays_and_each_bet_once(play: Play) -> None:
    for round_ in play.rounds[:-1]:
        assert not round_.over
        assert not round_.payouts() and not round_.carried()
    paid = Counter(payout.bet for payout in play.last.payouts())
    assert paid == Counter(stake.bet for stake in play.last.stakes())
    assert set(paid.values()) <= {1}
    assert play.last.over and play.last.due() is None and play.last.overdue() is None


@law
@given(plays())
def test_stakes_are_returns_and_what_the_house_takes(play: Play) -> None:
    lay = play.rounds[-2].held() if len(play.rounds) > 1 else {}
    house = 0
    for payout in play.last.payouts():
        assert payout.stake == lay[payout.bet] > 0
        assert payout.returned >= 0 and payout.commission >= 0
        assert payout.carried in (0, payout.stake)
        assert not (payout.carried and payout.returned)
        prize = payout.returned + payout.commission - payout.stake if payout.returned else 0
        assert prize >= 0
        house += payout.stake - payout.returned - payout.carried
    payouts = play.last.payouts()
    assert sum(lay.values()) == sum(payout.returned + payout.carried for payout in payouts) + house
    if play.last.is_void:
        assert house == 0


@law
@given(plays())
def test_what_is_held_is_what_lies_there(play: Play) -> None:
    for round_ in play.rounds[:-1]:
        assert round_.held() == {stake.bet: stake.amount for stake in round_.stakes()}
        for who in PEOPLE:
            assert round_.held(who) == {stake.bet: stake.amount for stake in round_.stakes() if stake.by == who}
    carried = {stake.bet: stake.amount for stake in play.last.carried()}
    assert play.last.held() == carried
    assert carried == {payout.bet: payout.carried for payout in play.last.payouts() if payout.carried}
    assert all(stake.carried for stake in play.last.carried())


@law
@given(plays())
def test_phases_never_go_back(play: Play) -> None:
    phases = list(type(play.last.phase))
    order = [phases.index(round_.phase) for round_ in play.rounds]
    assert order == sorted(order)


@law
@given(plays())
def test_waiting_for_the_same_thing_is_of_the_same_kind(play: Play) -> None:
    for before, after in zip(play.rounds, play.rounds[1:], strict=False):
        if before.wait == after.wait:
            assert before.tempo == after.tempo
            assert before.phase == after.phase


@law
@given(plays())
def test_every_round_ends_soon_when_nobody_does_anything(play: Play) -> None:
    for round_ in play.rounds:
        rest = Play(play.game, play.options, play.opening, [], [round_])
        fill = iter(pack(8))
        for _ in range(120):
            if rest.last.over:
                break
            due = rest.last.due() or rest.last.overdue()
            assert due is not None
            step = getattr(due, "action", None)
            if step is None:
                step = Cut(HOUSE, position=1) if rest.last.phase == "cut" else DrawCard(card=next(fill))
            rest.do(step)
        assert rest.last.over


@law
@given(plays())
def test_the_automatic_decision_is_for_somebody_who_is_asked_and_is_accepted(play: Play) -> None:
    for round_ in play.rounds:
        for who in (*PEOPLE, "stranger"):
            decision = round_.default_for(who)
            if decision is not None:
                assert round_.due() is None
                assert any(not isinstance(offer, Ready | Withdraw | Move) for offer in round_.offers(who).actions)
                round_.apply(decision)
                assert isinstance(decision, Decline) or decision.by in (HOUSE, who)


@settings(law, max_examples=60)
@given(st.data())
def test_nothing_a_viewer_sees_changes_when_a_card_hidden_from_him_is_swapped(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from([GAMES[slug] for slug in HIDDEN]))
    play = data.draw(plays(game))
    other = data.draw(st.sampled_from(pack(1)))
    for length in range(len(play.log) + 1):
        log, shown = play.log[:length], play.rounds[length]
        for who in VIEWERS:
            hidden = HIDDEN[game.slug](log, play.rounds, who)
            if not hidden:
                continue
            swapped = list(log)
            for at in hidden:
                drawn = swapped[at]
                assert isinstance(drawn, DrawCard)
                swapped[at] = replace(drawn, card=other)
            instead = replayed(game, play.options, play.opening, swapped)
            assert instead.view(who) == shown.view(who)
            assert told(instead, who) == told(shown, who)


def told(round_: Any, who: str | None) -> Any:
    """What reaches a viewer beside his view: phase, clock, what is owed, what he may do."""
    mine = (round_.offers(who), round_.default_for(who), round_.held(who)) if who else ()
    return round_.phase, round_.tempo, round_.wait, round_.due(), round_.overdue(), round_.over, mine


def test_every_game_with_cards_says_what_it_hides() -> None:
    assert {slug for slug, game in GAMES.items() if game.shoe(game.options())} == set(HIDDEN)


@law
@given(plays())
def test_the_public_record_of_a_round_comes_to_the_same(play: Play) -> None:
    record = record_of(play.game, play.options, play.opening, play.log)
    outcome = outcome_of(json.loads(json.dumps(record)))
    assert outcome["result"] == play.last.result()
    assert outcome["refused"] == [] or {item["id"] for item in outcome["refused"]} == {
        refusal.bet for refusal in play.last.refusals
    }
    paid = {payout.bet: payout for payout in play.last.payouts()}
    for bet in outcome["bets"]:
        payout = paid.get(bet["id"])
        assert bet["carried"] == (payout.carried if payout else 0)
        assert bet["returned"] >= (payout.returned if payout else 0)
    assert {bet["id"] for bet in outcome["bets"]} >= set(paid)
