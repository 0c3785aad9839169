"""Laws that every game of the house keeps, whatever people do."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields, replace
from itertools import cycle
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tables.games import GAMES
from tables.games.blackjack.phases import Follow, Insurance
from tables.games.codec import action_from, action_json, opening_from, opening_json, stake_from, stake_json
from tables.games.contract.actions import (
    HOUSE,
    Action,
    Chance,
    CloseBets,
    Cut,
    Decline,
    Draw,
    DrawCard,
    Leave,
    Lower,
    Meter,
    Move,
    NullThrow,
    PlaceBet,
    Ready,
    Refund,
    Seal,
    Sit,
    Step,
    Unseal,
    Void,
    Withdraw,
)
from tables.games.contract.errors import Refused
from tables.games.contract.round import SECOND_READING, Offers, Opening, Pace, Round
from tables.games.record import RecordError, outcome_of, record_of
from tables.games.shared.options import options_json, read_options
from tables.games.stud_poker import StudPokerRound
from tables.games.stud_poker.phases import Fold, Raise
from tables.games.values.cards import Card, card, pack
from tests.extent import times
from tests.kit import replayed, view_for

from .playing import PEOPLE, Play, is_accepted, moves_to, plays
from .secrets import HIDDEN, TOLD_BY_COURSE

law = settings(
    max_examples=times(80), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
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
    assert view_for(folded, None) == view_for(play.last, None)
    assert folded.result() == play.last.result()


@law
@given(plays())
def test_what_is_done_to_a_round_leaves_the_one_before_as_it_was(play: Play) -> None:
    again = play.game.opened(play.options, play.opening)
    for action, before in zip(play.log, play.rounds, strict=False):
        assert again == before
        assert (again.in_escrow(), again.stakes(), view_for(again, None)) == (
            before.in_escrow(),
            before.stakes(),
            view_for(before, None),
        )
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
            for stake in round_.stakes():
                if stake.bet in offers.movable:
                    for offer in [offer for offer in offers.bets if moves_to(stake, offer)][
                        :: 1 + len(offers.bets) // 9
                    ]:
                        round_.apply(Move(who, bet=stake.bet, spot=offer.spot, box=offer.box))
            for offer in offers.bets[:: 1 + len(offers.bets) // 100]:
                for amount in {offer.least, offer.most or offer.least}:
                    round_.apply(PlaceBet(who, bet="new", spot=offer.spot, amount=amount, box=offer.box))


@settings(law, max_examples=times(40))
@given(plays())
def test_what_is_not_offered_is_refused(play: Play) -> None:
    attempts = {who: everything(play, who) for who in (*PEOPLE, "stranger")}
    for round_ in play.rounds[:: 1 + len(play.rounds) // 12]:
        for who, actions in attempts.items():
            offers = round_.offers(who)
            for action in actions:
                if action not in offers.actions and not has_range(action, round_, offers):
                    assert not is_accepted(round_, action), action
            offered = {(offer.spot, offer.box): offer for offer in offers.bets}
            for spot in (*some_spots(play), "nowhere"):
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


def some_spots(play: Play) -> list[str]:
    """The spots of a layout; of a large one those that are staked and a few others, not the same every time."""
    spots = list(play.game.spots)
    if len(spots) <= 40:
        return spots
    staked = [stake.spot for stake in play.rounds[-1].stakes()]
    return list(dict.fromkeys([*staked[:4], *spots[len(play.log) % 23 :: 23]]))


def everything(play: Play, who: str) -> list[Action]:
    """Every action of the game that a bettor could send, with whatever is at hand in its places."""
    bets = [stake.bet for stake in play.rounds[-1].stakes()] + ["nothing"]
    at_hand: dict[str, list[Any]] = {
        "bet": bets,
        "spot": [*some_spots(play), "nowhere"],
        "amount": [100],
        "position": [50],
        "to": [*PEOPLE, "stranger"],
        "reason": ["error"],
        "remark": [""],
        "card": [card("As")],
        "exposed": [False],
        "shown": [True],
        "values": [[1], [1, 2, 3]],
        "box": [1, 2, 4, 7, 99],
        **{toggle: [False, True] for toggle in ("doubles", "splits", "claims")},
    }
    made: list[Action] = []
    for kind in play.game.actions:
        if kind in (PlaceBet, Sit, Leave):
            continue  # bets have ranges; who sits where the house decides
        made_of: list[dict[str, Any]] = [{}]
        for part in fields(kind):
            if part.name == "by":
                continue
            whole = part.type in ("int", "int | None")
            known = [] if whole and part.name == "card" else at_hand.get(part.name)
            values = known or ([0, 1, 2] if whole else ["player", "banker"])
            if part.type == "int | None":
                values = [None, *values]
            made_of = [{**done, part.name: value} for done in made_of for value in values]
        made.extend(action_from(play.game, {**as_json(parts), "do": kind.do, "by": who}) for parts in made_of)
    return made


def as_json(parts: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Card) else value for name, value in parts.items()}


def has_range(action: Action, round_: Round, offers: Offers) -> bool:
    """Whether an offer of the same kind stands for a range that this action may lie in."""
    offered = offers.actions
    match action:
        case Move() if action.bet in offers.movable:
            (lies,) = (stake for stake in round_.stakes() if stake.bet == action.bet)
            there = [offer for offer in offers.bets if (offer.spot, offer.box) == (action.spot, action.box)]
            return any(moves_to(lies, offer) for offer in there)
        case Cut():
            return any(isinstance(other, Cut) for other in offered)
        case Lower():
            return any(isinstance(other, Lower) and other.bet == action.bet for other in offered)
        case Insurance():
            return any(isinstance(other, Insurance) and other.box == action.box for other in offered)
        case Follow():
            return any(isinstance(other, Follow) for other in offered)
        case Ready():
            return True  # to say it twice changes nothing
        case _:
            return False


@law
@given(plays())
def test_only_the_house_pays_and_what_is_paid_stays_paid(play: Play) -> None:
    for action, before, after in zip(play.log, play.rounds, play.rounds[1:], strict=False):
        assert not before.over
        assert not before.carried()
        earlier, payouts = before.payouts(), after.payouts()
        assert payouts[: len(earlier)] == earlier
        assert len(payouts) == len(earlier) or action.by == HOUSE
        for payout in payouts[len(earlier) :]:
            assert payout.stake >= 0 and payout.commission >= 0
            assert payout.returned >= 0 or after.is_void
    lying = {stake.bet for stake in play.last.stakes()}
    assert lying - in_the_pool(play, play.last).keys() <= {payout.bet for payout in play.last.payouts()}
    assert {payout.bet for payout in play.last.payouts()} - lying <= refunded(play)
    assert play.last.over and play.last.next_house_step() is None and play.last.on_timeout() is None


def in_the_pool(play: Play, round_: Round) -> dict[str, int]:
    """Bet -> cents of the carried stakes that have gone to a jackpot, and lie in escrow no more."""
    if play.game.pool(play.options) is None:
        return {}
    return {stake.bet: stake.amount for stake in round_.stakes() if stake.carried}


def refunded(play: Play) -> set[str]:
    """Bets that were carried here, and given back because their bettor had left."""
    return {action.bet for action in play.log if isinstance(action, Refund)}


@law
@given(st.sampled_from(["baccarat", "three_card_baccarat"]).flatmap(lambda slug: plays(GAMES[slug])))
def test_both_kinds_of_baccarat_pay_at_the_end_and_each_bet_once(play: Play) -> None:
    assert not any(round_.payouts() for round_ in play.rounds[:-1])
    paid = Counter(payout.bet for payout in play.last.payouts())
    assert set(paid.values()) <= {1}


def tie_on_anothers_place() -> Play:
    """Ana bets a tie on Lee's place, and he takes his place bet back: hers goes back too."""
    game = GAMES["three_card_baccarat"]
    opening, options = Opening(seats={"ana": 1, "lee": 3}, reading=SECOND_READING), game.options()
    play = Play(game, options, opening, rounds=[game.opened(options, opening)])
    play.do(PlaceBet("lee", bet="theirs", spot="place", amount=100_00, box=3))
    play.do(PlaceBet("ana", bet="hers", spot="tie", amount=100_00, box=3))
    play.do(Withdraw("lee", bet="theirs"))
    return play


