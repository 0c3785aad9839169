#!/usr/bin/env python3
"""The door for whoever runs the house: `manage.py floor`, `deal`, `migrate`, `audit`, …"""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed in this Python. Use `make run`, or the Python in .venv/bin.")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
