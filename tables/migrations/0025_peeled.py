"""How far the cards of a round have been peeled that are to be opened now."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0024_pit_books"),)
    operations = (
        migrations.AddField(
            model_name="roundlog",
            name="peeled",
            field=models.JSONField(
                blank=True,
                help_text="How far the cards have been peeled that are to be opened now, by place.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="roundlog",
            name="peeled_at",
            field=models.DateTimeField(
                blank=True, help_text="When one of them was last peeled further.", null=True
            ),
        ),
    )
