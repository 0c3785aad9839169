"""All settings, from the environment. README.md lists them; each has its reason here.

Without any environment this is the embedded default: SQLite and keys in `var/`, and a Valkey of our own on a
unix socket. With `DATABASE_URL` and `REDIS_URL` it is the real thing: nothing is made up, keys are demanded.
"""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from tables.base.shifts import checked as checked_shifts

from . import waits
from .addresses import host_of, site_of
from .files import never_framed
from .keys import derived, local_key, private_file, secret_of, with_password
from .logs import logging_config

env = environ.Env()


def _secret(name: str) -> str:
    """A setting that nobody should see: from the environment, or from the file that `<name>_FILE` names there."""
    return secret_of(name, os.environ)


def _secrets(name: str) -> list[str]:
    """Several of them, with commas between."""
    return [each.strip() for each in _secret(name).split(",") if each.strip()]


def _credits(name: str, default: int) -> int:
    """A setting that is an amount of credits: plain digits, 12 at most. Raises ImproperlyConfigured for all else."""
    given = env.str(name, default=str(default))
    if not (given.isascii() and given.isdigit() and len(given) <= 12):
        raise ImproperlyConfigured(f"{name} is a whole number of credits in the digits 0 to 9, not {given!r}.")
    return int(given)


# ── Where we are ────────────────────────────────────────────────────────────────────────────────────────────

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var"))).absolute()
"""What the embedded default writes: its database and its keys."""

DEBUG = env.bool("DEBUG", default=False)

# ── Database ────────────────────────────────────────────────────────────────────────────────────────────────

_database_url = env.str("DATABASE_URL", default="") or f"sqlite:///{VAR_DIR / 'floor.sqlite3'}"
DATABASES = {"default": env.db_url_config(with_password(_database_url, _secret("DATABASE_PASSWORD")))}
_database = DATABASES["default"]
ON_SQLITE = _database["ENGINE"] == "django.db.backends.sqlite3"
DEMO = not env.str("DATABASE_URL", default="")
"""Whether this is the embedded default, a house for this machine alone: it has demonstration staff."""
DEMO_STAFF = env.bool("DEMO_STAFF", default=False)
"""Whether there is demonstration staff also where others than this machine can reach such a house."""
_options = _database.setdefault("OPTIONS", {})

_database["CONN_MAX_AGE"] = 0  # no thread but those that stay keeps its connection (tables.base.executor)
DATABASE_POOL = env.int("DATABASE_POOL", default=12)
"""PostgreSQL connections that one process may hold."""

if ON_SQLITE:
    VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    private_file(Path(_database["NAME"]))  # whatever the mode of the folder is
    # WAL: readers and the writer do not wait for each other. IMMEDIATE: a transaction takes the lock when it
    # begins, so that what it read cannot have changed when it writes. synchronous=FULL and not NORMAL: what
    # was shown as paid must be there after a power cut (measured cost: about a fifth).
    _options |= {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
    }
    DATABASE_THREADS = 1  # several writers are unfair to each other: p99 1.4 s against 52 ms (docs/concurrency.md)
else:
    DATABASES["default"]["OPTIONS"] = _options = waits.of_connections(sys.argv) | _options
    _options.setdefault("prepare_threshold", 5)  # without one nothing is prepared, whatever is asked (tables.base.sql)
    _options["pool"] = {"min_size": 1, "max_size": DATABASE_POOL, "timeout": 15}
    DATABASE_THREADS = max(1, DATABASE_POOL - 4)  # the rest is for ordinary requests

AUDIT_INTERVAL_S = env.float("AUDIT_INTERVAL_S", default=10.0)
"""Seconds between two looks of the auditor (tables.live.auditor)."""

HEAVY_PAGES = env.int("HEAVY_PAGES", default=2)
"""Replays, records and shoes that one process works out at once (tables.views.heavy)."""

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ── Keys ────────────────────────────────────────────────────────────────────────────────────────────────────

if ON_SQLITE:
    SECRET_KEY = _secret("SECRET_KEY") or local_key(VAR_DIR / "secret-key")
    SHOE_KEY = _secret("SHOE_KEY") or local_key(VAR_DIR / "shoe-key")
    DEALER_KEY = _secret("DEALER_KEY") or local_key(VAR_DIR / "dealer-key")
else:
    # Processes on several machines share these, so they cannot be made up here. One that only serves pages
    # needs no SHOE_KEY and should not have it: who holds it can read undealt cards. A dealer demands it.
    SECRET_KEY = _secret("SECRET_KEY")
    if not SECRET_KEY:
        raise ImproperlyConfigured("SECRET_KEY is demanded unless the database is SQLite. See Settings in README.md.")
    SHOE_KEY = _secret("SHOE_KEY")
    DEALER_KEY = _secret("DEALER_KEY")  # who a dealer is: the house has enrolled its public half
