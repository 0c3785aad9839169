"""What was asked under a ref, where guests come from, and under which ref a seat was taken."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0007_names"),)
    operations = (
        migrations.AddField(
            model_name="loggedaction",
            name="payload",
            field=models.CharField(
                blank=True,
                help_text="Digest of all that was asked under this ref, hexadecimal.",
                max_length=16,
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="origin",
            field=models.CharField(
                blank=True,
                default="",
                help_text=(
                    "Of a guest: a keyed digest of the network that they came from; who shares it shares some limits."
                ),
                max_length=32,
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="ref",
            field=models.CharField(
                blank=True, default="", help_text="Made by the client that took the seat.", max_length=40
            ),
        ),
    )
