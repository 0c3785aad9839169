"""Settings of the tests: the house's own, with a `var/` of its own for each worker of each run, so that none meet.

Everything goes through the environment, so that a process started by a test (a server, a dealer) inherits it.
"""

import atexit
import os
import shutil
import tempfile

RUN = os.getpid()
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")
FRESH = os.environ.get("TESTS_OF") != WORKER
"""Whether this process is the run itself or a worker of it, and not a child of either."""

if FRESH:
    if WORKER == "alone":
        os.environ["TESTS_RUN"] = str(RUN)
    os.environ["TESTS_OF"] = WORKER
    os.environ["VAR_DIR"] = os.path.join(tempfile.gettempdir(), f"macau-floor-test-{RUN}")
    os.environ["REDIS_PREFIX"] = f"test-{RUN}"
RUN_OF_ALL = os.environ.get("TESTS_RUN", str(RUN))
"""One name for all workers of a run."""
os.environ.setdefault("SECRET_KEY", "the tests sign with this and nobody else does, so it may stand here")
os.environ.setdefault("SHOE_KEY", "the tests seal with this")
os.environ.setdefault("DEALER_KEY", "the dealers of the tests are enrolled by this")
os.environ.setdefault("LOG_LEVEL", "WARNING")
os.environ.setdefault("ANCHORS", "off")  # many databases come and go here; tests of anchors name a file of their own

from casino.settings import *  # noqa: E402, F403
from casino.settings import DATABASES, EMBEDDED_DIR, ON_SQLITE, VAR_DIR  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # a good one takes its time on purpose

MFA_TOTP_TOLERANCE = 1  # a test that shows two codes need not wait half a minute; what the house allows is tested too

EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"  # from the first import: some addresses depend on it

PAGES_KEPT_S = READY_KEPT_S = 0.0  # a test looks again at once

if ON_SQLITE:  # processes are killed in tests, but no test cuts the power
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"
else:
    DATABASES["default"]["OPTIONS"]["options"] = "-c synchronous_commit=off"

# A file and not memory: the threads and processes of a test must see the same rows.
DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3") if ON_SQLITE else f"test_macau_floor_{RUN}"}


def tidy() -> None:
    """Remove what this run has written."""
    if FRESH and os.getpid() == RUN:  # a process forked by a test ends too, and leaves this alone
        shutil.rmtree(VAR_DIR, ignore_errors=True)
        shutil.rmtree(EMBEDDED_DIR, ignore_errors=True)


atexit.register(tidy)  # a worker of pytest ends without that, and is tidied by conftest.py
