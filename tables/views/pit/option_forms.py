"""House options for the pit: their values in words, and the fields in which a change of them is drafted."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, get_args, get_origin

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.base.timetable import in_seconds
from tables.felt.formatting import credits_of, listed, mark, number, text_of
from tables.felt.shared.limits import named_in_limits
from tables.games.contract.game import Game
from tables.games.shared.options import Limit, Option, hints_of, options_json, options_of, read_value
from tables.games.values.money import CREDIT
from tables.models import Authorisation, Event
from tables.services.pit.authorisations import Alternative
from tables.services.pit.lifecycle import PACE
from tables.services.pit.options import EDITION, HouseOptions

from .number_fields import WholeNumber

MOST_DIGITS = 12
"""Of an amount in credits."""

MOST_OF_A_NUMBER = 1_000_000
"""No option that counts something is more; its game says what may be."""


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────


def in_words(game: Game, name: str, value: object) -> str:
    """The value of an option as the house writes it down."""
    about = options_of(game.options)[name]
    if value is None:
        return _("none")
    if isinstance(value, tuple) or hints_of(game.options)[name] == Limit:
        return _limit_in_words(game, value)
    if isinstance(value, frozenset):
        offered = [one for one in members_of(game, name) if one in value]
        return listed([_one_in_words(about, one) for one in offered]) or _("none")
    return _one_in_words(about, value)


@dataclass(frozen=True, slots=True)
class Authorised:
    """One option with a value that needs an authorisation, in words, and the one that is on record for it."""

    says: str
    article: str
    value: str
    authorised_by: str
    by: Authorisation | None


def authorised_in_words(game: Game, options: Mapping[str, object], by: Authorisation | None = None) -> list[Authorised]:
    """Options as JSON, each with its value in words and what it is played by."""
    about = options_of(game.options)
    return [
        Authorised(
            text_of(about[name].says),
            about[name].article,
            in_words(game, name, read_value(game.options, name, value)),
            about[name].authorised_by,
            by,
        )
        for name, value in options.items()
        if name in about
    ]


def alternatives_in_words(game: Game, chosen: Iterable[Alternative]) -> list[Authorised]:
    """The alternatives of a table, each with what it is played by, if anything."""
    return [words for one in chosen for words in authorised_in_words(game, {one.name: one.value}, one.by)]


def allowed_in_words(game: Game, name: str) -> str:
    """All that an option may be."""
    about, hint = options_of(game.options)[name], hints_of(game.options)[name]
    if hint == Limit:
        return _("an amount, or one for each bet")
    if about.cents:
        return _("an amount or none") if about.null else _("an amount")
    if about.allowed is not None:
        return text_of(about.allowed)
    values = about.values or ()
    if isinstance(values, range):
        return _("%(least)s to %(most)s") % {"least": number(values[0]), "most": number(values[-1])}
    several = _("any of: %(values)s") if get_origin(hint) is frozenset else "%(values)s"
    return several % {"values": listed([_one_in_words(about, value) for value in values])}


def called(game: Game, text: str) -> str:
    """A sentence of the rules about options, in which each is called as the house calls it and not by its own name."""
    for name, about in options_of(game.options).items():
        if "_" in name:
            text = re.sub(rf"\b{name}\b", f"“{text_of(about.says)}”", text, flags=re.ASCII)
        for value in about.values if isinstance(about.values, Mapping) else ():
            if "_" in str(value):
                text = re.sub(rf"\b{value}\b", f"“{_one_in_words(about, value)}”", text, flags=re.ASCII)
    return text


def limits_in_words(game: Game, event: Event) -> list[tuple[str, str, str]]:
    """What an event about limits and times has changed: (what, before, after) in words. Times are told in seconds."""
    was, becomes = event.before or {}, event.after or {}
    about, found = options_of(game.options), []
    for name in {**was.get("limits", {}), **becomes.get("limits", {})}:
        old, new = (_limit_read(said.get("limits", {}).get(name)) for said in (was, becomes))
        if old != new and name in about:
            found.append((text_of(about[name].says), in_words(game, name, old), in_words(game, name, new)))
    for name, words in PACE.items():
        old, new = (said.get("times", {}).get(name) for said in (was, becomes))
        if old != new:
            found.append((text_of(words), _pace_in_words(old), _pace_in_words(new)))
    return found


def _pace_in_words(ms: int | None) -> str:
    if ms is None:
        return "–"
    seconds = in_seconds(ms)
    return f"{seconds if isinstance(seconds, str) else text_of(seconds)} s"


def _limit_read(value: object) -> object:
    return tuple(value.items()) if isinstance(value, dict) else value


def members_of(game: Game, name: str) -> type[Enum]:
    """What the set of an option may hold, in its order."""
    members: type[Enum] = get_args(hints_of(game.options)[name])[0]
    return members


def _one_in_words(about: Option, value: object) -> str:
    if isinstance(about.values, Mapping):
        return text_of(about.values[value])
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return credits_of(value) if about.cents else number(value)
    return str(value)


def _limit_in_words(game: Game, value: object) -> str:
    if isinstance(value, int):
        return credits_of(value)
    assert isinstance(value, tuple), f"no limit: {value}"
    titles = named_in_limits(game) | {name: text_of(spot.title) for name, spot in game.spots.items()}
    named = [f"{titles.get(name, name)}{mark(':')}{credits_of(cents)}" for name, cents in value]
    return mark(";").join(named) or _("none")


# ── Fields ──────────────────────────────────────────────────────────────────────────────────────────────────


class AmountField(forms.CharField):
    """An amount in credits, with cents if need be; cents come out of it, or None if it is empty."""

    def prepare_value(self, value: object) -> object:
        return plain(value) if isinstance(value, int) else value

    def to_python(self, value: object) -> Any:
        text = super().to_python(value)
        return cents_of(text) if text else None


class LimitField(forms.CharField):
    """A limit: one amount for every bet, or a line for each with its name and its amount; empty limits nothing."""

    def prepare_value(self, value: object) -> object:
        if isinstance(value, dict):
            return "\n".join(f"{name} {plain(cents)}" for name, cents in value.items())
        return plain(value) if isinstance(value, int) else value

    def to_python(self, value: object) -> Any:
        lines = [line.split() for line in str(super().to_python(value)).splitlines() if line.strip()]
        if len(lines) == 1 and len(lines[0]) == 1:
            return cents_of(lines[0][0])
        limit: dict[str, int] = {}
        for line in lines:
            if len(line) != 2 or line[0] in limit:
                raise ValidationError(_("Write one amount, or a name and an amount in each line."))
            limit[line[0]] = cents_of(line[1])
        return limit


def cents_of(text: str) -> int:
    """Cents in an amount of credits as it is typed. Raises ValidationError."""
    typed = re.fullmatch(rf"(\d{{1,{MOST_DIGITS}}})(?:[.,](\d{{1,2}}))?", text, re.ASCII)
    if typed is None:
        raise ValidationError(_("Write an amount of credits, such as 250."))
    return int(typed[1]) * CREDIT + int((typed[2] or "").ljust(2, "0"))


def plain(cents: int) -> str:
    """Cents as they are typed into a field."""
    whole, rest = divmod(cents, CREDIT)
    return f"{whole}.{rest:02}" if rest else str(whole)


class DraftForm(forms.Form):
    """All options that are left to the house and have another value, each as it is now; and why they change."""

    why = forms.CharField(
        label=gettext_lazy("Reason"), max_length=500, widget=forms.Textarea(attrs={"rows": 2}), strip=True
    )

    def __init__(
        self,
        game: Game,
        options: HouseOptions,
        data: QueryDict | None = None,
        *,
        editions: Collection[str] = (),
        authorised: bool = False,
    ) -> None:
        """`editions` are those that can be planned; where there is no other than the present one nothing is asked. With
        `authorised` only those options that need an authorisation."""
        super().__init__(data)
        self.game = game
        present = options_json(options)
        if set(editions) - {options.edition}:
            choices = [(_token(name), name) for name in dict.fromkeys((options.edition, *editions))]
            self.fields[EDITION] = forms.ChoiceField(
                label=text_of(options_of(game.options)[EDITION].says), choices=choices, initial=_token(options.edition)
            )
        for name, about in options_of(game.options).items():
            if about.is_left_to_the_house(options.edition) and not _is_alone(about) and authorised <= about.authorised:
                field = _field(game, name, about)
                field.label, field.initial = text_of(about.says), _initial(field, present.get(name))
                field.widget.attrs |= {"aria-label": field.label}
                self.fields[name] = field

    @property
    def wanted(self) -> dict[str, object]:
        """Option -> its value as in the public record, as asked for. Only of a valid form."""
        about = options_of(self.game.options)
        given = self.cleaned_data.items()
        return {name: _read(self.fields[name], value) for name, value in given if name in about}


def _is_alone(about: Option) -> bool:
    return about.values is not None and len(about.values) == 1


def _field(game: Game, name: str, about: Option) -> forms.Field:
    hint = hints_of(game.options)[name]
    if get_origin(hint) is frozenset:
        chosen = [(str(one.value), _one_in_words(about, one)) for one in members_of(game, name)]
        return forms.MultipleChoiceField(choices=chosen, required=False, widget=forms.CheckboxSelectMultiple)
    if about.values is not None:
        return forms.ChoiceField(choices=[(_token(one), _one_in_words(about, one)) for one in about.values])
    if hint == Limit:
        return LimitField(required=False, widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}))
    if about.cents:
        return AmountField(required=not about.null, widget=forms.TextInput(attrs={"inputmode": "decimal"}))
    if hint in (int, int | None):
        return WholeNumber(required=hint is int, min_value=-MOST_OF_A_NUMBER, max_value=MOST_OF_A_NUMBER)
    assert hint in (Fraction, str), f"no field for {hint}"
    return forms.CharField(max_length=40)


def _token(value: object) -> str:
    """A value as the name of a choice."""
    return json.dumps(value.value if isinstance(value, Enum) else value)


def _initial(field: forms.Field, value: object) -> object:
    return _token(value) if type(field) is forms.ChoiceField else value


def _read(field: forms.Field, value: object) -> object:
    return json.loads(str(value)) if type(field) is forms.ChoiceField else value
