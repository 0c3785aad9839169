"""`python -m tables.games FILE`: public records played out again, with nothing installed but Python.

The lines and the exit status are those of `manage.py replay FILE`: 1 if a record could not be read or played.
"""

import sys
from argparse import ArgumentParser

from .replay import ABOUT, FILE_HELP, UnreadableFile, replay


def main() -> int:
    """Play the file that the command line names. The exit status."""
    parser = ArgumentParser(prog="python -m tables.games", description=ABOUT)
    parser.add_argument("file", metavar="FILE", help=FILE_HELP)
    name: str = parser.parse_args().file
    try:
        return 0 if replay(name, lambda line: sys.stdout.write(f"{line}\n")) else 1
    except UnreadableFile as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
