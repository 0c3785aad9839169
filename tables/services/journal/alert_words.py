"""What the alerts about the staff and about play as a whole say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeAlias

from django.utils import timezone

from tables.games import GAMES
from tables.games.shared.options import options_of
from tables.games.values.words import Amount, Words, say
from tables.models import Alert, ApprovalRequest, Report, Role

Kind = Alert.Kind

About: TypeAlias = Mapping[str, Any]
"""What an alert keeps of its matter, as JSON."""

REQUESTS: Mapping[str, Words] = {
    ApprovalRequest.Kind.APPOINT: say("Appointment"),
    ApprovalRequest.Kind.REMOVE_FACTOR: say("Removal of a second factor"),
    ApprovalRequest.Kind.CHANGE_EMAIL: say("Another e-mail address"),
    ApprovalRequest.Kind.COMP: say("Comp"),
    ApprovalRequest.Kind.OPEN_TABLE: say("A new table"),
    ApprovalRequest.Kind.REOPEN_TABLE: say("A closed table opens"),
    ApprovalRequest.Kind.VOID: say("A void round"),
    ApprovalRequest.Kind.CLOSE_AT_ONCE: say("Closing at once"),
    ApprovalRequest.Kind.PLAY_AGAIN: say("New rounds"),
}
"""What each kind of request is called."""


def of(alert: Alert) -> Words:
    """What one of these alerts says, beside its kind and its table."""
    return SAYS[Kind(alert.kind)](alert.about)


def _request(about: About) -> Words:
    return say("%(who)s asks for it: %(what)s", who=about["by"], what=REQUESTS[about["kind"]])


def _comp(about: About) -> Words:
    return say("%(by)s gave %(cents)s to %(who)s", by=about["by"], cents=Amount(about["cents"]), who=about["who"])


def _staff(about: About) -> Words:
    by: str | Words = about["by"] or say("the operator")
    match about["what"]:
        case "appointed":
            role = str(Role(about["role"]).label) if about["role"] in Role.values else about["role"]
            return say("%(who)s is %(role)s now, by %(by)s", who=about["who"], role=role, by=by)
        case "dismissed":
            return say("%(who)s is not a member of the staff any more, by %(by)s", who=about["who"], by=by)
        case _:
            return say("The second factor of %(who)s was removed by %(by)s", who=about["who"], by=by)


def _halted(about: About) -> Words:
    what = GAMES[about["game"]].title if about["game"] in GAMES else say("the whole floor")
    return say("%(what)s, by %(by)s: %(why)s", what=what, by=about["by"], why=about["why"])


def _voids(about: About) -> Words:
    return say("%(number)s void rounds within an hour: no new round until the pit resumes", number=about["number"])


def _shared(about: About) -> Words:
    return say("%(names)s come from one address", names=about["names"])


def _edition(about: About) -> Words:
    """Options are named as the pit's pages name them."""
    options = options_of(GAMES[about["game"]].options)
    if not about["fallen"]:
        return say("%(edition)s is in force from %(since)s", edition=about["edition"], since=about["since"])
    fallen = [options[name].says if name in options else say(name) for name in about["fallen"]]
    words = fallen[0]
    for one in fallen[1:]:
        words = say("%(first)s; %(second)s", first=words, second=one)
    return say(
        "%(edition)s is in force from %(since)s; these options fall back: %(options)s",
        edition=about["edition"], since=about["since"], options=words,
    )  # fmt: skip


def _review(about: About) -> Words:
    return say("%(who)s, round %(round)s", who=about["who"], round=about["round"])


def _chance(about: About) -> Words:
    return say("What was drawn on %(day)s is not as chance would have it", day=about["day"])


def _frozen(about: About) -> Words:
    return say("Round %(round)s stands still until the pit releases it: %(who)s", round=about["round"], who=about["by"])


