"""Which version of the program this is, as `pyproject.toml` has it; images are without that file."""

VERSION = "0.2.0"
