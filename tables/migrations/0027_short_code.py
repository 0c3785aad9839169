"""A short code opens a login of the staff again that was opened with a second factor."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0026_auditor"),)
    operations = (
        migrations.AddField(
            "browsersession",
            "short_code",
            models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Of staff: the hash of what opens it again.",
                max_length=128,
            ),
        ),
        migrations.AddField(
            "browsersession",
            "short_tries",
            models.PositiveSmallIntegerField(
                db_default=0, default=0, help_text="How often it was wrong since the second factor."
            ),
        ),
    )
