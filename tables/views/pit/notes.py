"""Notes of the staff: the incident log, and bookmarks at the steps of rounds."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.base.rights import Right, may
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.models import PitNote, Table
from tables.services.pit import notes
from tables.services.pit.notes import LONGEST_NOTE

from .gate import member_of, onward, staff_deed, staff_page
from .number_fields import MOST_ID, WholeNumber

SHOWN = 100
"""So many notes are listed, the latest of them."""


class NoteForm(forms.Form):
    """A note, and what it is about."""

    text = forms.CharField(
        label=gettext_lazy("Note"), max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3})
    )
    table = forms.ModelChoiceField(
        Table.objects.order_by("position", "pk"), label=gettext_lazy("Table"), required=False, to_field_name="slug",
        empty_label="–",
    )  # fmt: skip
    round = WholeNumber(
        label=gettext_lazy("Round"), required=False, min_value=1, max_value=MOST_ID,
        help_text=gettext_lazy("Its id, if it is about one."),
    )  # fmt: skip
    player = WholeNumber(label=gettext_lazy("Player number"), required=False, min_value=1, max_value=MOST_ID)
    seq = WholeNumber(required=False, min_value=0, max_value=MOST_ID, widget=forms.HiddenInput)


class FindForm(forms.Form):
    """Which notes are listed."""

    use_required_attribute = False

    q = forms.CharField(label=gettext_lazy("In the text"), required=False, max_length=60)
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"), required=False, choices=[("", gettext_lazy("all")), *PitNote.Kind.choices]
    )
    table = forms.ModelChoiceField(
        Table.objects.order_by("position", "pk"), label=gettext_lazy("Table"), required=False, to_field_name="slug",
        empty_label=gettext_lazy("all"),
    )  # fmt: skip
    player = WholeNumber(label=gettext_lazy("Player number"), required=False, min_value=1, max_value=MOST_ID)

    def notes(self) -> QuerySet[PitNote]:
        """The notes that are asked for, the latest first; all of them if that makes no sense."""
        said = self.cleaned_data if self.is_valid() else {}
        wanted = Q()
        if said.get("q"):
            wanted &= Q(text__icontains=said["q"])
        for name in ("kind", "table", "player"):
            if said.get(name):
                wanted &= Q(**{name: said[name]})
        return all_notes().filter(wanted)


def all_notes() -> QuerySet[PitNote]:
    """All notes, the latest first, with what they are about."""
    return PitNote.objects.select_related("table", "log", "player", "by")


@staff_page(Right.WATCH)
def incidents(request: HttpRequest) -> HttpResponse:
    """The notes and bookmarks of the staff, the latest first."""
    find, by = FindForm(request.GET.dict()), member_of(request)
    form = NoteForm(initial={name: request.GET.get(name, "") for name in ("table", "player")})
    context = {
        "place": "people",
        "find": find,
        "notes": find.notes()[:SHOWN],
        "form": form if may(by, Right.NOTE) else None,
        "most": SHOWN,
    }
    return render(request, "pit/notes.html", context)


@staff_deed(Right.NOTE)
def write(request: HttpRequest) -> HttpResponse:
    """Write a note or a bookmark; then go back to the page before."""
    form = NoteForm(request.POST)
    if not form.is_valid():
        for field, faults in form.errors.items():
            label = form.fields[field].label or field
            messages.error(request, f"{label}: {' '.join(map(str, faults))}")
    else:
        said = form.cleaned_data
        try:
            notes.write(
                member_of(request), said["text"], table=said["table"].pk if said["table"] else None,
                log=said["round"], seq=said["seq"], player=said["player"],
            )  # fmt: skip
        except Refused as refusal:
            messages.error(request, text_of(refusal.words))
        else:
            messages.success(request, _("The note is written."))
    return HttpResponseRedirect(onward(request, request.POST.get("next", "")))
