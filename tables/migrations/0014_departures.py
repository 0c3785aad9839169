"""Which bettors without a seat have left their table: nobody waits for them to cut the pack."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0013_handed_codes"),)
    operations = (
        migrations.CreateModel(
            name="Departure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="departures",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="departures", to="tables.table"
                    ),
                ),
            ],
            options={
                "db_table": "tables_departure",
                "constraints": (
                    models.UniqueConstraint(fields=("table", "player"), name="one_departure_of_a_player"),
                ),
            },
        ),
    )
