"""Sessions in a table of our own, under the SHA-256 of their keys. Logins go on; Django's table, with the keys, goes."""

import hashlib
from datetime import timedelta
from typing import Any

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models
from django.utils.timezone import now

from tables.base.browser_sessions import SessionStore

BEFORE = "django_session"


def move(apps: Any, schema_editor: Any) -> None:
    """Take over what browsers hold a cookie of, and leave nothing behind that a cookie could be made of."""
    connection = schema_editor.connection
    if BEFORE not in connection.introspection.table_names():
        return
    session, player = apps.get_model("tables", "BrowserSession"), apps.get_model("tables", "Player")
    known = {str(pk) for pk in player.objects.values_list("pk", flat=True)}
    good_now = connection.ops.adapt_datetimefield_value(now())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT session_key, session_data FROM {BEFORE} WHERE expire_date > %s", [good_now])  # noqa: S608
        rows = cursor.fetchall()
    for key, data in rows:
        said = SessionStore().decode(data)
        whose = said.get("_auth_user_id")
        if whose in known or whose is None:
            session.objects.create(
                session_key=hashlib.sha256(key.encode()).hexdigest(),
                session_data=data,
                expire_date=now() + timedelta(seconds=settings.SESSION_COOKIE_AGE),
                player_id=whose,
            )
    schema_editor.execute(f"DROP TABLE {BEFORE}")


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0005_dealers'),
    ]

    operations = [
        migrations.CreateModel(
            name='BrowserSession',
            fields=[
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('session_key', models.CharField(help_text='SHA-256 of the key in the cookie.', max_length=64, primary_key=True, serialize=False)),
                ('begun_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='When the player logged in.')),
                ('seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='When the player last did something.')),
                ('locked', models.BooleanField(default=False, help_text='Of staff: locked by hand until a code is shown.')),
                ('address', models.CharField(blank=True, default='', help_text='From where the player logged in.', max_length=64)),
                ('browser', models.CharField(blank=True, default='', help_text='What the browser calls itself.', max_length=200)),
                ('last_login_at', models.DateTimeField(help_text="The player's login before this one.", null=True)),
                ('player', models.ForeignKey(help_text='Whose login it is.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='logins', to=settings.AUTH_USER_MODEL)),
                ('proved_by', models.ForeignKey(help_text='Of staff: whose second factor was shown in it.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'browser session',
                'db_table': 'tables_browsersession',
            },
        ),
        migrations.RunPython(move, migrations.RunPython.noop),
    ]
