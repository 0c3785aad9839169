"""The books of the chips on paper: the table inventory sheet by denomination, slips, and count sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tables.base.rights import Right, may
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT, DENOMINATIONS
from tables.models import FloatCount, Slip, Table
from tables.services.money.wallet import Reason
from tables.services.pit import chip_books
from tables.services.pit.chip_books import MOST_PIECES
from tables.services.pit.floats import InventoryPeriod, inventory_sheet

from .gate import member_of, staff, staff_deed, staff_page
from .number_fields import WholeNumber

COUNTS_SHOWN = 20
"""So many counts of a table are listed."""

# ── By denomination ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Stack:
    """An amount in chips: how many of each denomination, and the cents that no chip is small enough for."""

    pieces: Mapping[int, int]
    rest: int

    @classmethod
    def of(cls, cents: int) -> Stack:
        """The fewest chips, the dearest first, as a dealer stacks them; nothing of a float below zero."""
        left, rest = divmod(max(cents, 0), CREDIT)
        pieces = {}
        for value in DENOMINATIONS:
            pieces[value], left = divmod(left, value)
        return cls(pieces, rest)

    @classmethod
    def of_all(cls, amounts: Iterable[int]) -> Stack:
        """The stacks of these amounts side by side."""
        stacks = [cls.of(cents) for cents in amounts]
        pieces = Counter[int]()
        for stack in stacks:
            pieces.update(stack.pieces)
        return cls(pieces, sum(stack.rest for stack in stacks))

    def lines(self) -> list[tuple[int, int, int]]:
        """Each denomination of which there is any: in cents, how many, and what they come to in cents."""
        return [(value * CREDIT, count, value * CREDIT * count) for value, count in self.pieces.items() if count]


@dataclass(frozen=True, slots=True)
class Page:
    """One time that a table was open, as its sheet has it: with slips, and by denomination."""

    period: InventoryPeriod
    slips: Mapping[int, Slip]
    """By the id of the transfer."""

    @property
    def moved(self) -> list[tuple[object, Slip | None]]:
        """What came to the float and left it outside rounds, each with its slip."""
        return [(moved, self.slips.get(moved.pk)) for moved in self.period.moved]

    @property
    def stacks(self) -> list[Stack]:
        """What it opened with, the fills, the credits, and what it closed with or holds now."""
        sums = {reason: [one.amount for one in self.period.moved if one.reason == reason] for reason in Reason}
        history = self.period.history
        closer = history.counted if self.period.until else history.closing
        return [
            Stack.of(history.opened), Stack.of_all(sums[Reason.FILL]), Stack.of_all(sums[Reason.CREDIT]),
            Stack.of(closer),
        ]  # fmt: skip

    def chips(self) -> list[tuple[int, list[int]]]:
        """For each denomination, in cents, how many of it are in each of these."""
        stacks = self.stacks
        return [(value * CREDIT, [stack.pieces.get(value, 0) for stack in stacks]) for value in DENOMINATIONS]

    def rests(self) -> list[int]:
        """The cents of each for which there is no chip."""
        return [stack.rest for stack in self.stacks]


# ── The inventory sheet ─────────────────────────────────────────────────────────────────────────────────────


@staff_page(Right.WATCH)
def inventory(request: HttpRequest, slug: str) -> HttpResponse:
    """The sheet of a table: what its float has seen each time that it was open, from the ledger alone, with opener,
    closer and slips; and who has counted it."""
    table = get_object_or_404(Table, slug=slug)
    periods = inventory_sheet(table.pk)
    orders = {
        int(moved.key.partition(":")[2]): moved.pk
        for period in periods
        for moved in period.moved
        if moved.reason in (Reason.FILL, Reason.CREDIT)
    }
    slips = {orders[slip.order_id]: slip for slip in Slip.objects.filter(order__in=orders)}
    context = {
        "place": "floor",
        "table": table,
        "pages": [Page(period, slips) for period in periods],
        "counts": FloatCount.objects.filter(table=table).select_related("by")[:COUNTS_SHOWN],
        "counts_floats": table.open and may(member_of(request), Right.COUNT),
    }
    return render(request, "pit/table_inventory.html", context)


# ── Slips ───────────────────────────────────────────────────────────────────────────────────────────────────


@staff_page(Right.WATCH)
def slip(request: HttpRequest, order_id: int) -> HttpResponse:
    """The slip of a fill or a credit that was confirmed, to read: on paper it says that it is no slip."""
    return _slip(request, order_id)


@staff_deed(Right.COUNT)
def print_(request: HttpRequest, order_id: int) -> HttpResponse:
    """Print a slip, or a reprint that says so: the page that comes opens the dialogue of the browser. Whoever loads it
    again prints it again."""
    get_object_or_404(Slip, order=order_id)
    return _slip(request, order_id, printed=chip_books.print_slip(member_of(request), order_id))


def _slip(request: HttpRequest, order_id: int, *, printed: int = 0) -> HttpResponse:
    related = ("order__table", "order__requested_by", "order__decided_by")
    found = get_object_or_404(Slip.objects.select_related(*related), order=order_id)
    context = {
        "place": "chips",
        "slip": found,
        "order": found.order,
        "stack": Stack.of(found.order.amount),
        "printed": printed,
        "prints": may(member_of(request), Right.COUNT),
    }
    return render(request, "pit/slip.html", context)


# ── Counts ──────────────────────────────────────────────────────────────────────────────────────────────────


class CountForm(forms.Form):
    """So many chips of each denomination, the rest, and what explains a difference."""

    rest = WholeNumber(
        label=gettext_lazy("Rest, in hundredths of a credit"), min_value=0, max_value=CREDIT - 1, required=False,
        help_text=gettext_lazy("What is less than the smallest chip: commission leaves it."),
    )  # fmt: skip
    why = forms.CharField(
        label=gettext_lazy("Why"), max_length=500, required=False,
        help_text=gettext_lazy("Only if it is not what the ledger says."),
    )  # fmt: skip

    def __init__(self, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        for value in DENOMINATIONS:
            label = _("Chips of %(value)s") % {"value": f"{value:,}"}
            self.fields[f"of_{value}"] = WholeNumber(label=label, min_value=0, max_value=MOST_PIECES, required=False)
        self.order_fields([*(f"of_{value}" for value in DENOMINATIONS), "rest", "why"])

    @property
    def chips(self) -> dict[int, int]:
        """Denomination in credits -> how many were counted."""
        return {value: self.cleaned_data[f"of_{value}"] or 0 for value in DENOMINATIONS}


@staff(Right.COUNT)
@require_http_methods(["GET", "POST"])
def count(request: HttpRequest, slug: str) -> HttpResponse:
    """Count the float of a table chip by chip."""
    table = get_object_or_404(Table, slug=slug)
    form = CountForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        said = form.cleaned_data
        try:
            done = chip_books.count_float(member_of(request), table.pk, form.chips, said["rest"] or 0, said["why"])
        except Refused as refusal:
            form.add_error(None, text_of(refusal.words))
        else:
            return redirect("pit_count_sheet", done.pk)
    status = 400 if request.method == "POST" else 200
    return render(request, "pit/count.html", {"place": "floor", "table": table, "form": form}, status=status)


@staff_page(Right.WATCH)
def count_sheet(request: HttpRequest, count_id: int) -> HttpResponse:
    """The sheet of a count, with what differs from the ledger, for two to sign."""
    found = get_object_or_404(FloatCount.objects.select_related("table", "by"), pk=count_id)
    stack = Stack({int(value): pieces for value, pieces in found.chips.items()}, found.rest)
    return render(request, "pit/count_sheet.html", {"place": "floor", "count": found, "stack": stack})
