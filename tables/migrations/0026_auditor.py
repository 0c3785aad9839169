"""Which process audits the house while it deals."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0025_peeled"),)
    operations = (
        migrations.CreateModel(
            name="AuditorLease",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner", models.CharField(blank=True, default="", max_length=80)),
                ("expires_at", models.DateTimeField(null=True)),
                ("looked_at", models.DateTimeField(null=True)),
            ],
            options={"db_table": "tables_auditorlease"},
        ),
    )
