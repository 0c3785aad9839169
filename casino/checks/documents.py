"""The documents keep up.

Every setting is in the README, every dependency has its reason, no lock names a host, and what a document names in
code is there: files, dotted names, tests.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SETTING = re.compile(r"""(?:env\.(?:str|int|bool|list|db_url|email_url)|_secret)\(\s*"([A-Z_]+)\"""")
PACKAGE = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[a-z,]+\])?==", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
HOST = re.compile(r"https?://|--(?:extra-)?index-url|--find-links ?\S")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
PLACE = re.compile(r"(?:casino|docs|locale|static|tables|templates|tests)/[\w.*/<>-]*")
FILE = re.compile(r"[\w.*<>-][\w.*/<>-]*\.(?:css|html|js|py)")
TEST = re.compile(r"(tests/[\w/]+\.py)((?:::\w+)+)(?:\[.*\])?")
DOTTED = re.compile(r"((?:casino|tables|tests)(?:\.\w+)+)(?:\(.*)?")


def complaints(base: Path) -> Iterator[str]:
    """Everything that is wrong with the documents of the checkout `base`."""
    readme = (base / "README.md").read_text()
    for source in ("casino/settings.py", "tables/management/commands/floor.py"):
        for name in dict.fromkeys(SETTING.findall((base / source).read_text())):
            if f"`{name}`" not in readme:
                yield f"README.md: the setting {name} of {source} is not there"
    reasons = (base / "docs/dependencies.md").read_text().lower()
    for lock in ("requirements.txt", "requirements-dev.txt"):
        text = (base / lock).read_text()
        if HOST.search(re.sub(r"--no-emit-\S+", "", text)):
            yield f"{lock}: names a host"
        for name in PACKAGE.findall(text):
            if f"**{name.lower()}**" not in reasons:
                yield f"docs/dependencies.md: no reason is given for {name}"
    for document in (*base.glob("*.md"), *base.glob("docs/**/*.md")):
        for target in LINK.findall(document.read_text()):
            if not (document.parent / target).exists():
                yield f"{document.relative_to(base)}: links to {target}, which is not there"
        if document.name != "CHANGELOG.md":  # what it names was there then
            for name in names_of_nothing(base, document.read_text()):
                yield f"{document.relative_to(base)}: names {name}, which is not there"


def names_of_nothing(base: Path, text: str) -> Iterator[str]:
    """Files, folders, tests and dotted names that a document names in `code`, and that the checkout does not have.

    Blocks of code are left out. `<game>` stands for every game; any other `<word>`, and `*`, for whatever is there. A
    path starts at the top of the checkout; a bare file name is that of any file. A test is `file::name`.
    """
    for code in dict.fromkeys(CODE.findall(FENCED.sub("", text))):
        for word in code.split():
            if PLACE.fullmatch(word) or FILE.fullmatch(word):
                if not path_is_there(base, word):
                    yield word
            elif test := TEST.fullmatch(word):
                if not test_is_there(base / test[1], test[2].split("::")[1:]):
                    yield word
            elif (dotted := DOTTED.fullmatch(word)) and not name_is_there(base, dotted[1]):
                yield dotted[1]


def path_is_there(base: Path, path: str) -> bool:
    if "<game>" in path:
        games = [each.parent.name for each in base.glob("tables/games/*/articles.py")]
        return all(path_is_there(base, path.replace("<game>", game)) for game in games)
    pattern = re.sub(r"<\w+>", "*", path)
    tops = ("casino", "docs", "static", "tables", "templates", "tests")
    places = [""] if "/" in pattern else ["", *(f"{top}/**/" for top in tops)]
    return any(True for place in places for _ in base.glob(place + pattern))


def test_is_there(file: Path, names: list[str]) -> bool:
    """Whether the file has this test, as a function or as a method of a class."""
    body: list[ast.stmt] = ast.parse(file.read_text()).body if file.exists() else []
    *classes, test = names
    for name in classes:
        body = [inner for each in body if isinstance(each, ast.ClassDef) and each.name == name for inner in each.body]
    functions = [each.name for each in body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    return test.startswith("test_") and test in functions


def name_is_there(base: Path, name: str) -> bool:
    """Whether a dotted name is that of a package, a module, or of something at the top of a module."""
    place = base
    parts = name.split(".")
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    module = place / f"{parts[0]}.py" if parts and (place / f"{parts[0]}.py").exists() else place / "__init__.py"
    if module.name != "__init__.py":
        parts.pop(0)
    return module.exists() and (not parts or parts[0] in names_at_the_top(ast.parse(module.read_text())))


def names_at_the_top(module: ast.Module) -> set[str]:
    """What a module defines or imports."""
    found: set[str] = set()
    for statement in module.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update(each.asname or each.name for each in names)
            case ast.Assign() | ast.AnnAssign():
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                found.update(node.id for each in targets for node in ast.walk(each) if isinstance(node, ast.Name))
    return found
