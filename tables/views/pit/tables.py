"""A table's life: opened, filled and credited, paced, paused, closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tables.base.rights import Right, may
from tables.base.timetable import Times
from tables.felt.formatting import article_of, credits_of, sentence, text_of
from tables.games import GAMES
from tables.games.contract.errors import OptionError, Refused
from tables.games.contract.game import Game
from tables.games.shared.limits import with_maximum
from tables.games.shared.options import options_of
from tables.games.values.money import CREDIT
from tables.games.values.words import Words, say
from tables.models import Account, ChipOrder, Jackpot, Player, Realm, Table
from tables.pit import stakes
from tables.services.pit import lifecycle, options
from tables.services.pit.authorisations import alternatives_of, on_record
from tables.services.pit.deeds import ClosingAtOnce, Opening, Reopening
from tables.services.pit.floats import confirm_chips, order_chips, refuse_chips, waiting_orders
from tables.services.pit.locked_table import MOST

from .approvals import do_or_ask, with_fresh_code
from .floor import page_of_table
from .gate import do_and_say, member_of, onward, staff, staff_deed, staff_page
from .number_fields import WholeNumber, cents_in, milliseconds
from .option_forms import Authorised, alternatives_in_words, authorised_in_words, called

LARGE_FLOAT = "a large float"
"""Why a second person is asked as a table is opened, in the records."""

ORDERS_SHOWN = 50
"""So many decided orders are shown under those that wait."""


PLAYED_WITH = (
    (Realm.FLOOR.value, gettext_lazy("players' own chips")),
    (Realm.KIOSKS.value, gettext_lazy("demo credits, at kiosks")),
)
"""Whose money it is, in words."""


# ── Opening ─────────────────────────────────────────────────────────────────────────────────────────────────


class NewTable(forms.Form):
    """A table that is to be opened: with the defaults of its game, or with the options of another table."""

    realm = forms.ChoiceField(
        label=gettext_lazy("Played with"), choices=PLAYED_WITH, required=False, initial=Realm.FLOOR.value,
        help_text=gettext_lazy("For good: the two never mix."),
    )  # fmt: skip
    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    slug = forms.SlugField(label=gettext_lazy("Name in its address"), max_length=40)
    game = forms.ChoiceField(label=gettext_lazy("Game"))
    like = forms.ModelChoiceField(
        Table.objects.all(), label=gettext_lazy("Options and times"), to_field_name="slug", required=False,
        empty_label=gettext_lazy("The defaults of the game"),
        help_text=gettext_lazy("Those of another table of this game, or the defaults."),
    )  # fmt: skip
    most = WholeNumber(
        label=gettext_lazy("Maximum of a bet"), min_value=1, max_value=MOST // CREDIT, initial=1_000, required=False,
        help_text=gettext_lazy("In credits, for each bet that has none of its own: a table limits every bet."),
    )  # fmt: skip
    float = WholeNumber(
        label=gettext_lazy("Float"), min_value=1, max_value=MOST // CREDIT,
        help_text=gettext_lazy("In credits, from the house."),
    )  # fmt: skip
    position = WholeNumber(label=gettext_lazy("Place in the lobby"), min_value=0, max_value=9_999, initial=0)
    jackpot = forms.ModelChoiceField(
        Jackpot.objects.all(), label=gettext_lazy("Jackpot"), to_field_name="slug", required=False,
        empty_label=gettext_lazy("None, or one of its own"),
    )  # fmt: skip

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.fields["game"].choices = [(slug, text_of(game.title)) for slug, game in GAMES.items()]  # type: ignore[attr-defined]

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug == "new":  # the address of the page that opens one
            raise forms.ValidationError(_("A table cannot have this name."))
        return slug

    def clean(self) -> dict[str, object]:
        given = super().clean() or {}
        given["realm"] = Realm(int(given.get("realm") or Realm.FLOOR))
        like = given.get("like")
        if like is not None and like.game != given.get("game"):
            self.add_error("like", _("That table plays another game."))
        jackpot = given.get("jackpot")
        if jackpot is not None and jackpot.realm != given.get("realm"):
            self.add_error("jackpot", _("This jackpot holds another kind of money."))
        return given


@staff(Right.RUN_TABLES)
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Open a table."""
    form = NewTable(request.POST or None)
    if form.is_valid():
        given = form.cleaned_data
        like: Table | None = given["like"]
        game = GAMES[given["game"]]
        chosen = _options_like(like) if like else {}
        opening = Opening(
            given["slug"], given["name"], given["game"],
            with_maximum(game, chosen, given["most"] * CREDIT) if given["most"] else chosen,
            times={name: ms for name, ms in like.times.items() if name in _PACE} if like else None,
            float_cents=given["float"] * CREDIT,
            position=given["position"],
            jackpot=given["jackpot"].slug if given["jackpot"] else None,
            realm=given["realm"].value,
        )  # fmt: skip
        try:
            asked = do_or_ask(member_of(request), opening, LARGE_FLOAT)
        except Refused as refusal:
            known = game.articles.get(refusal.article)
            cited = f" ({article_of(refusal.article, known)})" if known is not None else ""
            form.add_error(None, called(game, text_of(refusal.words)) + cited)
        else:
            messages.success(request, text_of(asked) or _("%(table)s is open.") % {"table": opening.name})
            return redirect("pit") if asked.text else redirect("pit_table", opening.slug)
    return render(request, "pit/table_new.html", {"form": form, "place": "floor", "games": _may_open()})


