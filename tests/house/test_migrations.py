"""What a database that was made before the first release is told."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder


@pytest.mark.django_db
def test_a_database_from_before_the_first_release_is_refused_in_one_line() -> None:
    call_command("migrate", verbosity=0)
    MigrationRecorder(connection).record_applied("tables", "0001_opening")
    with pytest.raises(CommandError, match="made by a development version before") as told:
        call_command("migrate", verbosity=0)
    assert str(connection.settings_dict["NAME"]) in str(told.value)
    assert "\n" not in str(told.value)
