"""What each table has done on a day that is over is summed up; rounds are found by when they were settled."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0014_departures'),
    ]

    operations = [
        migrations.CreateModel(
            name='TableDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
                ('day', models.DateField(help_text='In Macau, from midnight to midnight.')),
                ('rounds', models.PositiveIntegerField()),
                ('voids', models.PositiveIntegerField()),
                ('unplayed', models.PositiveIntegerField()),
                ('drop', models.BigIntegerField()),
                ('win', models.BigIntegerField()),
                ('commission', models.BigIntegerField()),
                ('theoretical', models.TextField(help_text='A fraction of cents, such as 15500/37.')),
                ('variance', models.TextField(help_text='A fraction of cents squared.')),
                ('unreckoned', models.BigIntegerField()),
                ('unreckoned_win', models.BigIntegerField()),
                ('contributions', models.BigIntegerField()),
                ('payments', models.BigIntegerField()),
                ('restarts', models.BigIntegerField()),
                ('forgiven', models.BigIntegerField()),
            ],
            options={
                'db_table': 'tables_tableday',
                'indexes': [models.Index(fields=['table', 'day'], name='days_of_a_table')],
                'constraints': [models.UniqueConstraint(fields=('day', 'table'), name='a_day_of_a_table_is_summed_once')],
            },
        ),
        migrations.AddIndex(
            model_name='roundlog',
            index=models.Index(condition=models.Q(('settled_at__isnull', False)), fields=['settled_at', 'table'], name='rounds_by_settlement'),
        ),
    ]