def _may_open() -> list[tuple[Game, list[Authorised], list[tuple[Table, list[Authorised]]]]]:
    """Each game with alternatives: those on record, and the tables whose options no other table may open with."""
    found = []
    for slug, game in GAMES.items():
        if any(about.authorised for about in options_of(game.options).values()):
            given = [words for one in on_record(slug) for words in authorised_in_words(game, one.options, one)]
            lacking = [
                (table, alternatives_in_words(game, missing))
                for table in Table.objects.filter(game=slug).order_by("position")
                if (missing := [one for one in alternatives_of(slug, table.options) if one.by is None])
            ]
            found.append((game, given, lacking))
    return found


def _options_like(table: Table) -> dict[str, object]:
    """The options of another table; of one that plays the edition in force, whichever edition that is."""
    return {name: value for name, value in table.options.items() if name != "edition" or not table.edition_in_force}


_PACE = {field.name for field in fields(Times)}


# ── Deeds ───────────────────────────────────────────────────────────────────────────────────────────────────


def _done(request: HttpRequest, slug: str, deed: Callable[[], object], words: Words, form: str = "") -> HttpResponse:
    """Do it and say so on the page of the table, or on the one that `next` names; or say on the table's why not, and
    leave in `form` what was typed into it.

    A deed that a second person has been asked for instead returns what to say of that.
    """
    try:
        asked = deed()
    except Refused as refusal:
        game = GAMES[Table.objects.values_list("game", flat=True).get(slug=slug)]
        return _refused(request, slug, called(game, text_of(refusal.words)), form)
    messages.success(request, text_of(asked if isinstance(asked, Words) and asked.text else words))
    wanted = request.POST.get("next", "")
    return redirect(onward(request, wanted)) if wanted else redirect("pit_table", slug)


def _refused(request: HttpRequest, slug: str, words: str, form: str) -> HttpResponse:
    messages.error(request, words)
    return page_of_table(request, slug, refused=form) if form else redirect("pit_table", slug)


def _why(request: HttpRequest) -> str:
    return request.POST.get("why", "")[:500]


def _cents(request: HttpRequest, name: str) -> int:
    """Whole credits of a form, in cents; 0 for what is none, which every deed refuses."""
    given = request.POST.get(name, "").strip()
    return int(given) * CREDIT if given.isascii() and given.isdigit() and len(given) < 13 else 0


