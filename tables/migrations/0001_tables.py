"""Every table of the house, as `manage.py makemigrations` writes them."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='EventHead',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveBigIntegerField(default=0)),
                ('digest', models.CharField(blank=True, default='', max_length=64)),
            ],
            options={
                'db_table': 'tables_eventhead',
            },
        ),
        migrations.CreateModel(
            name='Jackpot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=40, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('realm', models.PositiveSmallIntegerField(choices=[(0, 'the floor'), (1, 'kiosks')], default=0)),
            ],
            options={
                'db_table': 'tables_jackpot',
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=40, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('game', models.CharField(max_length=30)),
                ('options', models.JSONField(help_text='House options of the game, as in the public record.')),
                ('times', models.JSONField(default=dict, help_text='Milliseconds for each pace; see tables.base.timetable.')),
                ('position', models.PositiveIntegerField(default=0, help_text='Order in the lobby.')),
                ('open', models.BooleanField(default=True, help_text='On the floor; a closed one is shown to nobody but the staff.')),
                ('paused', models.BooleanField(default=False, help_text='No round is begun until the pit says so.')),
                ('closing', models.CharField(blank=True, choices=[('round', 'after the round'), ('shoe', 'at the end of the shoe')], default='', help_text='When it will close: stakes that lie on are returned then.', max_length=10)),
                ('realm', models.PositiveSmallIntegerField(choices=[(0, 'the floor'), (1, 'kiosks')], default=0, help_text='Whose money is played with here, for good: that of players, or the demo credits of kiosks.')),
                ('version', models.PositiveBigIntegerField(default=0, help_text="Counts visible changes that stand in no round's log: seats, options, opening.")),
                ('fresh_shoe_due', models.BooleanField(default=False, help_text='The next round begins with a new shoe (art. 3).')),
                ('attended_until', models.DateTimeField(blank=True, help_text='Somebody is at the table till then; past it no round is begun.', null=True)),
                ('jackpot', models.ForeignKey(blank=True, help_text='The progressive jackpot that this table feeds and pays from, alone or with others.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tables.jackpot')),
            ],
            options={
                'db_table': 'tables_table',
                'ordering': ('position', 'id'),
            },
        ),
        migrations.CreateModel(
            name='RoundLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(help_text='Counts the rounds of this table from 1.')),
                ('game', models.CharField(max_length=30)),
                ('edition', models.CharField(max_length=40)),
                ('options', models.JSONField()),
                ('opening', models.JSONField()),
                ('version', models.PositiveIntegerField(default=0)),
                ('phase', models.CharField(max_length=30)),
                ('wait', models.CharField(blank=True, default='', max_length=120)),
                ('wait_began_at', models.DateTimeField(help_text='Since when the present wait lasts.')),
                ('due_at', models.DateTimeField(blank=True, help_text='When the house acts next; null: when nudged.', null=True)),
                ('started_at', models.DateTimeField()),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('void', models.BooleanField(default=False)),
                ('result', models.JSONField(blank=True, null=True)),
                ('jackpot', models.ForeignKey(blank=True, help_text='The progressive jackpot that this round feeds and pays from.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='tables.jackpot')),
            ],
            options={
                'db_table': 'tables_roundlog',
            },
        ),
        migrations.CreateModel(
            name='Shoe',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Counts the shoes of this table from 1.')),
                ('decks', models.PositiveSmallIntegerField()),
                ('commitment', models.CharField(help_text='SHA-256 of salt and order, or of the leaves, hexadecimal.', max_length=64)),
                ('leaves', models.JSONField(blank=True, help_text='The commitment to each card, published with the other, if hands stay private.', null=True)),
                ('sealed', models.BinaryField(help_text='Salt and order, encrypted.')),
                ('cut', models.PositiveIntegerField(blank=True, help_text='Cards moved from the top to the bottom.', null=True)),
                ('white_at', models.PositiveIntegerField(blank=True, help_text='The white card comes out after this many cards; none in a machine.', null=True)),
                ('white_shown', models.BooleanField(default=False, help_text='The white card has come out.')),
                ('dealt', models.PositiveIntegerField(default=0, help_text='Cards that have left the shoe.')),
                ('shuffled_at', models.DateTimeField()),
                ('retired_at', models.DateTimeField(blank=True, null=True)),
                ('opened', models.JSONField(blank=True, help_text='Salt and order, or salts and cards, once retired.', null=True)),
            ],
            options={
                'db_table': 'tables_shoe',
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('name', models.CharField(help_text='Shown at the tables.', max_length=40)),
                ('guest', models.BooleanField(default=False, help_text='Plays without a password, from one browser.')),
                ('role', models.CharField(blank=True, choices=[('pit_boss', 'pit boss'), ('shift_manager', 'shift manager'), ('surveillance', 'surveillance'), ('cage', 'cage')], default='', help_text='Of staff, who do not play.', max_length=20)),
                ('last_topped_up_at', models.DateTimeField(blank=True, null=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'db_table': 'tables_player',
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Kiosk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='Visitors are called by it at the tables.', max_length=40, unique=True)),
                ('place', models.CharField(blank=True, default='', max_length=80)),
                ('languages', models.JSONField(help_text='Codes of those that visitors may choose; the first is its own.')),
                ('credits', models.BigIntegerField(help_text='Cents that each visitor gets.')),
                ('idle_seconds', models.PositiveSmallIntegerField(help_text='After so long without a touch a visitor is asked for.')),
                ('locked', models.BooleanField(default=False, help_text='Out of service: nobody is let play.')),
                ('message', models.CharField(blank=True, default='', help_text='Shown on the screen.', max_length=200)),
                ('restarts', models.PositiveIntegerField(default=0, help_text='A screen that began before the last one begins anew.')),
                ('retired_at', models.DateTimeField(blank=True, null=True)),
                ('token', models.CharField(blank=True, default='', help_text="SHA-256 of the device's token.", max_length=64)),
                ('token_before', models.CharField(blank=True, default='', help_text='The one before: good until the new one has been shown.', max_length=64)),
                ('screen', models.CharField(blank=True, default='', help_text='SHA-256 of the screen it is bound to.', max_length=64)),
                ('use', models.PositiveIntegerField(default=0, help_text='Counts the starts of the device.')),
                ('enrolled_at', models.DateTimeField(blank=True, null=True)),
                ('seen_at', models.DateTimeField(blank=True, help_text='The last heartbeat.', null=True)),
                ('showing', models.CharField(blank=True, default='', help_text='What it did then.', max_length=20)),
                ('visitor', models.OneToOneField(blank=True, help_text='Who plays now.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='at_kiosk', to=settings.AUTH_USER_MODEL)),
                ('tables', models.ManyToManyField(help_text='What it shows, and lets people play at.', related_name='kiosks', to='tables.table')),
            ],
            options={
                'db_table': 'tables_kiosk',
                'ordering': ('name',),
            },
        ),
        migrations.AddField(
            model_name='player',
            name='kiosk',
            field=models.ForeignKey(blank=True, help_text='Of somebody who plays at a kiosk, with demo credits and for a while.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='visitors', to='tables.kiosk'),
        ),
        migrations.CreateModel(
            name='Lease',
            fields=[
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='lease', serialize=False, to='tables.table')),
                ('owner', models.CharField(blank=True, default='', max_length=80)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('epoch', models.PositiveBigIntegerField(default=0, help_text='Grows with every change of hands.')),
            ],
            options={
                'db_table': 'tables_lease',
            },
        ),
        migrations.CreateModel(
            name='ChipOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('fill', 'a fill'), ('credit', 'a credit')], max_length=10)),
                ('amount', models.BigIntegerField(help_text='Cents.')),
                ('why', models.TextField(blank=True, default='')),
                ('state', models.CharField(choices=[('requested', 'requested'), ('confirmed', 'confirmed'), ('refused', 'refused')], default='requested', max_length=10)),
                ('requested_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='tables.table')),
            ],
            options={
                'db_table': 'tables_chiporder',
                'ordering': ('-requested_at', '-id'),
            },
        ),
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('player', "a player's wallet"), ('escrow', 'stakes on the layout of a table'), ('float', 'the chips of a table'), ('house', 'the house'), ('jackpot', 'a progressive jackpot'), ('mint', 'where credits come from')], max_length=10)),
                ('realm', models.PositiveSmallIntegerField(choices=[(0, 'the floor'), (1, 'kiosks')], default=0, help_text='That of its player, table or jackpot, for good.')),
                ('balance', models.BigIntegerField(default=0)),
                ('player', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='account', to=settings.AUTH_USER_MODEL)),
                ('jackpot', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='account', to='tables.jackpot')),
                ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to='tables.table')),
            ],
            options={
                'db_table': 'tables_account',
            },
        ),
        migrations.CreateModel(
            name='Mute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('muted', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='mutes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'tables_mute',
            },
        ),
        migrations.CreateModel(
            name='Pairing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(help_text='What the screen shows.', max_length=12, unique=True)),
                ('secret', models.CharField(help_text='SHA-256 of what the screen alone knows.', max_length=64, unique=True)),
                ('screen', models.CharField(max_length=64)),
                ('asked_at', models.DateTimeField()),
                ('kiosk', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='pairings', to='tables.kiosk')),
            ],
            options={
                'db_table': 'tables_pairing',
            },
        ),
        migrations.CreateModel(
            name='Restriction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('warning', 'a warning'), ('mute', 'no talking'), ('exclusion', 'no playing'), ('limit', 'a limit of stakes a day')], max_length=10)),
                ('cents', models.BigIntegerField(help_text='Of a limit: the most that the player may stake in a day of Macau.', null=True)),
                ('why', models.TextField()),
                ('at', models.DateTimeField()),
                ('until', models.DateTimeField(help_text='When it ends; null: for good.', null=True)),
                ('lifted_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('lifted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='restrictions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'tables_restriction',
                'ordering': ('-at', '-id'),
            },
        ),
        migrations.AddField(
            model_name='table',
            name='round',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.roundlog'),
        ),
        migrations.AddField(
            model_name='roundlog',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='tables.table'),
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('line', models.PositiveBigIntegerField(help_text='The id of the line, which may be gone.')),
                ('name', models.CharField(max_length=40)),
                ('text', models.CharField(max_length=200)),
                ('said_at', models.DateTimeField()),
                ('version', models.PositiveIntegerField(default=0)),
                ('reason', models.CharField(choices=[('rude', 'insults or threatens'), ('advice', 'tells others how to play'), ('adverts', 'advertises or begs'), ('other', 'something else')], max_length=10)),
                ('at', models.DateTimeField()),
                ('about', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='reports', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
                ('log', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_report',
            },
        ),
        migrations.CreateModel(
            name='Played',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('staked', models.BigIntegerField()),
                ('returned', models.BigIntegerField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='played', to=settings.AUTH_USER_MODEL)),
                ('log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='played', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_played',
            },
        ),
        migrations.CreateModel(
            name='OptionChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('before', models.JSONField(help_text='All options of the table when this was drafted, as in the public record.')),
                ('changes', models.JSONField(help_text='Option -> its new value, as in the public record.')),
                ('authorisation', models.BooleanField(help_text='The regulation wants it authorised.')),
                ('state', models.CharField(choices=[('draft', 'a draft'), ('submitted', 'submitted'), ('approved', 'approved'), ('adopted', 'adopted'), ('refused', 'refused'), ('withdrawn', 'withdrawn')], default='draft', max_length=10)),
                ('why', models.TextField(blank=True, default='')),
                ('drafted_at', models.DateTimeField()),
                ('submitted_on', models.DateField(help_text="Macau's date of the request to the inspectorate.", null=True)),
                ('planned_for', models.DateField(help_text="Macau's date from which it is to hold.", null=True)),
                ('reference', models.CharField(blank=True, default='', help_text="The inspectorate's, of its answer.", max_length=80)),
                ('decided_at', models.DateTimeField(help_text='When the answer, or the adoption, was recorded.', null=True)),
                ('adopted_at', models.DateTimeField(null=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('drafted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('submitted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='option_changes', to='tables.table')),
                ('log', models.ForeignKey(help_text='The first round under it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_optionchange',
                'ordering': ('-drafted_at', '-id'),
            },
        ),
        migrations.CreateModel(
            name='LoggedAction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField(help_text='1, 2, 3 … within the round.')),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=20)),
                ('action', models.JSONField()),
                ('ref', models.CharField(blank=True, help_text='Made by the client: the same deed twice is done once.', max_length=80, null=True)),
                ('log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='actions', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_loggedaction',
                'ordering': ('log', 'seq'),
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveBigIntegerField(help_text='1, 2, 3 … without a gap.', unique=True)),
                ('at', models.DateTimeField()),
                ('deed', models.CharField(max_length=40)),
                ('why', models.TextField(blank=True, default='')),
                ('before', models.JSONField(null=True)),
                ('after', models.JSONField(null=True)),
                ('previous', models.CharField(help_text='The digest of the event before; of the first one, nothing.', max_length=64)),
                ('digest', models.CharField(max_length=64)),
                ('by', models.ForeignKey(help_text='Nobody: the house.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tables.table')),
                ('log', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_event',
                'ordering': ('seq',),
            },
        ),
        migrations.CreateModel(
            name='ChatLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(help_text='Counts the lines of this table from 1.')),
                ('name', models.CharField(help_text='As the player was called at that time.', max_length=40)),
                ('text', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
                ('version', models.PositiveIntegerField(default=0, help_text='How many actions the log had.')),
                ('ref', models.CharField(help_text='Made by the client: the same line twice is said once.', max_length=40)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='chat', to='tables.table')),
                ('log', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='chat', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_chatline',
            },
        ),
        migrations.CreateModel(
            name='Alert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=30)),
                ('key', models.CharField(help_text='Of one thing there is one alert that nobody has acknowledged.', max_length=80)),
                ('at', models.DateTimeField()),
                ('about', models.JSONField(default=dict, help_text='The values in its words.')),
                ('acknowledged_at', models.DateTimeField(null=True)),
                ('acknowledged_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='alerts', to='tables.table')),
                ('log', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='alerts', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_alert',
                'ordering': ('-at', '-id'),
            },
        ),
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cents', models.BigIntegerField(help_text='To the player; from the player if negative.')),
                ('why', models.TextField()),
                ('state', models.CharField(choices=[('requested', 'requested'), ('approved', 'approved'), ('refused', 'refused')], default='requested', max_length=10)),
                ('requested_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to=settings.AUTH_USER_MODEL)),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('log', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_adjustment',
                'ordering': ('-requested_at', '-id'),
            },
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('irregularity', models.CharField(help_text="Its name in the game's list.", max_length=40)),
                ('values', models.JSONField(default=dict, help_text='What it concerns: a box, a card.')),
                ('why', models.TextField(help_text="The pit's reason, as written; players see what the article says.")),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_ruling',
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='SealedThrow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='Counts the throws of the round from 1.')),
                ('commitment', models.CharField(help_text='SHA-256 of salt and numbers, hexadecimal.', max_length=64)),
                ('sealed', models.BinaryField(help_text='Salt and numbers, encrypted.')),
                ('opened', models.JSONField(blank=True, help_text='Salt and numbers, once opened.', null=True)),
                ('log', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='throws', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_sealedthrow',
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('taken_at', models.DateTimeField()),
                ('seen_at', models.DateTimeField(help_text='When a line of this player to this table was last alive.')),
                ('away', models.BooleanField(default=False, help_text='The line has dropped; the seat is held for a while.')),
                ('leaves_after_round', models.BooleanField(default=False, help_text='The pit takes it away once the round is over.')),
                ('rounds_without_bet', models.PositiveSmallIntegerField(default=0)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tables.table')),
            ],
            options={
                'db_table': 'tables_seat',
            },
        ),
        migrations.AddField(
            model_name='table',
            name='shoe',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.shoe'),
        ),
        migrations.AddField(
            model_name='shoe',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shoes', to='tables.table'),
        ),
        migrations.AddField(
            model_name='roundlog',
            name='shoe',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='tables.shoe'),
        ),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(help_text='Names the deed: the same one twice fails.', max_length=120)),
                ('amount', models.BigIntegerField()),
                ('reason', models.CharField(max_length=20)),
                ('bet', models.CharField(blank=True, default='', max_length=40)),
                ('by', models.CharField(help_text="Whose deed it was: a bettor's key, `house`, or a staff name.", max_length=20)),
                ('at', models.DateTimeField()),
                ('credit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='credits', to='tables.account')),
                ('debit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='debits', to='tables.account')),
                ('log', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='tables.roundlog')),
            ],
            options={
                'db_table': 'tables_transfer',
            },
        ),
        migrations.CreateModel(
            name='Favourite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=30)),
                ('name', models.CharField(max_length=30)),
                ('stakes', models.JSONField()),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='favourites', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'tables_favourite',
                'constraints': [models.UniqueConstraint(fields=('player', 'game', 'name'), name='favourites_have_their_names')],
            },
        ),
        migrations.AddConstraint(
            model_name='kiosk',
            constraint=models.UniqueConstraint(condition=models.Q(('token', ''), _negated=True), fields=('token',), name='a_token_is_of_one_kiosk'),
        ),
        migrations.AddConstraint(
            model_name='kiosk',
            constraint=models.CheckConstraint(condition=models.Q(('token', ''), models.Q(('screen', ''), _negated=True), _connector='OR'), name='tokens_are_bound_to_a_screen'),
        ),
        migrations.AddConstraint(
            model_name='kiosk',
            constraint=models.CheckConstraint(condition=models.Q(('retired_at', None), ('token', ''), _connector='OR'), name='retired_kiosks_have_no_token'),
        ),
        migrations.AddConstraint(
            model_name='kiosk',
            constraint=models.CheckConstraint(condition=models.Q(('credits__gt', 0)), name='kiosks_give_something'),
        ),
        migrations.AddConstraint(
            model_name='chiporder',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='orders_move_something'),
        ),
        migrations.AddConstraint(
            model_name='chiporder',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'confirmed'), _negated=True), models.Q(('decided_by__isnull', False), models.Q(('decided_by', models.F('requested_by')), _negated=True)), _connector='OR'), name='chips_are_confirmed_by_another'),
        ),
        migrations.AddConstraint(
            model_name='chiporder',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('state', 'requested')), models.Q(models.Q(('state', 'requested'), _negated=True), ('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='orders_are_decided_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.CheckConstraint(condition=models.Q(('balance__gte', 0), models.Q(('kind__in', ('player', 'escrow', 'jackpot')), _negated=True), _connector='OR'), name='no_debts'),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('jackpot__isnull', True), ('kind', 'player'), ('player__isnull', False), ('table__isnull', True)), models.Q(('jackpot__isnull', True), ('kind__in', ('escrow', 'float')), ('player__isnull', True), ('table__isnull', False)), models.Q(('jackpot__isnull', False), ('kind', 'jackpot'), ('player__isnull', True), ('table__isnull', True)), models.Q(('jackpot__isnull', True), ('kind__in', ('house', 'mint')), ('player__isnull', True), ('table__isnull', True)), _connector='OR'), name='accounts_have_their_owner'),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.UniqueConstraint(condition=models.Q(('table__isnull', False)), fields=('kind', 'table'), name='one_account_of_a_kind_at_a_table'),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.UniqueConstraint(condition=models.Q(('kind__in', ('house', 'mint'))), fields=('kind', 'realm'), name='one_house_one_mint_a_realm'),
        ),
        migrations.AddConstraint(
            model_name='mute',
            constraint=models.UniqueConstraint(fields=('player', 'muted'), name='muted_once'),
        ),
        migrations.AddConstraint(
            model_name='mute',
            constraint=models.CheckConstraint(condition=models.Q(('player', models.F('muted')), _negated=True), name='nobody_mutes_himself'),
        ),
        migrations.AddIndex(
            model_name='restriction',
            index=models.Index(condition=models.Q(('lifted_at__isnull', True)), fields=['player', 'kind'], name='restrictions_in_force'),
        ),
        migrations.AddConstraint(
            model_name='restriction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'limit'), ('cents__gte', 0)), models.Q(models.Q(('kind', 'limit'), _negated=True), ('cents__isnull', True)), _connector='OR'), name='limits_have_an_amount'),
        ),
        migrations.AddConstraint(
            model_name='restriction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lifted_at__isnull', True), ('lifted_by__isnull', True)), models.Q(('lifted_at__isnull', False), ('lifted_by__isnull', False)), _connector='OR'), name='lifted_by_somebody'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(fields=['at'], name='reports_by_time'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('by', 'line'), name='reported_once'),
        ),
        migrations.AddConstraint(
            model_name='played',
            constraint=models.UniqueConstraint(fields=('player', 'log'), name='played_once'),
        ),
        migrations.AddConstraint(
            model_name='optionchange',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('authorisation', True), ('state__in', ('approved', 'adopted')), _negated=True), models.Q(('decided_by__isnull', False), ('planned_for__isnull', False), ('submitted_on__isnull', False), models.Q(('reference', ''), _negated=True), models.Q(('decided_by', models.F('drafted_by')), _negated=True)), _connector='OR'), name='authorised_before_adopted'),
        ),
        migrations.AddConstraint(
            model_name='optionchange',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'adopted'), _negated=True), ('adopted_at__isnull', False), _connector='OR'), name='adopted_at_some_time'),
        ),
        migrations.AddConstraint(
            model_name='loggedaction',
            constraint=models.UniqueConstraint(fields=('log', 'seq'), name='one_line_at_a_place'),
        ),
        migrations.AddConstraint(
            model_name='loggedaction',
            constraint=models.UniqueConstraint(fields=('log', 'ref'), name='a_deed_is_done_once'),
        ),
        migrations.AddIndex(
            model_name='chatline',
            index=models.Index(fields=['player', 'at'], name='lines_by_player'),
        ),
        migrations.AddConstraint(
            model_name='chatline',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='lines_are_numbered'),
        ),
        migrations.AddConstraint(
            model_name='chatline',
            constraint=models.UniqueConstraint(fields=('player', 'ref'), name='a_line_is_said_once'),
        ),
        migrations.AddConstraint(
            model_name='alert',
            constraint=models.UniqueConstraint(condition=models.Q(('acknowledged_at__isnull', True)), fields=('key',), name='one_open_alert_for_a_thing'),
        ),
        migrations.AddConstraint(
            model_name='alert',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('acknowledged_at__isnull', True), ('acknowledged_by__isnull', True)), models.Q(('acknowledged_at__isnull', False), ('acknowledged_by__isnull', False)), _connector='OR'), name='acknowledged_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.CheckConstraint(condition=models.Q(('cents', 0), _negated=True), name='adjustments_move_something'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'approved'), _negated=True), models.Q(('decided_by__isnull', False), models.Q(('decided_by', models.F('requested_by')), _negated=True)), _connector='OR'), name='adjustments_are_approved_by_another'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('state', 'requested')), models.Q(models.Q(('state', 'requested'), _negated=True), ('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='adjustments_are_decided_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='sealedthrow',
            constraint=models.UniqueConstraint(fields=('log', 'number'), name='throws_are_numbered'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='one_player_in_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'player'), name='one_seat_for_a_player'),
        ),
        migrations.AddConstraint(
            model_name='shoe',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='shoes_are_numbered'),
        ),
        migrations.AddIndex(
            model_name='roundlog',
            index=models.Index(condition=models.Q(('settled_at__isnull', True)), fields=['due_at'], name='rounds_by_due'),
        ),
        migrations.AddIndex(
            model_name='roundlog',
            index=models.Index(fields=['shoe', 'number'], name='rounds_by_shoe'),
        ),
        migrations.AddConstraint(
            model_name='roundlog',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='rounds_are_numbered'),
        ),
        migrations.AddIndex(
            model_name='transfer',
            index=models.Index(condition=models.Q(('log__isnull', True)), fields=['at'], name='transfers_of_no_round'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.UniqueConstraint(fields=('key',), name='each_deed_moves_money_once'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='transfers_move_something'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(('debit', models.F('credit')), _negated=True), name='from_one_to_another'),
        ),
    ]
