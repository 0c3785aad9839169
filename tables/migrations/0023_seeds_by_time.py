"""Seeds are found by their day: the pit counts who kept silent on it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0022_protection"),)
    operations = (
        migrations.AddIndex(
            model_name="packseed",
            index=models.Index(fields=("committed_at",), name="seeds_by_time"),
        ),
    )