@law
@given(plays())
@example(tie_on_anothers_place())
def test_nobody_lays_down_or_takes_back_but_for_himself(play: Play) -> None:
    """Only what no longer may lie there goes back to others: a tie bet on a place whose last place bet is taken back
    (3-Card Baccarat 8(3))."""
    for action, before, after in zip(play.log, play.rounds, play.rounds[1:], strict=False):
        moved = laid_between(before, after)
        if action.by == HOUSE:
            assert isinstance(action, CloseBets) or action.do == "give_back" or not moved
            assert all(amount < 0 for amount in moved.values())
        else:
            owners = {stake.bet: stake.by for stake in (*before.stakes(), *after.stakes())}
            others = {bet: amount for bet, amount in moved.items() if owners[bet] != action.by}
            gone = [one.stake for one in after.went_back if one not in before.went_back]
            assert others == {stake.bet: -stake.amount for stake in gone if stake.by != action.by}


def laid_between(before: Round, after: Round) -> Counter[str]:
    """Bet -> cents that were laid down for it between two rounds; what was decided meanwhile does not count."""
    moved = Counter(after.in_escrow())
    moved.subtract(before.in_escrow())
    for payout in after.payouts()[len(before.payouts()) :]:
        moved[payout.bet] += payout.stake - payout.carried
    return Counter({bet: amount for bet, amount in moved.items() if amount})