@staff_deed(Right.RUN_TABLES)
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a closed table again."""
    table = get_object_or_404(Table, slug=slug)
    reopening = Reopening(table.pk, _cents(request, "float"))
    deed = lambda: do_or_ask(member_of(request), reopening, LARGE_FLOAT)  # noqa: E731
    return _done(request, slug, deed, say("The table is open."), "reopen")


@staff_deed(Right.RUN_TABLES)
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    """No round is begun from now on."""
    table = get_object_or_404(Table, slug=slug)
    deed = lambda: lifecycle.pause(member_of(request), table.pk, _why(request))  # noqa: E731
    return _done(request, slug, deed, say("The table pauses."))


@staff_deed(Right.RUN_TABLES)
def resume(request: HttpRequest, slug: str) -> HttpResponse:
    """Rounds are begun again."""
    table = get_object_or_404(Table, slug=slug)
    return _done(request, slug, lambda: lifecycle.resume(member_of(request), table.pk), say("The table resumes."))


@staff_deed(Right.RUN_TABLES)
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close after the round, at the end of the shoe, or at once."""
    table, by, why = get_object_or_404(Table, slug=slug), member_of(request), _why(request)
    when = request.POST.get("when", "")
    if when == "now":
        deed = lambda: do_or_ask(by, ClosingAtOnce(table.pk), why)  # noqa: E731
        return _done(request, slug, deed, say("The table closes now."), "close")
    return _done(request, slug, lambda: lifecycle.close(by, table.pk, when, why), say("The table is going to close."))


@staff_deed(Right.RUN_TABLES)
def change_cards(request: HttpRequest, slug: str) -> HttpResponse:
    """Fresh cards after the round."""
    table = get_object_or_404(Table, slug=slug)
    deed = lambda: lifecycle.change_cards(member_of(request), table.pk, _why(request))  # noqa: E731
    return _done(request, slug, deed, say("The next round is dealt from fresh cards."))


@staff_deed(Right.RUN_TABLES)
def limits(request: HttpRequest, slug: str) -> HttpResponse:
    """Set limits and times for the next round on."""
    table = get_object_or_404(Table, slug=slug)
    try:
        given, times = _limits_of(request, table), _times_of(request)
    except ValueError:
        words = _("A limit is a whole number of credits, a time a number of seconds.")
        return _refused(request, slug, words, "limits")
    if "sure" not in request.POST and (warnings := _warnings(table, given)):
        return _refused(request, slug, warnings, "limits")
    deed = lambda: lifecycle.set_limits(member_of(request), table.pk, given, times, _why(request))  # noqa: E731
    return _done(request, slug, deed, say("This takes effect with the next round."), "limits")


def _warnings(table: Table, given: Mapping[str, object]) -> str:
    """What looks like a slip if the limits of a table become these; empty if nothing does."""
    account = Account.objects.get(kind=Account.Kind.FLOAT, table=table)
    after = {**table.options, **given}
    try:
        found = list(stakes.implausible(table.game, table.options, after, account.balance if table.open else None))
    except OptionError:
        return ""  # what cannot be is refused with its reason
    return " ".join(sentence(text_of(words)) for words in found)


@staff_deed(Right.RUN_TABLES)
def thresholds(request: HttpRequest, slug: str) -> HttpResponse:
    """Say which stakes and wins of a bettor alert the pit; what is left empty alerts nobody."""
    table, by = get_object_or_404(Table, slug=slug), member_of(request)
    try:
        bet, win = (cents_in(request.POST.get(name, "")) for name in ("big_bet", "big_win"))
    except ValueError:
        return _refused(request, slug, _("An amount is a whole number of credits."), "thresholds")
    deed = partial(lifecycle.set_thresholds, by, table.pk, bet, win)
    return _done(request, slug, deed, say("The alerts of this table are changed."), "thresholds")


@staff_deed(Right.RUN_TABLES)
def at_once(request: HttpRequest, slug: str) -> HttpResponse:
    """Lower a number that the director of the room lowers, or raise it again."""
    table, by = get_object_or_404(Table, slug=slug), member_of(request)
    name, number = request.POST.get("option", ""), request.POST.get("number", "")
    to = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
    deed = lambda: options.set_at_once(by, table.pk, name, to, _why(request))  # noqa: E731
    return _done(request, slug, deed, say("This takes effect with the next round."))


