"""Templates: laid out as people read them, no text untranslated, nothing that the Content-Security-Policy blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template import TemplateSyntaxError
from django.template.loader import get_template

TRANSLATED = re.compile(r"{%\s*(blocktrans(?:late)?|comment)\b.*?%}.*?{%\s*end\1\s*%}|{#.*?#}", re.DOTALL)
TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
WORD = re.compile(r"[^\W\d_]{2,}")
READ_ALOUD = {"alt", "aria-description", "aria-label", "aria-roledescription", "aria-valuetext", "label"}
READ_ALOUD |= {"placeholder", "title"}
EDGES = re.compile(r"^\W+|\W+$")
NAMES = {"Macau Floor"}
"""What is called the same in every language."""

STATIC = re.compile(r"""{%\s*(?:static|joined_address)\s+((?:["'][^"']+["']\s*)+)""")
QUOTED = re.compile(r"""["']([^"']+)["']""")
PASSED_ON = re.compile(r"{%\s*(?:include|with)\b(.*?)%}", re.DOTALL)
CONSTANT = re.compile(r"""(_\(|\|(?:date|time):)?(["'])(.*?)\2""")
"""Group 1 is there if the constant is translated, or is the format of a date."""

SENTENCE = re.compile(r"[^\W\d_]\s")
LINE_LENGTH = 120
KEPT = re.compile(r"<(pre|script|style|textarea)\b.*?</\1\s*>", re.DOTALL)
"""Elements whose inside is kept as it is."""

WHO = r"(?:\w+\.)*(?:\w+_by|by|player|member|user|visitor|who)"
SHOWN = re.compile(rf"{{{{\s*({WHO})\s*}}}}")
SAID = re.compile(rf"=({WHO})\s")
HEAD = re.compile(r"{%\s*blocktrans(?:late)?\b.*?%}", re.DOTALL)
TITLE = re.compile(r"{%\s*block title\s*%}.*?{%\s*endblock.*?%}", re.DOTALL)
TOTALS = {"outcome.player"}
"""What is called like somebody and is a hand."""

STYLED = re.compile(r"{%\s*block \w*(?:class|attribute)\w*\s*%}.*?{%\s*endblock.*?%}", re.DOTALL)
"""A block that pages fill with names of classes, or with attributes."""


def complaints(folder: Path) -> Iterator[str]:
    """Everything that is wrong with the templates in `folder`."""
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".html", ".svg"}:
            source = file.read_text()
            for line, what in sorted((*layout_complaints(source), *complaints_about(source))):
                yield f"{file}:{line}: {what}"


def missing_files(folder: Path) -> Iterator[str]:
    """Static files that a template names and nobody has: a page with one is an error 500 in the image."""
    for file in sorted(folder.rglob("*.html")):
        named = " ".join(STATIC.findall(file.read_text()))
        for name in sorted(set(QUOTED.findall(named))):
            if finders.find(name) is None:
                yield f"{file}: there is no static file {name}"


def unreadable(folder: Path) -> Iterator[str]:
    """Templates that Django cannot read: a tag that nothing loads is found, else, by whoever opens the page."""
    for file in sorted(folder.rglob("*.html")):
        try:
            get_template(str(file.relative_to(folder)))
        except TemplateSyntaxError as error:
            yield f"{file}: {error}"


def layout_complaints(source: str) -> Iterator[tuple[int, str]]:
    """Lines that are hard to read, and white space that looks as if it meant something. djhtml sees to the rest."""
    kept = {
        line
        for element in KEPT.finditer(source)
        for line in range(source.count("\n", 0, element.start()) + 1, source.count("\n", 0, element.end()) + 1)
    }
    for number, line in enumerate(source.split("\n"), 1):
        if len(line) > LINE_LENGTH:
            yield number, f"{len(line)} characters in a line: break it at {LINE_LENGTH}"
        if "\t" in line:
            yield number, "a tab: indent by two spaces"
        if number not in kept and line != line.rstrip():
            yield number, 'white space at the end of a line means nothing: write {{ " " }} if it is meant'


def complaints_about(source: str) -> list[tuple[int, str]]:
    """Line and complaint, for one template."""
    found = []
    for tag in PASSED_ON.finditer(source):
        for constant in CONSTANT.finditer(tag.group(1)):
            if not constant.group(1) and SENTENCE.search(constant.group(3)):
                line = source.count("\n", 0, tag.start()) + 1
                found.append((line, f"untranslated text passed on: {constant.group(3)!r}"))
    found += _exposed_names(source)
    plain = TAG.sub(_blank, STYLED.sub(_blank, TRANSLATED.sub(_blank, source)))
    reader = _Reader()
    reader.feed(plain)
    reader.close()
    return sorted(found + reader.found)


def _exposed_names(source: str) -> Iterator[tuple[int, str]]:
    """Names of people that may turn what stands beside them round: letters from right to left do."""
    what = "{} is somebody's name: write <bdi>{{{{ … }}}}</bdi>, or |bdi in a sentence"
    shown = TITLE.sub(_blank, TRANSLATED.sub(_blank, source))
    for name in SHOWN.finditer(shown):
        before = shown[: name.start()]
        in_tag = before.rfind("<") > before.rfind(">")
        if not in_tag and not re.search(r"<bdi[^>]*>$", before) and name.group(1) not in TOTALS:
            yield shown.count("\n", 0, name.start()) + 1, what.format(name.group(1))
    for head in HEAD.finditer(source):
        for name in SAID.finditer(head.group()):
            yield source.count("\n", 0, head.start()) + 1, what.format(name.group(1))


def _blank(match: re.Match[str]) -> str:
    """As many lines as there were, so that line numbers stay true."""
    return "\n" * match.group().count("\n")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[int, str]] = []
        self._inside: str | None = None

    def _complain(self, what: str) -> None:
        self.found.append((self.getpos()[0], what))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "style":
            self._complain("inline <style>: the Content-Security-Policy blocks it")
        if tag == "script" and not (given.keys() & {"src"}) and given.get("type") != "application/json":
            self._complain("inline <script>: the Content-Security-Policy blocks it")
        # A glyph in a language of its own, for the eye alone, is a drawing and not a text.
        drawing = "lang" in given and given.get("aria-hidden") == "true"
        self._inside = tag if drawing or tag in {"code", "kbd", "pre", "script", "style"} else None
        for name, value in given.items():
            if name == "style":
                self._complain("style attribute: the Content-Security-Policy blocks it")
            if name.startswith(("on", "hx-on", "hx-vals-js", "data-hx-on")):
                self._complain(f"{name}: inline script, the Content-Security-Policy blocks it")
            if value.strip().lower().startswith(("javascript:", "js:")):
                self._complain(f"{name}={value!r}: inline script")
            if name in READ_ALOUD or (tag == "meta" and name == "content" and given.get("name") == "description"):
                self._words(value, f"untranslated {name}")
            if tag == "input" and name == "value" and given.get("type") in {"submit", "button", "reset"}:
                self._words(value, "untranslated button")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._inside = None

    def handle_endtag(self, tag: str) -> None:
        self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            self._words(data, "untranslated text")

    def _words(self, text: str, what: str) -> None:
        said = " ".join(text.split())
        if WORD.search(said) and EDGES.sub("", said) not in NAMES:
            self._complain(f"{what}: {said!r}")
