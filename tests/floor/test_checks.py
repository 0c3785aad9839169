"""The checks of `make check` find what they are for, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages import Catalog

from casino import catalogues
from casino.checks import documents, ledger, scripts, sheets, sizes, templates, words


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("<p>Place your bets</p>", "untranslated text"),
        ("<p>\n\n{{ name }} wins</p>", "untranslated text"),
        ('<img alt="A card">', "untranslated alt"),
        ('<button aria-label="Close">{% icon "x" %}</button>', "untranslated aria-label"),
        ('<input type="submit" value="Send">', "untranslated button"),
        ('<meta name="description" content="A casino">', "untranslated content"),
        ('{% include "x.html" with text="Bets are closed" %}', "passed on"),
        ("<style>p { color: red }</style>", "<style>"),
        ("<script>go()</script>", "<script>"),
        ('<p style="color:red"></p>', "style attribute"),
        ('<p onclick="go()"></p>', "onclick"),
        ('<p hx-on:click="go()"></p>', "hx-on:click"),
        ('<a href="javascript:go()"></a>', "inline script"),
        ("<p>下注</p>", "untranslated text"),
        ("<td>{{ order.requested_by }}</td>", "somebody's name"),
        ("{% blocktranslate with who=one.who at=now %}{{ who }}, {{ at }}{% endblocktranslate %}", "somebody's name"),
    ],
)
def test_a_template_that_is_wrong_is_found(source: str, complaint: str) -> None:
    assert [what for _, what in templates.complaints_about(source) if complaint in what]


@pytest.mark.parametrize(
    "source",
    [
        '<p>{% translate "Place your bets" %}</p>',
        "<p>{% blocktranslate with n=3 %}Seat {{ n }} is yours{% endblocktranslate %}</p>",
        "{# a remark #}{% comment %}Another remark{% endcomment %}",
        "<h1>Macau Floor</h1><p>10 × {{ amount|credits }} — 3:1</p>",
        '<input type="text" value="{{ name }}" placeholder="{% translate "Name" %}">',
        '{% include "components/_card.html" with size="large" glyph="閒" text=_("Bets are closed") %}',
        '{% with filed=change.filed|date:"D Y-m-d" %}{{ filed }}{% endwith %}',
        '<script src="{% static "js/live.js" %}" defer></script>',
        '<script type="application/json" id="spots">{{ spots }}</script>',
        '<span lang="zh-Hant" aria-hidden="true">{% if won %}莊{% else %}閒{% endif %}</span>',
        "{% block body_class %}at-table{% endblock %}",
        '<td data-by="{{ stake.by }}"><bdi class="name">{{ event.by }}</bdi></td>',
        "{% blocktranslate with who=one.by|bdi %}{{ who }}{% endblocktranslate %}",
        '<p class="wide" data-text="whatever" title="{% translate "Odds" %}"></p>',
    ],
)
def test_a_template_that_is_good_is_left_alone(source: str) -> None:
    assert templates.complaints_about(source) == []


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (f"<p>\n  {'a' * 119}\n</p>\n", (2, "121 characters")),
        ("<p>\n\ta\n</p>\n", (2, "a tab")),
        ("<b>a</b> \n<i>b</i>\n", (1, "white space at the end")),
        ("<pre>\na \n</pre> \n", (3, "white space at the end")),
    ],
)
def test_a_template_that_is_hard_to_read_is_found(source: str, complaint: tuple[int, str]) -> None:
    found = list(templates.layout_complaints(source))
    assert [(line, complaint[1] in what) for line, what in found] == [(complaint[0], True)]


def test_a_template_that_is_easy_to_read_is_left_alone() -> None:
    source = f"<p>\n  {'a' * 118}\n</p>\n\n<pre>\na \n  b\n</pre>\n"
    assert list(templates.layout_complaints(source)) == []


def test_a_complaint_names_its_line() -> None:
    source = "{% comment %}\nremark\n{% endcomment %}\n<p>\n{{ name }}</p>\n<b>Wrong</b>"
    assert templates.complaints_about(source) == [(6, "untranslated text: 'Wrong'")]


def test_a_static_file_that_is_not_there_is_found(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        "{% static 'django_htmx/htmx-2.min.js' %} {% static \"css/gone.css\" %}"
        '{% joined_address "js/fly.js" "js/gone.js" %}'
    )
    found = list(templates.missing_files(tmp_path))
    assert [one.rpartition(" ")[2] for one in found] == ["css/gone.css", "js/gone.js"]


def test_scripts_neither_speak_nor_make_markup(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text(
        "// @ts-check\na.textContent = 'Connected';\nb.innerHTML = x;\neval('1');\n"
        "c.textContent = node.dataset.words;\nsetTimeout(tick, 10);\nd.title = '';\n"
    )
    lines = [complaint.split(":")[1] for complaint in scripts.complaints(tmp_path)]
    assert lines == ["2", "3", "4"]


def test_a_script_whose_types_are_not_checked_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("// @ts-check\ntick();\n")
    (tmp_path / "b.js").write_text("tick();\n")
    found = list(scripts.complaints(tmp_path))
    assert len(found) == 1
    assert "b.js:1" in found[0]


def test_what_is_too_long_to_be_read_is_found() -> None:
    lines = ["class Long:", *["    a = 1"] * (sizes.CLASS_LINES - 1)]
    assert not list(sizes.complaints_about("\n".join([*lines, "b = 2\n"])))
    assert list(sizes.complaints_about("\n".join([*lines, "    a = 1\n"]))) == [
        "the class Long has 401 lines, of at most 400"
    ]
    assert not list(sizes.complaints_about("a = 1\n" * sizes.MODULE_LINES))
    assert list(sizes.complaints_about("a = 1\n" * (sizes.MODULE_LINES + 1))) == ["601 lines, of at most 600"]


def test_who_writes_the_ledger_is_found() -> None:
    source = (
        "Transfer.objects.bulk_create(rows)\n"
        "Account.objects.filter(pk=1).select_for_update().update(balance=0)\n"
        "Account(kind='player')\n"
        "Account.objects.filter(pk=1).values('balance')\n"
        "Table.objects.update(open=False)\n"
        "state.update(Account=1)\n"
    )
    assert sorted(line for line, _ in ledger.complaints_about(source)) == [1, 2, 3]


def template_of(*ids: str) -> Catalog:
    catalog = Catalog(charset="utf-8")
    for each in ids:
        catalog.add(each, locations=[("tables/felt.py", 1)])
    return catalog


@pytest.fixture
def kept(tmp_path: Path, settings: object) -> Path:
    """A catalogue of its own to try things with."""
    settings.LOCALE_PATHS = [tmp_path]  # type: ignore[attr-defined]
    path = catalogues.po_path("pt")
    path.parent.mkdir(parents=True)
    return path


HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("", "missing"),
        ('msgid "The bank draws on %(total)s"\nmsgstr ""\n', "untranslated"),
        ('#, fuzzy\nmsgid "The bank draws on %(total)s"\nmsgstr "A banca pede com %(total)s"\n', "fuzzy"),
        ('msgid "The bank draws on %(total)s"\nmsgstr "A banca pede com %(tota)s"\n', "no such place"),
        ('msgid "The bank draws on %(total)s"\nmsgstr "A banca pede"\n', "left out"),
        ('msgid "The bank draws on %(total)s"\nmsgstr " A banca pede com %(total)s"\n', "spaces"),
        ('msgid "Gone"\nmsgstr "Foi-se"\n', "no longer used"),
    ],
)
def test_a_catalogue_that_is_not_complete_is_found(kept: Path, entry: str, complaint: str) -> None:
    kept.write_text(HEADER + entry)
    found = list(catalogues.complaints("pt", template_of("The bank draws on %(total)s")))
    assert [each for each in found if complaint in each]


def test_a_complete_one_is_good(kept: Path) -> None:
    kept.write_text(HEADER + 'msgid "The bank draws on %(total)s"\nmsgstr "A banca pede com %(total)s"\n')
    assert list(catalogues.complaints("pt", template_of("The bank draws on %(total)s"))) == []


def test_bringing_up_to_date_keeps_translations_and_guesses_nothing(kept: Path) -> None:
    kept.write_text(HEADER + 'msgid "Seat"\nmsgstr "Lugar"\n\nmsgid "Gone"\nmsgstr "Foi-se"\n')
    kept.write_text(catalogues.updated("pt", template_of("Seat", "Seats")))
    catalog = catalogues.read("pt")
    assert {message.id: message.string for message in catalog if message.id} == {"Seat": "Lugar", "Seats": ""}
    assert catalogues.updated("pt", template_of("Seat", "Seats")) == kept.read_text()


def test_words_of_the_pure_rules_and_of_templates_are_found(template: Catalog) -> None:
    """The extraction sees what `say` marks, and both tags of templates."""
    said = {message.id for message in template}
    assert "Placed." in said  # say() in tables/live/consumers.py
    assert any(isinstance(each, tuple) for each in said)  # a plural


@pytest.mark.parametrize("text", ["You win!", "恭喜！", "10 MOP", "€ 5", "五澳門元"])
def test_the_house_neither_shouts_nor_speaks_of_money(text: str) -> None:
    assert len(list(words.tone("pt", [text, "Boa sorte", None, ("Um crédito", text)]))) == 2


def test_a_setting_that_nobody_wrote_down_is_found(tmp_path: Path) -> None:
    for name, text in {
        "README.md": "`KNOWN` [a](docs/dependencies.md) [b](docs/gone.md) [c](https://example.org) `tables/gone.py`",
        "CHANGELOG.md": "`tables/gone.py` was taken away",
        "casino/settings.py": 'A = env.str("KNOWN")\nB = env.bool("UNKNOWN", default=False)\n',
        "tables/management/commands/floor.py": "",
        "docs/dependencies.md": "**django**",
        "requirements.txt": "django==5.2 \\\n    --hash=sha256:0\n    # via x\n",
        "requirements-dev.txt": "--extra-index-url https://example.org/simple\nruff==1\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = list(documents.complaints(tmp_path))
    assert len(found) == 5
    assert "UNKNOWN" in found[0]
    assert "names a host" in found[1]
    assert "ruff" in found[2]
    assert "gone.md" in found[3]
    assert "README.md: names tables/gone.py" in found[4]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with two games and a few modules."""
    for name, text in {
        "tables/games/__init__.py": "",
        "tables/games/fan_tan/__init__.py": "",
        "tables/games/fan_tan/articles.py": "",
        "tables/games/fan_tan/bets.py": "from fractions import Fraction as Share\nODDS: int = 3\n",
        "tables/games/pai_gow/articles.py": "",
        "tables/games/pai_gow/hands.py": "def rank(): ...\nclass Hand: ...\nHIGH, LOW = 1, 2\n",
        "tables/games/contract/round.py": "",
        "static/js/kiosk-door.js": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    "code",
    [
        "tables/games/fan_tan/dealing.py",
        "tables/games/<game>/bets.py",
        "tables/felt/<place>.py",
        "tests/laws/",
        "games/fan_tan/bets.py",
        "betting.py",
        "static/js/pit*.js",
        "tables.games.fan_tan.dealing",
        "tables.games.fan_tan.bets.MINIMUM",
        "tables.games.pai_gow.bets.ODDS",
        "casino.settings",
    ],
)
def test_what_a_document_names_and_is_not_there_is_found(checkout: Path, code: str) -> None:
    assert list(documents.names_of_nothing(checkout, f"See `{code}`, and `python {code}`.")) == [code, code]


