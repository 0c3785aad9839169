"""The verifier that everybody can download, loaded as a module."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

FILE = Path(__file__).parents[2] / "static/verify/verify.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
