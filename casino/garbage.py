"""The garbage collector in processes that live long."""

from __future__ import annotations

import gc


def freeze() -> None:
    """Never look again at what was made until now: modules, models, templates, catalogues.

    Without it each full collection walks all of that and holds everybody up meanwhile (docs/performance.md has the
    figures). What is garbage by now is collected first, so it costs no memory. The thresholds stay as they are: higher
    ones were measured, and were dearer.
    """
    gc.collect()
    gc.freeze()
