"""Settings of the house under test: as somebody would run it, but for what takes its time on purpose."""

from casino.settings import *  # noqa: F403
from casino.settings import DATABASES, ON_SQLITE
from tests import arranged  # noqa: F401

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

MFA_TOTP_TOLERANCE = 1  # a test that shows two codes need not wait half a minute

if ON_SQLITE:  # it is killed in these tests, but none cuts the power
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"
else:
    DATABASES["default"]["OPTIONS"]["options"] = "-c synchronous_commit=off"

WHITENOISE_MAX_AGE = 3600  # its files stay as they are while it is open: no page has to ask for them anew

PAGES_KEPT_S = 0.0  # what a test has just arranged is looked at at once
REQUESTS_PER_ADDRESS = 1_000  # everybody in a test comes from one address