def _limits_of(request: HttpRequest, table: Table) -> dict[str, object]:
    """The limits of the form, as options. An empty one limits nothing. Raises ValueError."""
    about = options_of(GAMES[table.game].options)
    given: dict[str, object] = {}
    for name in lifecycle.LIMITS:
        if name not in about or about[name].authorised:
            continue
        now = table.options.get(name)
        if isinstance(now, dict) and now:
            amounts = {spot: cents_in(request.POST.get(f"{name}.{spot}", "")) for spot in now}
            given[name] = {spot: amount for spot, amount in amounts.items() if amount is not None}
        else:
            amount = cents_in(request.POST.get(name, ""))
            given[name] = {} if amount is None else amount
    return given


def _times_of(request: HttpRequest) -> dict[str, int]:
    """The times of the form, which are seconds, in milliseconds; those left empty are by default. Raises ValueError."""
    given = {name: request.POST.get(f"time.{name}", "").strip() for name in _PACE}
    return {name: milliseconds(text) for name, text in sorted(given.items()) if text}


# ── Chips ───────────────────────────────────────────────────────────────────────────────────────────────────


@staff_page(Right.WATCH)
def chips(request: HttpRequest) -> HttpResponse:
    """The fills and credits that wait for a second person, and the last that were decided."""
    by = member_of(request)
    decided = ChipOrder.objects.exclude(state=ChipOrder.State.REQUESTED).order_by("-decided_at", "-pk")
    context = {
        "place": "chips",
        "waiting": waiting_orders(),
        "decided": decided.select_related("table", "requested_by", "decided_by", "slip")[:ORDERS_SHOWN],
        "confirms": may(by, Right.CONFIRM_CHIPS),
        "asks": may(by, Right.ORDER_CHIPS),
    }
    return render(request, "pit/chips.html", context)


@staff_deed(Right.ORDER_CHIPS)
def order(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a fill or a credit."""
    table, by = get_object_or_404(Table, slug=slug), member_of(request)
    kind, cents, why = request.POST.get("kind", ""), _cents(request, "credits"), _why(request)
    deed = lambda: order_chips(by, table.pk, kind, cents, why)  # noqa: E731
    return _done(request, slug, deed, say("Requested. A second person must confirm it."), "chips")


@sensitive_post_parameters("code")
@staff_deed(Right.CONFIRM_CHIPS)
def confirm(request: HttpRequest, order_id: int) -> HttpResponse:
    """Confirm what somebody else asked for, with a code that has not been used yet."""
    order = get_object_or_404(ChipOrder.objects.select_related("table"), pk=order_id)
    deed = partial(confirm_chips, member_of(request), order_id)
    filled = order.kind == ChipOrder.Kind.FILL
    done = _("Fill completed: %(chips)s to %(table)s.") if filled else _("Credit completed: %(chips)s from %(table)s.")
    said = done % {"chips": credits_of(order.amount), "table": order.table.name}
    return with_fresh_code(request, deed, said, "pit_chips")


@staff_deed(Right.CONFIRM_CHIPS)
def refuse(request: HttpRequest, order_id: int) -> HttpResponse:
    """Refuse what somebody else asked for."""
    return _not_moved(request, order_id, say("Nothing moves: the order is refused."))


@staff_deed(Right.ORDER_CHIPS)
def take_back(request: HttpRequest, order_id: int) -> HttpResponse:
    """Take back what one has asked for oneself."""
    return _not_moved(request, order_id, say("The order is taken back."))


def _not_moved(request: HttpRequest, order_id: int, words: Words) -> HttpResponse:
    return _decided(request, order_id, partial(refuse_chips, why=_why(request)), words)


def _decided(request: HttpRequest, order_id: int, deed: Callable[[Player, int], object], words: Words) -> HttpResponse:
    get_object_or_404(ChipOrder, pk=order_id)
    page = "pit_approvals" if "approvals" in request.POST else "pit_chips"
    return do_and_say(request, partial(deed, member_of(request), order_id), text_of(words), page)