@law
@given(plays())
def test_stakes_are_returns_and_what_the_house_takes(play: Play) -> None:
    lay = Counter(play.rounds[0].in_escrow())
    for before, after in zip(play.rounds, play.rounds[1:], strict=False):
        lay.update(laid_between(before, after))
    stake, back = Counter[str](), Counter[str]()
    for payout in play.last.payouts():
        assert payout.carried in (0, payout.stake)
        assert not (payout.carried and payout.returned) or getattr(play.options, "auto_leave_winners", False)
        stake[payout.bet] += payout.stake
        back[payout.bet] += payout.returned + payout.carried
    assert stake == +lay
    assert all(amount >= 0 for amount in back.values())
    if play.last.is_void:
        kept = {bet.bet for bet in play.last.carried()}.union(refunded(play))
        assert {bet: amount for bet, amount in back.items() if bet not in kept} == {
            bet: amount for bet, amount in stake.items() if bet not in kept
        }


@law
@given(plays(GAMES["stud_poker"]))
def test_what_goes_into_a_jackpot_comes_out_of_a_stake_and_what_comes_out_goes_to_a_bettor(play: Play) -> None:
    gone_in, come_out = Counter[str](), Counter[str]()
    for payout in play.last.payouts():
        if payout.pooled > 0:
            assert payout.pooled <= payout.stake and not payout.returned and payout.bet not in gone_in
            gone_in[payout.bet] = payout.pooled
        if payout.pooled < 0:
            assert not payout.stake and -payout.pooled <= payout.returned
            if payout.bet not in refunded(play):
                come_out[payout.bet] -= payout.pooled
    assert not set(gone_in) & {stake.bet for stake in play.opening.carried}
    again = {stake.bet: stake.amount for stake in play.last.carried()}
    if play.last.is_void:
        assert not come_out
        jackpots = [stake for stake in play.last.stakes() if stake.spot == "jackpot"]
        assert again == {stake.bet: stake.amount for stake in jackpots}
        return
    told = play.last.result()["jackpot"]
    (pool,) = (action.pool for action in play.log if isinstance(action, Meter))
    assert told["opening"] == pool + sum(gone_in.values())
    left = told["opening"] - sum(come_out.values())
    assert told["closing"] == (left if left > 0 else play.options.jackpot_minimum)
    returned = Counter[str]()
    for payout in play.last.payouts():
        if payout.spot == "jackpot" and payout.bet not in refunded(play):
            returned[payout.by] += payout.returned
    assert +Counter(told["prizes"]) == +returned  # a posted sum may be nothing at all
    anted = {stake.by for stake in play.last.stakes() if stake.spot == "ante"}
    assert {stake.by for stake in play.last.carried()}.isdisjoint(anted)


