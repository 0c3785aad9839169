"""Names that are taken, as they look; whoever is here already keeps theirs, and of two alike the older has it."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.base.names import skeletons


def take(apps: Any, schema_editor: Any) -> None:
    player, taken = apps.get_model("tables", "Player"), apps.get_model("tables", "TakenName")
    whose: dict[str, int] = {}
    own = player.objects.filter(guest=False, kiosk=None).order_by("pk").values_list("pk", "username", "name")
    for pk, username, name in own.iterator():
        for look in skeletons(username) | skeletons(name):
            whose.setdefault(look[:200], pk)
    taken.objects.bulk_create(
        [taken(skeleton=look, player_id=pk) for look, pk in whose.items()], batch_size=1000
    )


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0006_sessions'),
    ]

    operations = [
        migrations.CreateModel(
            name='TakenName',
            fields=[
                ('skeleton', models.CharField(max_length=200, primary_key=True, serialize=False)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='taken_names', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'tables_takenname',
            },
        ),
        migrations.RunPython(take, migrations.RunPython.noop),
    ]
