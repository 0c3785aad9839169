"""What the loader takes out of a template, and what stays: casino/templates.py has the rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template import engines

from casino.templates import without_layout


@pytest.mark.parametrize(
    ("written", "loaded"),
    [
        # Beside a tag a line break is nothing.
        ("<ul>\n  <li>\n    One\n  </li>\n</ul>\n", "<ul><li>One</li></ul>"),
        ("{% load floor %}\n\n<p>\n  {{ a }}\n  {% icon 'x' %}\n  {{ b }}\n</p>", None),
        ("{# why #}\n<p>\n  {% if a < b %}\n    word\n  {% endif %}\n  word\n</p>", None),
        # Between two words it is a space.
        ("<p>\n  one\n  two,\n  three\n</p>", "<p>one two, three</p>"),
        # A space that is meant stays.
        ("<b>a</b> <i>b</i>", "<b>a</b> <i>b</i>"),
        ("<p> a</p>\n<p>b </p>", "<p> a</p><p>b </p>"),
        ('<b>a</b>{{ " " }}\n<i>b</i>', "<b>a</b> <i>b</i>"),
        ('{% if a %}\n  {{ " " }}\n  · {{ a }}\n{% endif %}', "{% if a %} · {{ a }}{% endif %}"),
        # Inside the tag of an element it is a space, in each branch, and nothing at an end.
        ('<input\n  type="text"\n  required\n>', '<input type="text" required>'),
        ('<use\n  href="#a"\n/>\n<b>', '<use href="#a"/><b>'),
        (
            "<p\n  {% if a %}lang{% else %}id{% endif %}\n  hidden\n>",
            "<p{% if a %} lang{% else %} id{% endif %} hidden>",
        ),
        ("<p\n  id\n  {% if a %}\n    lang\n  {% endif %}\n>", "<p id{% if a %} lang{% endif %}>"),
        ('<p title="{{ a }}\n  {% translate "b" %}">', '<p title="{{ a }} {% translate "b" %}">'),
        # A value begins and ends with what is written in it.
        ('<p class="\n  a\n  {% if b %}b{% endif %}\n  c\n">', '<p class="a{% if b %} b{% endif %} c">'),
        (
            '<p class="\n  {% if a %}\n    a\n  {% else %}\n    b\n  {% endif %}\n">',
            '<p class="{% if a %}a{% else %}b{% endif %}">',
        ),
        # Some things stay as they are, to the letter.
        ("<pre\n  id='a'\n>\n a\n   <b>\n</pre>\n<p>", "<pre id='a'>\n a\n   <b>\n</pre><p>"),
        ("<textarea>\n\n{{ a }}\n</textarea>", "<textarea>\n\n{{ a }}\n</textarea>"),
        ("<script>\nif (a < b) {\n}\n</script>\n", "<script>\nif (a < b) {\n}\n</script>"),
        (
            "<p>\n  {% blocktranslate trimmed %}\n    a\n    <b>b</b>\n  {% endblocktranslate %}\n</p>",
            "<p>{% blocktranslate trimmed %}\n    a\n    <b>b</b>\n  {% endblocktranslate %}</p>",
        ),
    ],
)
def test_a_line_break_means_what_the_rule_says(written: str, loaded: str | None) -> None:
    if loaded is None:  # all of its white space at the lines' ends goes
        loaded = "".join(line.strip() for line in written.splitlines())
    assert without_layout(written) == loaded
    assert without_layout(loaded) == loaded  # what is loaded has nothing left to take out


def test_templates_of_the_house_are_loaded_so() -> None:
    """Ours are; those of other packages are not."""
    django = engines["django"]
    page = django.get_template("404.html").template  # type: ignore[attr-defined]
    assert "\n" in Path(page.origin.name).read_text().strip() and "\n" not in page.source
    theirs = django.get_template("admin/base_site.html").template  # type: ignore[attr-defined]
    assert theirs.source == Path(theirs.origin.name).read_text()


def test_mail_keeps_its_lines() -> None:
    mail = engines["django"].get_template("account/email/password_reset_key_message.txt").template  # type: ignore[attr-defined]
    assert mail.source == Path(mail.origin.name).read_text() and "\n" in mail.source.strip()