def _big_bet(about: About) -> Words:
    who, cents = about["who"], Amount(about["cents"])
    return say("%(who)s has staked %(cents)s in round %(round)s", who=who, cents=cents, round=about["round"])


def _big_win(about: About) -> Words:
    who, cents = about["who"], Amount(about["cents"])
    return say("%(who)s has won %(cents)s in round %(round)s", who=who, cents=cents, round=about["round"])


REPORTED: Mapping[str, Words] = {
    Report.Reason.RUDE: say("insults or threatens"),
    Report.Reason.ADVICE: say("tells others how to play"),
    Report.Reason.ADVERTS: say("advertises or begs"),
    Report.Reason.OTHER: say("something else"),
}
"""Why a message was reported."""


def _report(about: About) -> Words:
    return say("%(who)s: “%(text)s” (%(why)s)", who=about["who"], text=about["text"], why=REPORTED[about["reason"]])


def _misfit(about: About) -> Words:
    who, number, place = about["who"], about["round"], about["place"]
    if not place:
        return say(
            "A device of %(who)s says that the throw of round %(round)s does not fit its seal", who=who, round=number
        )
    return say(
        "A device of %(who)s says that a card of round %(round)s does not fit its seal: place %(place)s",
        who=who, round=number, place=place,
    )  # fmt: skip


def _unfit(about: About) -> Words:
    if about["faults"] == 1:
        return say("Not as it must be: %(fault)s", fault=about["fault"])
    return say("Not as it must be: %(fault)s, and %(more)s more", fault=about["fault"], more=about["faults"] - 1)


BOOKS: Mapping[str, Words] = {
    "round": say("a round and what it moved"),
    "layout": say("what lies on the layout and what lies in escrow"),
    "balance": say("a balance and its transfers"),
    "realm": say("the sum of all balances and nothing"),
    "outside": say("a transfer outside of rounds and any deed"),
    "lease": say("who deals here and who is enrolled"),
    "events": say("the events and their chain"),
}
"""What does not agree, by `tables.proof.running_audit.Finding`."""


def _books(about: About) -> Words:
    what = BOOKS[about["what"]]
    if about["what"] == "round":
        what = say("round %(round)s and what it moved", round=about["round"])
    if about["stops"]:
        return say("These do not agree: %(what)s. No new round until the pit resumes", what=what)
    return say("These do not agree: %(what)s", what=what)


def _unaudited(about: About) -> Words:
    since = timezone.localtime(datetime.fromisoformat(about["since"]))
    return say("Nobody has audited the house since %(time)s", time=f"{since:%H:%M:%S}")


def _watched(about: About) -> Words:
    return say("%(who)s is here: %(why)s", who=about["who"], why=about["why"])


def _differs(about: About) -> Words:
    amount, number = Amount(abs(about["cents"])), about["number"]
    if about["cents"] < 0:
        return say(
            "%(amount)s are missing by count no. %(number)s: %(why)s", amount=amount, number=number, why=about["why"]
        )
    return say("%(amount)s are over by count no. %(number)s: %(why)s", amount=amount, number=number, why=about["why"])


SAYS: Mapping[Kind, Callable[[About], Words]] = {
    Kind.REQUEST: _request,
    Kind.COMP: _comp,
    Kind.STAFF: _staff,
    Kind.HALTED: _halted,
    Kind.VOIDS: _voids,
    Kind.SHARED: _shared,
    Kind.EDITION: _edition,
    Kind.REVIEW: _review,
    Kind.CHANCE: _chance,
    Kind.FROZEN: _frozen,
    Kind.BIG_BET: _big_bet,
    Kind.BIG_WIN: _big_win,
    Kind.REPORT: _report,
    Kind.MISFIT: _misfit,
    Kind.UNFIT: _unfit,
    Kind.BOOKS: _books,
    Kind.UNAUDITED: _unaudited,
    Kind.WATCHED: _watched,
    Kind.DIFFERS: _differs,
}
