"""The message catalogues in `locale/`, with Babel alone: nobody needs GNU gettext installed.

`manage.py makemessages` brings the .po files up to date with the code, `compilemessages` makes the .mo files
that Django reads. Those are not kept in the repository; whoever starts the house or its tests compiles what
is stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile

from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

LOCALES = {"zh_Hant": "zh_Hant", "pt": "pt"}
"""Folder in `locale/` -> what Babel calls the language (for its plural forms). English has none: it is in the code."""

PYTHON_KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "say": None,  # tables.games.values.words: the pure rules
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
PYTHON_ROOTS = ("casino", "tables")
TEMPLATE_ROOTS = ("templates",)
SKIPPED = ("migrations", "checks", "__pycache__")

Found = tuple[str, int, str | tuple[str, ...], list[str], str | None]
"""File, line, message (or its plural forms), comments for translators, context."""


def po_path(locale: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / locale / "LC_MESSAGES" / "django.po"


# ── What the code says ──────────────────────────────────────────────────────────────────────────────────────


def messages_of_the_code() -> Catalog:
    """Everything that is marked for translation in Python and in templates."""
    catalog = Catalog(charset="utf-8")
    base = Path(settings.BASE_DIR)
    for file in sorted(_files(base, PYTHON_ROOTS, (".py",))):
        _collect(catalog, base, file, file.read_bytes())
    for file in sorted(_files(base, TEMPLATE_ROOTS, (".html", ".txt", ".svg"))):
        # Django turns a template into something like Python, line for line; what is left of the text is X.
        source = templatize(file.read_text(), origin=str(file))
        unindented = "\n".join(line.lstrip() for line in source.split("\n"))
        _collect(catalog, base, file, unindented.encode())
    return catalog


def _files(base: Path, roots: Iterable[str], endings: tuple[str, ...]) -> Iterator[Path]:
    for root in roots:
        for file in (base / root).rglob("*"):
            if file.suffix in endings and not set(SKIPPED) & set(file.relative_to(base).parts):
                yield file


def _collect(catalog: Catalog, base: Path, file: Path, source: bytes) -> None:
    name = str(file.relative_to(base))
    for line, message, comments, context in extract(
        "python", BytesIO(source), keywords=PYTHON_KEYWORDS, comment_tags=("Translators:",)
    ):
        catalog.add(
            message,
            locations=[(name, line)],
            auto_comments=comments,
            context=context,
            flags=("python-format",) if "%(" in str(message) else (),
        )


# ── The catalogues ──────────────────────────────────────────────────────────────────────────────────────────


def read(locale: str) -> Catalog:
    """The catalogue as it is kept; an empty one if there is none yet."""
    path = po_path(locale)
    if not path.exists():
        return Catalog(locale=LOCALES[locale], charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=LOCALES[locale], abort_invalid=True)


def updated(locale: str, template: Catalog) -> str:
    """The text of the catalogue once it has exactly the messages of `template`.

    Nothing is guessed: a new message is left untranslated, not filled with the translation of one like it.
    """
    kept = read(locale)
    fresh = Catalog(locale=LOCALES[locale], charset="utf-8", fuzzy=False)
    for message in template:
        if not message.id:
            continue
        before = kept.get(message.id, message.context)
        fresh.add(
            message.id,
            before.string if before else _untranslated(message, fresh.num_plurals),
            # No line numbers: they would change with every commit.
            locations=[(name, 0) for name in sorted({name for name, _line in message.locations})],
            flags=(message.flags | (before.flags & {"fuzzy"} if before else set())),
            auto_comments=message.auto_comments,
            user_comments=before.user_comments if before else (),
            context=message.context,
        )
    out = BytesIO()
    write_po(out, fresh, width=100, sort_by_file=True, omit_header=True, include_lineno=False)
    return _header(fresh) + out.getvalue().decode()


def _untranslated(message: Message, plurals: int) -> str | tuple[str, ...]:
    return "" if isinstance(message.id, str) else ("",) * plurals


def _header(catalog: Catalog) -> str:
    """Without dates: they would differ in every branch."""
    return (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {catalog.locale_identifier}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {catalog.plural_forms}\\n"\n\n'
    )


def compile_stale() -> list[Path]:
    """Makes every .mo file that is missing or older than its .po file. Gives those that were made."""
    made = []
    for locale in LOCALES:
        source = po_path(locale)
        target = source.with_suffix(".mo")
        if not source.exists():
            continue
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        out = BytesIO()
        write_mo(out, read(locale))
        with NamedTemporaryFile(dir=target.parent, prefix="django.mo.", delete=False) as draft:  # others compile too
            draft.write(out.getvalue())
        Path(draft.name).chmod(0o644)
        Path(draft.name).replace(target)
        made.append(target)
    return made


# ── What is wrong with them ─────────────────────────────────────────────────────────────────────────────────

_PLACE = re.compile(r"%\((\w+)\)[sd]")
_FULL_WIDTH = set("，：；。、")


def complaints(locale: str, template: Catalog) -> Iterator[str]:
    """What keeps this catalogue from being complete.

    A message that is missing, untranslated, fuzzy, no longer used, or whose places are not the original's.
    """
    catalog = read(locale)
    for message in template:
        if not message.id:
            continue
        where = message.locations[0][0] if message.locations else "?"
        kept = catalog.get(message.id, message.context)
        said = _forms(kept.string) if kept else ()
        original = _forms(message.id)
        if kept is None:
            yield f"{locale}: missing: {original[0]!r} ({where}); run `make messages`"
        elif not said or not all(said):
            yield f"{locale}: untranslated: {original[0]!r} ({where})"
        elif kept.fuzzy:
            yield f"{locale}: fuzzy: {original[0]!r} ({where})"
        else:
            wanted = {place for form in original for place in _PLACE.findall(form)}
            for form in said:
                if wrong := set(_PLACE.findall(form)) - wanted:
                    yield f"{locale}: no such place {sorted(wrong)} in {original[0]!r}"
            if missing := wanted - {place for form in said for place in _PLACE.findall(form)}:
                yield f"{locale}: place {sorted(missing)} left out of {original[0]!r}"
            # a full-width mark has its space in itself
            spaced = [form for form in said if form not in _FULL_WIDTH]
            if any((form != form.strip()) != (original[0] != original[0].strip()) for form in spaced):
                yield f"{locale}: spaces at the ends differ in {original[0]!r}"
    for message in catalog:
        if message.id and template.get(message.id, message.context) is None:
            yield f"{locale}: no longer used: {_forms(message.id)[0]!r}; run `make messages`"


def _forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())
