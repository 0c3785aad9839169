"""Wallboards: screens that are enrolled as kiosks are, show the pit's floor, and have no visitors."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = (("tables", "0030_kiosk_fleet"),)
    operations = (
        migrations.AddField(
            "kiosk",
            "wallboard",
            models.BooleanField(
                db_default=False, default=False, help_text="It shows the pit's floor, and nobody plays there."
            ),
        ),
        migrations.RemoveConstraint("kiosk", "kiosks_give_something"),
        migrations.AddConstraint(
            "kiosk",
            models.CheckConstraint(name="kiosks_give_something", condition=Q(credits__gt=0) | Q(wallboard=True)),
        ),
        migrations.AddConstraint(
            "kiosk",
            models.CheckConstraint(name="nobody_plays_at_a_wallboard", condition=Q(wallboard=False) | Q(visitor=None)),
        ),
    )