@pytest.mark.parametrize(
    "code",
    [
        "tables/games/fan_tan/bets.py",
        "tables/games/<game>/articles.py",
        "tables/games/<name>/hands.py",
        "tables/games/",
        "hands.py",
        "kiosk*.js",
        "static/js/kiosk*.js",
        "tables.games",
        "tables.games.fan_tan.bets",
        "tables.games.fan_tan.bets.ODDS",
        "tables.games.fan_tan.bets.Share",
        "tables.games.pai_gow.hands.rank(one, other)",
        "tables.games.pai_gow.hands.Hand.shown",
        "tables.games.pai_gow.hands.LOW",
        "/tables/3/ <game> 9/2004 var/ table.round Round.due() .venv/bin/python",
    ],
)
def test_what_a_document_names_and_is_there_is_left_alone(checkout: Path, code: str) -> None:
    text = f"See `{code}`.\n\n```\npython tables/gone.py `gone.py`\n```\n"
    assert list(documents.names_of_nothing(checkout, text)) == []


def test_rules_of_nothing_and_properties_that_are_said_twice_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text(
        """.a {
  b: c;
}
@media (d) {
}
.e {
  f: g;
  h:
    i,
    j;
  f: k;
}
.l {
  height: 1vh;
  height: 1dvh;
}
.a {
  m: n; /* not
  p: q; */
}
.a {
  b: o;
}
@media (d) {
  .a {
    b: p;
  }
}
@media (d) {
  .a {
    b: r;
  }
}
"""
    )
    found = [complaint.split(":", 1)[1] for complaint in sheets.complaints(tmp_path)]
    assert found == [
        "5: @media (d) says nothing",
        "11: .e says f twice; first g",
        "22: .a says b twice; first c",
        "31: .a says b twice; first p",
    ]
