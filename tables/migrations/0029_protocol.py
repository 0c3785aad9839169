"""Which program has dealt at a table: one of before it does not go on there."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0028_archive"),)
    operations = (
        migrations.AddField(
            model_name="lease",
            name="protocol",
            field=models.PositiveSmallIntegerField(
                db_default=0,
                help_text="Of the newest program that has dealt here (tables.services.dealing.leases).",
            ),
        ),
    )
