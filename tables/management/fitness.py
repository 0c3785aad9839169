"""What must be true before the house opens, at every start: said in one line if it is not."""

from __future__ import annotations

from django.core.management.base import CommandError

from tables.proof import anchors, selfcheck
from tables.proof.anchors import RestoredError


def refuse_unless_fit() -> None:
    """Raises CommandError unless the house is as it must be, and its database the one that was anchored last."""
    if found := list(selfcheck.faults()):
        more = f" (and {len(found) - 1} more: manage.py selfcheck)" if len(found) > 1 else ""
        raise CommandError(f"The house does not open, it has failed its self-check: {found[0]}{more}.")
    kept = anchors.of_settings()
    if kept is None:
        return
    try:
        kept.check_start()
    except RestoredError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{error.filename or 'The anchors'} cannot be read: {error.strerror or error}") from error
