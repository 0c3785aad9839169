from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0004_jackpot"),
    ]

    operations = [
        migrations.AddField(
            model_name="shoe",
            name="leaves",
            field=models.JSONField(
                blank=True,
                help_text="The commitment to each card, published with the other, if hands stay private.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="shoe",
            name="commitment",
            field=models.CharField(
                help_text="SHA-256 of salt and order, or of the leaves, hexadecimal.", max_length=64
            ),
        ),
        migrations.AlterField(
            model_name="shoe",
            name="opened",
            field=models.JSONField(
                blank=True, help_text="Salt and order, or salts and cards, once retired.", null=True
            ),
        ),
    ]
