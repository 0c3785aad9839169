"""Kiosks are looked after together: groups, hours, brightness, messages by language, health, and how visits go."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def json(default: type, help_text: str) -> models.JSONField:
    return models.JSONField(blank=True, default=default, db_default=default(), help_text=help_text)


class Migration(migrations.Migration):
    dependencies = (("tables", "0029_protocol"),)
    operations = (
        migrations.AddField("kiosk", "brightness", json(list, "From which hour on how many per cent.")),
        migrations.AddField(
            "kiosk",
            "group",
            models.CharField(
                blank=True, default="", db_default="", help_text="What is done for several at once.", max_length=40
            ),
        ),
        migrations.AddField("kiosk", "health", json(dict, "What its page said of itself then.")),
        migrations.AddField("kiosk", "hours", json(list, "Of each weekday from when until when; empty: always.")),
        migrations.AddField("kiosk", "messages", json(dict, "The same for those who speak a language, by its code.")),
        migrations.CreateModel(
            name="KioskVisit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("guides", models.PositiveSmallIntegerField(default=0, help_text="Guided rounds that were begun.")),
                (
                    "kiosk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="visits", to="tables.kiosk"
                    ),
                ),
                (
                    "visitor",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="visit",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "db_table": "tables_kioskvisit",
                "indexes": [models.Index(fields=["began_at"], name="visits_by_time")],
            },
        ),
    )