SECRET_KEY_FALLBACKS = _secrets("SECRET_KEY_FALLBACKS")
SHOE_KEY_FALLBACKS = _secrets("SHOE_KEY_FALLBACKS")
"""The shoe keys of before: packs that were sealed with them are dealt to their end."""

ANCHOR_KEY = _secret("ANCHOR_KEY") or derived(SHOE_KEY, "anchors")
"""What signs the anchors: nothing in the database, so that who owns it cannot write them."""
ANCHOR_KEY_FALLBACKS = [derived(key, "anchors") for key in SHOE_KEY_FALLBACKS]
"""What may have signed those of before."""

ANCHORS = env.str("ANCHORS", default="") or str(VAR_DIR / "anchors.jsonl")
"""The file of anchors (tables.proof.anchors), outside the database."""

ARCHIVE = env.str("ARCHIVE", default="") or str(VAR_DIR / "archive")
"""The folder of files of archived rounds (tables.services.journal.archiving)."""

# ── Redis: ids and versions on their way, and counters of rate limits; never truth, never secrets ───────────

_place = hashlib.sha256(str(VAR_DIR).encode()).hexdigest()[:10]
# Not in VAR_DIR: the path of a unix socket may have 103 bytes, a checkout may lie deeper.
EMBEDDED_DIR = Path(tempfile.gettempdir()) / f"macau-floor-{os.getuid()}-{_place}"
EMBEDDED_VALKEY = not env.str("REDIS_URL", default="")
"""Whether we start a Valkey of our own (casino.embedded)."""

REDIS_URL = env.str("REDIS_URL", default="") or f"unix://{EMBEDDED_DIR / 'valkey.sock'}"
REDIS_URL = with_password(REDIS_URL, _secret("REDIS_PASSWORD"))
REDIS_PREFIX = env.str("REDIS_PREFIX", default="floor")

CHANNEL_LAYERS = {
    "default": {
        # The other layer of channels_redis never delivers again after a restart of Redis.
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "hosts": [REDIS_URL],
            "prefix": REDIS_PREFIX,
            # Sealed, so that whoever else writes to that Redis announces nothing (tables.base.announce.Listener).
            "symmetric_encryption_keys": [f"macau-floor channel {key}" for key in (SECRET_KEY, *SECRET_KEY_FALLBACKS)],
        },
    }
}
CACHES = {
    "default": {
        "BACKEND": "casino.cache.JsonRedisCache",  # Django's own would run what somebody has pickled there
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": REDIS_PREFIX,
    }
}

# ── The door: hosts, HTTPS, proxies ─────────────────────────────────────────────────────────────────────────

HTTPS = env.bool("HTTPS", default=False)
SITE = site_of(env.str("SITE", default=""), https=HTTPS) or f"http://localhost:{env.str('PORT', default='') or 8000}"
"""The origin of the house, which is where the links of its letters lead: never what a request says of itself."""

CROWD = env.bool("CROWD", default=False)
"""Whether demonstration bettors may come (`manage.py crowd`): what they play with is in the books as everybody's."""

TERMS_URL = env.str("TERMS_URL", default="")
"""Where the terms of whoever runs this house stand; the page on privacy leads there."""

# Our own names always: health checks come from inside.
ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS", default=[]), host_of(SITE), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
PROXIES = env.int("PROXIES", default=0)
"""How many reverse proxies of ours stand before us. Only then are X-Forwarded-* believed."""

SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

# In the database and not in Redis, so nobody is logged out when that restarts; under hashed keys.
SESSION_ENGINE = "tables.base.browser_sessions"
# With "__Host-" a browser takes them from this very host alone, and over https: no sibling of it can plant one.
COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}django_language"
MESSAGE_STORAGE = "casino.cookies.Messages"
SESSION_COOKIE_AGE = 90 * 24 * 3600  # a guest has nothing but this cookie
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024  # no form of ours is larger
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100

# As a dict, as Django 6 will want it for its own SECURE_CSP. No page of ours needs more than its own files.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

SOCKETS_PER_ADDRESS = env.int("SOCKETS_PER_ADDRESS", default=500)  # a whole office may share one address
SOCKETS_PER_PLAYER = env.int("SOCKETS_PER_PLAYER", default=10)
"""Sockets that one process takes from one address, and from one player."""

