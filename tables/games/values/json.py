"""JSON as Python holds it: what logs, options, results and public records are written in."""

from __future__ import annotations

from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""An object of JSON that we have written or checked; what has only been read is a plain `object`."""