@law
@given(plays())
def test_what_is_held_is_what_lies_there(play: Play) -> None:
    for round_ in play.rounds[:-1]:
        held = round_.in_escrow()
        for who in PEOPLE:
            mine = {stake.bet for stake in round_.stakes() if stake.by == who}
            assert round_.in_escrow(who) == {bet: amount for bet, amount in held.items() if bet in mine}
        assert all(amount > 0 for amount in held.values())
        if round_.pace is Pace.BETTING:
            pooled = in_the_pool(play, round_)
            assert held == {stake.bet: stake.amount for stake in round_.stakes() if stake.bet not in pooled}
    carried = {stake.bet: stake.amount for stake in play.last.carried()}
    if play.game.pool(play.options) is not None:
        assert not play.last.in_escrow()
        carried = {}
    assert play.last.in_escrow() == carried
    assert carried == {payout.bet: payout.carried for payout in play.last.payouts() if payout.carried}
    assert all(stake.carried for stake in play.last.carried())


@law
@given(plays())
def test_phases_never_go_back(play: Play) -> None:
    phases = list(type(play.last.phase))
    order = [phases.index(round_.phase) for round_ in play.rounds]
    for at, action in enumerate(play.log):
        assert order[at] <= order[at + 1] or isinstance(action, NullThrow), "only a throw that is null begins again"


@law
@given(plays())
def test_waiting_for_the_same_thing_is_of_the_same_kind(play: Play) -> None:
    for before, after in zip(play.rounds, play.rounds[1:], strict=False):
        if before.wait == after.wait:
            assert before.pace == after.pace
            assert before.phase == after.phase


@law
@given(plays())
def test_every_round_ends_soon_when_nobody_does_anything(play: Play) -> None:
    for at, round_ in enumerate(play.rounds):
        rest = Play(play.game, play.options, play.opening, [], [round_])
        drawn = {action.card for action in play.log[:at] if isinstance(action, DrawCard)}
        fill = cycle([card for card in pack(1) if card not in drawn] or pack(1))
        for _ in range(300):
            if rest.last.over:
                break
            due = rest.last.next_house_step() or rest.last.on_timeout()
            assert due is not None
            match due:
                case Step(step):
                    rest.do(step)
                case Draw(Chance.CUT):
                    rest.do(Cut(HOUSE, position=1))
                case Draw(Chance.POOL):
                    rest.do(Meter(pool=1_000_00))
                case Draw(Chance.SEAL):
                    rest.do(Seal(commitment="sealed"))
                case Draw(Chance.OPEN):
                    throw = play.game.throw(play.options)
                    assert throw is not None
                    rest.do(Unseal(values=(throw.most,) * throw.count))
                case Draw():
                    rest.do(DrawCard(card=next(fill)))
        assert rest.last.over


@law
@given(plays())
def test_the_automatic_decision_is_for_somebody_who_is_asked_and_is_accepted(play: Play) -> None:
    for round_ in play.rounds:
        for who in (*PEOPLE, "stranger"):
            decision = round_.default_for(who)
            if decision is not None:
                assert round_.next_house_step() is None
                assert any(not isinstance(offer, Withdraw | Move) for offer in round_.offers(who).actions)
                round_.apply(decision)
                assert isinstance(decision, Decline) or decision.by in (HOUSE, who)


@settings(law, max_examples=times(60))
@given(st.data())
def test_nothing_a_viewer_sees_changes_when_a_card_hidden_from_him_is_swapped(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from([GAMES[slug] for slug in HIDDEN]))
    play = data.draw(plays(game))
    others = data.draw(st.permutations(pack(1)))
    for length in range(len(play.log) + 1):
        log, shown = play.log[:length], play.rounds[length]
        for who in VIEWERS:
            hidden = HIDDEN[game.slug](log, play.rounds, who)
            if not hidden:
                continue
            swapped = with_other_cards(log, hidden, others)
            instead = swapped_course(play, swapped)
            if instead is None and game.slug in TOLD_BY_COURSE:
                continue
            assert instead is not None, "a hidden card decides what happens"
            assert view_for(instead, who) == view_for(shown, who)
            assert told(instead, who) == told(shown, who)
            if shown.over and who is None and game.private_hands:
                assert game.public_result(instead) == game.public_result(shown)