COMP_ALONE = _credits("COMP_ALONE", 1_000)
"""Credits that one member of the staff may give in comps in a day of Macau without a second person."""
COMP_SHARE = env.int("COMP_SHARE", default=20)
"""Per cent of the theoretical win of what a player has staked that they earn in comps. It moves no credits."""
FLOAT_ALONE = _credits("FLOAT_ALONE", 1_000_000)
"""Credits of the largest float with which one member of the staff may open a table without a second person."""
SHIFTS = checked_shifts([int(hour) for hour in env.list("SHIFTS", default=["6", "14", "22"])])
"""Hours of Macau at which the shifts begin; the gaming day begins with the first."""

CONNECTIONS = env.int("CONNECTIONS", default=2_000)
CONNECTIONS_PER_ADDRESS = env.int("CONNECTIONS_PER_ADDRESS", default=600)
"""Connections that one process takes, and takes from one address where no proxy stands before it."""

REQUESTS_PER_ADDRESS = env.int("REQUESTS_PER_ADDRESS", default=50)
"""Requests for pages and their files that one process answers to one address in a second."""

PAGES_AT_ONCE = 4 if ON_SQLITE else max(1, DATABASE_POOL - DATABASE_THREADS)  # the other connections are for the tables
PAGES_AT_ONCE_PER_ADDRESS = max(1, PAGES_AT_ONCE // 2)
"""Pages that one process makes at the same time, and makes for one address."""

PAGES_KEPT_S = 1.0
"""Seconds for which a page of the felt is the same for all who are not logged in."""

READY_KEPT_S = 2.0
"""Seconds for which the answer of /readyz stands."""

LINES_PER_PLAYER = env.int("LINES_PER_PLAYER", default=200)
LINES_PER_ADDRESS = env.int("LINES_PER_ADDRESS", default=1_000)
LINES_PER_ROUND = env.int("LINES_PER_ROUND", default=10_000)
"""Entries that one player, the guests of one address, and all together may write into the log of a round while betting
is open (tables.services.rounds.budget). They can never be deleted."""

REFUSALS_PER_PLAYER = env.int("REFUSALS_PER_PLAYER", default=1_000)
"""Refusals of one player that are kept of a round (tables.services.rounds.refusals); then nothing more is done for
them in it."""

SEATS_PER_PLAYER = env.int("SEATS_PER_PLAYER", default=2)
SEATS_PER_ADDRESS = env.int("SEATS_PER_ADDRESS", default=6)
"""Tables at which one player may have a seat, and seats that the guests of one address may have together."""

METRICS_TOKEN = _secret("METRICS_TOKEN")
"""Who sends it as a bearer token may read /metrics from anywhere; without it, only this machine may."""

METRICS_PORT = env.int("METRICS_PORT", default=0)
METRICS_HOST = env.str("METRICS_HOST", default="127.0.0.1")
"""Where a dealer in a process of its own tells its figures; 0: nowhere. Nothing asks who reads them there."""

# ── The application ─────────────────────────────────────────────────────────────────────────────────────────

INSTALLED_APPS = [
    "tables",  # first, so that our makemessages and compilemessages come before Django's, which need gettext
    "unfold.apps.BasicAppConfig",  # before the admin, of which it is the theme
    "django.contrib.admin.apps.SimpleAdminConfig",  # nothing registers itself: tables.admin says what is there
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "channels",
    "csp",
    "django_htmx",
    "django_prometheus",
]
MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "tables.views.refusals.Refusals",
    "django.middleware.security.SecurityMiddleware",
    "casino.joined.Files",
    "casino.compression.Compression",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "casino.sessions.Users",
    "tables.views.kiosk.gate.KioskGate",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "casino.cookies.NothingIsKept",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "tables.views.presence.Presence",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]
ROOT_URLCONF = "casino.urls"
ASGI_APPLICATION = "casino.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    # Ours takes out the white space that only people need; what is not in DIRS is not ours.
                    ["casino.templates.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    }
]
PROMETHEUS_EXPORT_MIGRATIONS = False  # would ask the database before it is there
SILENCED_SYSTEM_CHECKS: list[str] = []

# ── People ──────────────────────────────────────────────────────────────────────────────────────────────────

