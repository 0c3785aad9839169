"""Templates without the white space that only people need.

A template is written one element a line, indented. What it renders goes to every socket, so the loader takes the line
breaks out, once, when it reads the file. The rule:

1. Beside a tag (`<…>`, `{% … %}`, `{{ … }}`, a comment) a line break is nothing. The white space around it goes too.
2. Between two words a line break is one space.
3. Inside the tag of an element, and inside its quotes, a line break is one space before what follows, in each branch
   of an `{% if %}`. At the start and the end of a value, and before `>`, it is nothing.
4. A space within a line stays. `{{ " " }}` is a space that may stand at the end of a line, or on one of its own.
5. The inside of `<pre>`, `<script>`, `<style>`, `<textarea>` and `{% blocktranslate %}` stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from django.template import Origin
from django.template.loaders import filesystem

TOKEN = re.compile(
    r"""
      (?P<line_break>[ \t]*\n\s*)
    | (?P<space>[ \t]+)
    | (?P<meant>{{[ ]"[ ]"[ ]}})
    | (?P<whole>{%\s*(?P<verbatim>blocktrans(?:late)?|verbatim)\b.*?{%\s*end(?P=verbatim)\s*%}|{{.*?}})
    | (?P<comment>{%\s*comment\b.*?{%\s*endcomment\s*%}|{\#[^\n]*?\#}|<!--.*?-->)
    | (?P<django>{%\s*(?P<name>\w+).*?%})
    | (?P<begin></?(?P<element>[a-zA-Z][\w-]*)|<!)
    | (?P<end>/?>)
    | (?P<quote>["'])
    | (?P<text>[^\s<>{"'/]+|.)
    """,
    re.DOTALL | re.VERBOSE,
)
OPEN = {"if", "for", "with", "ifchanged"}
BRANCH = {"elif", "else", "empty"}
KEPT = {"pre", "script", "style", "textarea"}


class Loader(filesystem.Loader):
    """Loads the pages and fragments of the house. Text files (mail) stay as they are written."""

    def get_contents(self, origin: Origin) -> str:
        source = super().get_contents(origin)
        return without_layout(source) if str(origin.name).endswith(".html") else source


def without_layout(source: str) -> str:
    """The template without the white space that is there for people."""
    return _Reader().read(source)


@dataclass
class _Reader:
    out: list[str] = field(default_factory=list)
    waiting: bool = False
    """A line break has been read, and what follows decides whether it means anything."""
    after_word: bool = False
    """The last thing read between the elements was a word, not a tag."""
    element: str = ""
    """The element in whose tag we are."""
    quote: str = ""
    """The quotation mark that ends the value in which we are."""
    fresh: bool = False
    """Nothing has been written in that value yet."""
    before: list[tuple[bool, bool]] = field(default_factory=list)
    """`waiting` and `fresh` as they were before each `{% if %}` in which we are: every branch begins so."""

    def read(self, source: str) -> str:
        place = 0
        while found := TOKEN.match(source, place):
            place = found.end()
            if not (element := self.element):
                self._between_tags(found)
                continue
            self._in_tag(found)
            if not self.element and element[1:].lower() in KEPT:
                end = source.find(f"</{element[1:]}", place)
                self.out.append(source[place:end])
                place = end
        return "".join(self.out)

    def _between_tags(self, found: re.Match[str]) -> None:
        kind = found.lastgroup
        if kind == "line_break":
            self.waiting = True
            return
        word = kind in {"end", "quote", "text"}
        if self.waiting and word and self.after_word:
            self.out.append(" ")
        self.waiting = False
        if kind != "space":
            self.after_word = word
        self.out.append(" " if kind == "meant" else found.group())
        if kind == "begin":
            self.element = found.group()

    def _in_tag(self, found: re.Match[str]) -> None:
        kind, token = found.lastgroup, found.group()
        if kind == "line_break":
            self.waiting = not self.fresh
            return
        if kind == "end" and not self.quote:
            self.waiting, self.element, self.after_word = False, "", False
        elif kind == "quote" and token == self.quote:
            self.waiting, self.quote, self.fresh = False, "", False
        elif kind == "django" and self._decides(found["name"]):
            pass
        elif kind != "comment":
            if self.waiting and kind not in {"space", "meant"}:
                self.out.append(" ")
            self.waiting = self.fresh = False
            if kind == "quote" and not self.quote:
                self.quote, self.fresh = token, True
        self.out.append(" " if kind == "meant" else token)

    def _decides(self, name: str) -> bool:
        """Whether this template tag only decides what is rendered; a line break waits on behind it."""
        if name in OPEN:
            self.before.append((self.waiting, self.fresh))
        elif name in BRANCH and self.before:
            waiting, self.fresh = self.before[-1]
            self.waiting = self.waiting or waiting
        elif name.startswith("end") and self.before:
            self.before.pop()
        else:
            return False
        return True
