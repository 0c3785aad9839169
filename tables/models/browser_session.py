"""What the house keeps of one browser; with a player in it, it is a login."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Now


class BrowserSession(AbstractBaseSession):
    """A session, stored under the SHA-256 of its cookie: who reads the database cannot send it as theirs.

    The login has columns of its own beside the data: they are written one by one, never with the data, so a page that
    is under way cannot undo a lock, and one query reads the logins of all sockets.
    """

    session_key = models.CharField(max_length=64, primary_key=True, help_text="SHA-256 of the key in the cookie.")
    player = models.ForeignKey(
        "Player", on_delete=models.CASCADE, null=True, related_name="logins", help_text="Whose login it is."
    )
    begun_at = models.DateTimeField(db_default=Now(), help_text="When the player logged in.")
    seen_at = models.DateTimeField(db_default=Now(), help_text="When the player last did something.")
    locked = models.BooleanField(default=False, help_text="Of staff: locked by hand until a code is shown.")
    proved_by = models.ForeignKey(
        "Player",
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        help_text="Of staff: whose second factor was shown in it.",
    )
    short_code = models.CharField(
        max_length=128, blank=True, default="", db_default="", help_text="Of staff: the hash of what opens it again."
    )
    short_tries = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="How often it was wrong since the second factor."
    )
    address = models.CharField(max_length=64, blank=True, default="", help_text="From where the player logged in.")
    browser = models.CharField(max_length=200, blank=True, default="", help_text="What the browser calls itself.")
    last_login_at = models.DateTimeField(null=True, help_text="The player's login before this one.")

    class Meta:
        db_table = "tables_browsersession"
        verbose_name = "browser session"

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store