AUTH_USER_MODEL = "tables.Player"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
] + [{"NAME": "tables.base.passwords.LongIfDigits"}, {"NAME": "tables.base.passwords.NoHouseWords"}]
PASSWORD_RESET_TIMEOUT = 600  # seconds that the link in a letter is good for (ASVS 6.5.5)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"  # play money: an address is asked for nothing but a forgotten password
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_ADAPTER = "tables.views.accounts.Accounts"
ACCOUNT_FORMS = {
    "login": "tables.views.accounts.LoginForm",
    "signup": "tables.views.accounts.SignupForm",
    "change_password": "tables.views.accounts.ChangePasswordForm",
    "reset_password": "tables.views.accounts.ResetPasswordForm",
    "reset_password_from_key": "tables.views.accounts.ResetPasswordKeyForm",
    "reauthenticate": "tables.views.accounts.ReauthenticateForm",
}
KNOWN_BROWSER_COOKIE_NAME = "known"
"""Signed: the accounts that have logged in with this browser (tables.views.attempts)."""
ACCOUNT_RATE_LIMITS = {  # beside allauth's own
    "guest": "30/m/ip,120/h/ip",  # nobody mints guests by the thousand
    "signup": "20/m/ip,60/h/ip",  # an office that signs up one morning gets in
    "login_failed": "10/m/ip,5/300s/key",  # the key: a name at an address, or somebody's second factor
    "login_failed_name": "30/h/key",  # a name, from everywhere: a guesser with many addresses is slow
    "login_failed_known": "5/300s/key",  # a name in a browser that it has logged in with before
    "kiosk": "600/m/ip",  # each screen that waits asks every three seconds; many may share an address
    "kiosk_code": "60/m/ip",  # a screen needs a new code every quarter of an hour
}
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False

# The second factor, for staff alone (tables.services.pit.sessions).
MFA_ADAPTER = "tables.views.accounts.SecondFactor"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_FORMS = {
    "activate_totp": "tables.views.accounts.ActivateForm",
    "authenticate": "tables.views.accounts.CodeForm",
    "reauthenticate": "tables.views.accounts.CodeAgainForm",
}
MFA_TOTP_ISSUER = "Macau Floor"
MFA_TOTP_TOLERANCE = 0  # a code is good for its own half minute and no longer (ASVS 6.5.5)
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # no address is ever verified here

_email_url = _secret("EMAIL_URL")
if _email_url and not DEMO and not env.str("SITE", default=""):
    raise ImproperlyConfigured("SITE is demanded where letters are sent: their links lead there. See README.md.")
vars().update(env.email_url_config(_email_url or "dummymail://"))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="floor@localhost")

# ── Django's admin (tables.admin), in its theme ─────────────────────────────────────────────────────────────

_SHADES = "50 100 200 300 400 500 600 700 800 900 950"
_BAIZE = "#eef7f3 #d6ebe2 #aed8c6 #7dbfa4 #4aa17f #2b8766 #1b6e52 #13563f #0f4433 #0a3326 #062219"
UNFOLD = {
    "SITE_TITLE": "Macau Floor",
    "SITE_HEADER": "Administration",
    "SITE_SUBHEADER": "Macau Floor",
    "SITE_SYMBOL": "local_florist",
    "SITE_URL": "/pit/",
    "SHOW_HISTORY": False,  # it is in the pit's event log
    "COLORS": {"primary": dict(zip(_SHADES.split(), _BAIZE.split(), strict=True))},
}

# ── Language and time ───────────────────────────────────────────────────────────────────────────────────────

LANGUAGES = [("zh-hant", "繁體中文"), ("pt", "Português"), ("en", "English")]
LANGUAGE_CODE = "en"  # for browsers that ask for none of the three
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
FORMAT_MODULE_PATH = "casino.formats"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Asia/Macau"

# ── Static files ────────────────────────────────────────────────────────────────────────────────────────────

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_MANIFEST = env.bool("STATIC_MANIFEST", default=False)
"""Serve what `collectstatic` gathered, under names with a hash that may be kept for ever; the image does so.
Otherwise they are served from where they lie, under addresses that name their version (casino.static_files)."""
STATIC_ROOT = env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")) if STATIC_MANIFEST else None

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "casino.static_files.GatheredFiles" if STATIC_MANIFEST else "casino.static_files.VersionedFiles"
    },
}
WHITENOISE_USE_FINDERS = not STATIC_MANIFEST
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 60 if STATIC_MANIFEST else 0
WHITENOISE_ADD_HEADERS_FUNCTION = never_framed
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}

# ── Logs ────────────────────────────────────────────────────────────────────────────────────────────────────

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO").upper()
LOG_FORMAT = env.str("LOG_FORMAT", default="console" if sys.stderr.isatty() else "json")
LOG_REQUESTS = env.bool("LOG_REQUESTS", default=False)
"""A line for each HTTP request; a proxy in front usually has one already."""

LOGGING = logging_config(level=LOG_LEVEL, as_json=LOG_FORMAT == "json")
