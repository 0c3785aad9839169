"""`make torture`: what the house is put through, part by part, with the figures that it reaches (docs/torture.md)."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")  # of a part that is started by itself
