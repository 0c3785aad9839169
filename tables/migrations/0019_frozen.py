"""Rounds that the pit has frozen, alerts whose matter is over, and the stakes and wins of a table that alert."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0018_pack_seeds"),)
    operations = (
        migrations.AddField(
            model_name="roundlog",
            name="frozen_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Since when the pit has frozen it: its clock stands until the pit releases it or rules on it.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="alert",
            name="resolved_at",
            field=models.DateTimeField(help_text="When what it is about was found to be over.", null=True),
        ),
        migrations.AddField(
            model_name="table",
            name="big_bet",
            field=models.BigIntegerField(
                blank=True, help_text="Cents: one bettor who stakes so much in a round alerts the pit.", null=True
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="big_win",
            field=models.BigIntegerField(
                blank=True, help_text="Cents: one bettor who wins so much in a round alerts the pit.", null=True
            ),
        ),
    )
