"""Files of archived rounds: gzip, a JSON object a line, each line a member of its own.

So a file is read whole by any gunzip, and one round from the middle of it without the rest.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


class ArchiveError(LookupError):
    """A file of archived rounds is not there, or not the one that was written. Its text is one line."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the line of a round lies in its file, in bytes."""

    offset: int
    length: int


def write(path: Path, lines: Iterable[bytes]) -> tuple[list[Place], str]:
    """Write a file whole, or not at all: where each line lies, and the SHA-256 of the file."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest, places, offset = hashlib.sha256(), [], 0
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("wb") as file:
        for line in lines:
            member = gzip.compress(line + b"\n", mtime=0)
            file.write(member)
            digest.update(member)
            places.append(Place(offset, len(member)))
            offset += len(member)
        _keep(file.fileno())
    unfinished.rename(path)
    _keep_folder(path.parent)
    return places, digest.hexdigest()


def read(path: Path, place: Place, sha256: str) -> bytes:
    """The line at this place of a file that has this digest. Raises ArchiveError."""
    check(path, sha256)
    with path.open("rb") as file:
        file.seek(place.offset)
        member = file.read(place.length)
    try:
        return gzip.decompress(member).rstrip(b"\n")
    except (OSError, EOFError, zlib.error) as error:
        raise ArchiveError(f"{path.name} has no round at byte {place.offset}") from error


def check(path: Path, sha256: str) -> None:
    """Raise ArchiveError unless the file is there and has this digest. Read once as long as it is not touched."""
    try:
        stat = path.stat()
        found = _digest(path, stat.st_mtime_ns, stat.st_size)
    except OSError as error:
        raise ArchiveError(f"{path.name} cannot be read: {error.strerror}") from error
    if found != sha256:
        raise ArchiveError(f"{path.name} is not the file that was archived")


def write_sums(folder: Path, digests: Mapping[str, str]) -> None:
    """The digests of all files, by name, for `sha256sum --check SHA256SUMS`."""
    unfinished = folder / "SHA256SUMS.unfinished"
    with unfinished.open("w", encoding="ascii") as file:
        file.writelines(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
        file.flush()
        _keep(file.fileno())
    unfinished.rename(folder / "SHA256SUMS")


@lru_cache(maxsize=1024)
def _digest(path: Path, _changed: int, _size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _keep(descriptor: int) -> None:
    os.fsync(descriptor)


def _keep_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _keep(descriptor)
    finally:
        os.close(descriptor)
