"""The Django project: settings, doors and servers. Nothing of the trade is here."""

VERSION = "0.2.0"
"""That of `pyproject.toml`, which an image does not have."""
