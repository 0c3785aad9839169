"""What came on each day that is over, for the watch over chance."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0016_proof'),
    ]

    operations = [
        migrations.CreateModel(
            name='ChanceDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(help_text='In Macau, from midnight to midnight.', unique=True)),
                ('tallies', models.JSONField(help_text='By name: what came, its means and variances, degrees of freedom.')),
            ],
            options={
                'db_table': 'tables_chanceday',
            },
        ),
    ]
