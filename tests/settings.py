"""Settings of the tests: the house's own, with a `var/` of its own for each run, so that runs do not meet.

Everything goes through the environment, so that a process started by a test (a server, a dealer) inherits it.
"""

import atexit
import os
import shutil
import tempfile

RUN = os.getpid()
FRESH = "VAR_DIR" not in os.environ
"""Whether this process is the run itself, and not a child of it."""

os.environ.setdefault("VAR_DIR", os.path.join(tempfile.gettempdir(), f"macau-floor-test-{RUN}"))
os.environ.setdefault("REDIS_PREFIX", f"test-{RUN}")
os.environ.setdefault("SECRET_KEY", "the tests sign with this and nobody else does, so it may stand here")
os.environ.setdefault("SHOE_KEY", "the tests seal with this")
os.environ.setdefault("LOG_LEVEL", "WARNING")

from casino.settings import *  # noqa: E402, F403
from casino.settings import DATABASES, EMBEDDED_DIR, ON_SQLITE, VAR_DIR  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # a good one takes its time on purpose

# A file and not memory: the threads and processes of a test must see the same rows.
DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3") if ON_SQLITE else f"test_macau_floor_{RUN}"}


def _tidy() -> None:
    if os.getpid() == RUN:  # a process forked by a test ends too, and leaves this alone
        shutil.rmtree(VAR_DIR, ignore_errors=True)
        shutil.rmtree(EMBEDDED_DIR, ignore_errors=True)


if FRESH:
    atexit.register(_tidy)
