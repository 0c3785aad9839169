"""Keys and other secrets: where they come from, and who can read the files that they lie in."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key


def local_key(path: Path) -> str:
    """The key in the file `path`; made on first use. Raises OSError if the folder cannot be written.

    Several processes may ask for the first time at once: all get the same key.
    """
    return kept(path, get_random_secret_key)


def kept(path: Path, make: Callable[[], str]) -> str:
    """The text in the file `path`, which `make` makes up on first use; its owner alone can read it."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "w") as out:
            out.write(make())
        try:
            os.link(draft, path)  # complete or not there at all; fails if another process was first
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()


def private_file(path: Path) -> None:
    """See to it that the file is there, and that its owner alone can read it. Raises OSError."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if path.stat().st_uid == os.getuid():
        path.chmod(0o600)


def secret_of(name: str, environ: Mapping[str, str]) -> str:
    """The secret `name`: itself in the environment, or what is in the file that `<name>_FILE` names there; or nothing.

    Raises ImproperlyConfigured if both are given, or the file cannot be read.
    """
    given, file = environ.get(name, ""), environ.get(f"{name}_FILE", "")
    if not file:
        return given
    if given:
        raise ImproperlyConfigured(f"Either {name} or {name}_FILE, not both.")
    try:
        return Path(file).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE names {file}, which cannot be read: {error}") from error


def with_password(url: str, password: str) -> str:
    """The address of a database or of Redis, with this password if there is one; the user stays who is named in it.

    Raises ImproperlyConfigured if another is in it already.
    """
    if not password:
        return url
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    if ":" in user:
        raise ImproperlyConfigured(f"The address of {parts.hostname} has a password already.")
    return parts._replace(netloc=f"{user}:{quote(password, safe='')}@{host}").geturl()


def derived(key: str, purpose: str) -> str:
    """A key for one purpose, made of another key: whoever has it knows nothing of that one. Empty if that is empty."""
    return hmac.new(key.encode(), f"macau-floor {purpose}".encode(), hashlib.sha256).hexdigest() if key else ""