def with_other_cards(log: list[Action], places: list[int], others: list[Card]) -> list[Action]:
    """The log with other cards at these places; in a game of one deck none comes twice by that."""
    swapped = list(log)
    kept = {action.card for at, action in enumerate(log) if isinstance(action, DrawCard) and at not in places}
    fill = cycle([card for card in others if card not in kept] or others)
    for at in places:
        drawn = swapped[at]
        assert isinstance(drawn, DrawCard)
        swapped[at] = replace(drawn, card=next(fill))
    return swapped


def swapped_course(play: Play, log: list[Action]) -> Round | None:
    """The round after this log, if all could see on the way was the same as in `play`; None if it was not."""
    round_ = play.rounds[0]
    try:
        for action, before in zip(log, play.rounds, strict=False):
            if course(round_) != course(before):
                return None
            round_ = round_.apply(action)
    except (Refused, AssertionError):
        return None
    return round_ if course(round_) == course(play.rounds[len(log)]) else None


def course(round_: Round) -> Any:
    """What the course of a round tells all: its phase, what is waited for, what the house owes."""
    return round_.phase, round_.wait, round_.next_house_step()


def told(round_: Any, who: str | None) -> Any:
    """What reaches a viewer beside their view: phase, clock, what is owed, what they may do."""
    mine = (round_.offers(who), round_.default_for(who), round_.in_escrow(who)) if who else ()
    return round_.phase, round_.pace, round_.wait, round_.next_house_step(), round_.on_timeout(), round_.over, mine


@law
@given(plays(GAMES["stud_poker"]))
def test_what_the_others_have_chosen_is_hidden_until_all_have(play: Play) -> None:
    if play.options.decision_mode != "simultaneous":
        return
    for length, shown in enumerate(play.rounds):
        if not isinstance(shown, StudPokerRound) or shown.is_window_closed:
            continue
        log = play.log[:length]
        for who in VIEWERS:
            swapped = [the_other_choice(action) if action.by != who else action for action in log]
            if swapped != log:
                instead = replayed(play.game, play.options, play.opening, swapped)
                assert view_for(instead, who) == view_for(shown, who)
                assert told(instead, who) == told(shown, who)
                assert instead.over or view_for(instead.apply(Void()), who) == view_for(shown.apply(Void()), who)


def the_other_choice(action: Action) -> Action:
    match action:
        case Raise():
            return Fold(action.by)
        case Fold():
            return Raise(action.by)
        case _:
            return action


def test_every_game_with_cards_says_what_it_hides() -> None:
    assert {slug for slug, game in GAMES.items() if game.shoe(game.options())} == set(HIDDEN)


@law
@given(plays())
def test_the_public_record_of_a_round_comes_to_the_same(play: Play) -> None:
    record = record_of(play.game, play.options, play.opening, play.log)
    try:
        outcome = outcome_of(json.loads(json.dumps(record)))
    except RecordError:
        assert play.last.is_void and record["decisions"][1:]
        return  # a record cannot say that a round was void before the card that its last decision called for
    assert outcome["result"] == play.last.result()
    if CloseBets() not in play.log:
        return  # void before it was known which bets would be taken down
    taken_down = [{"id": refusal.bet} for refusal in play.last.refusals]
    refused = [{key: item[key] for key in ("id", "decision") if key in item} for item in outcome["refused"]]
    assert refused == [] or sorted(refused, key=str) == sorted(taken_down, key=str)
    back, stays, laid = Counter[str](), Counter[str](), Counter[str]()
    stays.update({stake.bet: stake.amount for stake in play.last.carried()})
    for payout in play.last.payouts():
        if payout.bet in refunded(play):
            continue  # before betting closed; a record begins with what lay there then
        laid[payout.bet] += payout.stake
        back[payout.bet] += payout.returned
    amounts = {bet["id"]: bet["amount"] for bet in record["bets"]}
    amounts |= dict.fromkeys(in_the_pool(play, play.last), 0)
    for bet in outcome["bets"]:
        assert bet["carried"] == stays[bet["id"]]
        trimmed = max(0, amounts[bet["id"]] - laid[bet["id"]])
        assert bet["returned"] == back[bet["id"]] + trimmed
    assert {bet["id"] for bet in outcome["bets"]} >= set(back)
