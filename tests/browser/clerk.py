"""The clerk of the house under test: a process beside its server, on the same database, that is told by lines of JSON.

    python -m tests.browser.clerk        {"do": "balance", "player": 3}  ->  {"is": 1000000}

It arranges what a browser cannot (tables with a pace of their own, logins without forms, the cards to come), and reads
the books, so that what screens show can be held against them. Money moves through the real services alone.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()

from allauth.mfa.models import Authenticator  # noqa: E402
from allauth.mfa.totp.internal import auth as codes  # noqa: E402
from allauth.mfa.utils import decrypt  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.db import OperationalError, connection, connections  # noqa: E402
from django.db.models import Sum  # noqa: E402

from tables.base import announce, sql  # noqa: E402
from tables.base.browser_sessions import SessionStore  # noqa: E402
from tables.base.calendar import macau_date  # noqa: E402
from tables.base.chance import SystemRandomness, Vault, made_pack, places_dealt, seed_commitment  # noqa: E402
from tables.base.clock import DATABASE_CLOCK  # noqa: E402
from tables.base.closed_cards import SEALED, sealed_line  # noqa: E402
from tables.base.transactions import unit_of_work  # noqa: E402
from tables.games.values.cards import cards  # noqa: E402
from tables.models import (  # noqa: E402
    Account,
    Alert,
    BrowserSession,
    Kiosk,
    LoggedAction,
    PackSeed,
    PlayClock,
    Played,
    Player,
    Realm,
    Report,
    RoundLog,
    SealedThrow,
    Seat,
    Shoe,
    Table,
    Transfer,
    guards,
    seals,
)
from tables.models.bettors import player_of  # noqa: E402
from tables.queries.chat import said_in_silence  # noqa: E402
from tables.queries.folds import line_of, round_of  # noqa: E402
from tables.services.dealing.shoes import label_of, opened_pack  # noqa: E402
from tables.services.dealing.throws import opened_throw  # noqa: E402
from tables.services.journal import alerts  # noqa: E402
from tables.services.kiosk import kiosks, screen_sessions, visitors  # noqa: E402
from tables.services.kiosk.schedule import Schedule  # noqa: E402
from tables.services.money import wallet  # noqa: E402
from tables.services.pit import (  # noqa: E402
    authorisations,
    chip_books,
    floats,
    halts,
    lifecycle,
    notes,
    sanctions,
    sessions,
    staff,
    watches,
)
from tables.services.players import people, play_time, reviews  # noqa: E402
from tables.services.rounds import seating  # noqa: E402
from tests.arranged import seed_for  # noqa: E402
from tests.house.kit import change_shoe, null_throw, open_table, void_round  # noqa: E402

STACKS_TRIED = 25
"""Times that the guards are taken away, if the server has a lock there: each is given up after a fifth of a second."""


class Clerk:
    """Each method is a deed that it can be told to do."""

    def opens(
        self, slug: str, name: str, game: str, options: dict[str, Any], times: dict[str, int], realm: int = Realm.FLOOR
    ) -> int:
        """A new table; its id."""
        return open_table(slug, name, game, options, times=times, realm=Realm(realm)).pk

    def closes_the_tables(self) -> None:
        """The tables for players that tests have opened close: what is still played there is void, and nobody waits."""
        for table in Table.objects.filter(slug__startswith="test-", realm=Realm.FLOOR, open=True):
            if not table.closing:
                lifecycle.close_at_once(self._boss(), table.pk, "the test is over", approved_by=self._boss())
            with unit_of_work():
                if table.round_id is not None:
                    RoundLog.objects.filter(pk=table.round_id).update(due_at=DATABASE_CLOCK.now())
                announce.nudge(table.pk)

    def welcomes(self, name: str) -> dict[str, Any]:
        """A new player with the first credits and a login: their id and the cookie of it."""
        player = Player.objects.create(username=name.lower(), name=name)
        player.set_unusable_password()
        player.save()
        people.welcome(player)
        session = self._login(player)
        return {"player": player.pk, "cookie": settings.SESSION_COOKIE_NAME, "session": session.session_key}

    def _login(self, player: Player) -> SessionStore:
        session = SessionStore()
        self._logs_in(session, player)
        session.save()
        return session

    def _logs_in(self, session: SessionStore, player: Player) -> None:
        session[SESSION_KEY] = str(player.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = player.get_session_auth_hash()
        play_time.seen([player.pk], DATABASE_CLOCK.now())  # as a login by its page does

    def hires(self, name: str, role: str, password: str, factor: bool = True) -> int:
        """A new member of the staff, with a second factor unless they are to set it up themselves: their id.

        `name` ends in a digit, so that the walks of the languages know it for a name.
        """
        player = Player(username=name, name=name)
        player.set_password(password)
        player.save()
        staff.appoint(None, player, role, "for the night")
        if factor:
            codes.TOTP.activate(player, codes.generate_totp_secret())
        return player.pk

    def code(self, player: int) -> str:
        """What the app of this member shows, or will show next if that is used up."""
        data = Authenticator.objects.get(user=player, type=Authenticator.Type.TOTP).data
        return self.code_of_key(decrypt(data["secret"]), after=data.get("last", -1))

    def code_of_key(self, secret: str, after: int = -1) -> str:
        """The code of this key that is good now and later than the step `after`."""
        _, now, _ = codes.yield_hotp_counters_from_time()
        return str(codes.format_hotp_value(codes.hotp_value(secret, max(now, after + 1))))

    def opens_the_pit(self, player: int) -> dict[str, Any]:
        """A login of this member that is open: the cookie of it."""
        session = self._login(Player.objects.get(pk=player))
        sessions.prove(session, Player.objects.get(pk=player), DATABASE_CLOCK.now())
        return {"cookie": settings.SESSION_COOKIE_NAME, "session": session.session_key}

    def goes_away(self, player: int) -> None:
        """All logins of this member have not heard of them for as long as it takes."""
        BrowserSession.objects.filter(player=player).update(seen_at=DATABASE_CLOCK.now() - sessions.IDLE)

    def is_to_check(self, player: int) -> None:
        """The reality check of this player is due from now on."""
        now = DATABASE_CLOCK.now()
        play_time.seen([player], now)
        PlayClock.objects.filter(pk=player).update(check_due_at=now)

    def seats(self, player: int, table: int, seat: int) -> None:
        """The player takes a seat before anybody has opened the table's page."""
        seating.sit(player, table, seat)

    def changes_the_shoe(self, table: int) -> None:
        change_shoe(table)

    def stacks(self, table: int, text: str) -> None:
        """Give the shoe of the table another seed, once it is cut, from which these cards come next.

        For one that is burnt already another of its rank comes.
        """
        for tries_left in reversed(range(STACKS_TRIED)):
            try:
                self._stack(table, text)
                break
            except OperationalError:  # the server reads several of these tables at once, and shall not be refused
                if not tries_left:
                    raise

    def _stack(self, table: int, text: str) -> None:
        vault = Vault(settings.SHOE_KEY)
        editor: Any = SimpleNamespace(connection=connection, execute=connection.cursor().execute)
        burnt = Shoe.objects.get(table__pk=table, retired_at=None).dealt > 0
        with unit_of_work():
            if sql.on_postgres():
                editor.execute("SET LOCAL lock_timeout = '200ms'")
            seals.drop(editor)  # no guard of the house lets anybody do this
            if burnt:
                guards.drop(editor, ("tables_loggedaction",))
            shoe = Shoe.objects.select_for_update().get(table__pk=table, retired_at=None)
            assert shoe.cut is not None and shoe.seed is not None, "stack it once it is cut"
            order = list(opened_pack(shoe, vault).dealt_order(shoe.cut))
            coming = cards(text)
            for place, wanted in enumerate(coming, start=shoe.dealt):
                if wanted not in order[place:]:
                    like = (card for card in order[place:] if card.rank == wanted.rank and card not in coming)
                    found = order.index(next(like), place)
                else:
                    found = order.index(wanted, place)
                order[place], order[found] = order[found], order[place]
            order = [*order[len(order) - shoe.cut :], *order[: len(order) - shoe.cut]]
            label, seed = label_of(shoe), seed_for(order, SystemRandomness().seed())
            pack = made_pack(label, shoe.decks, seed, shoe.seed.revealed or ())
            shoe.seed.commitment, shoe.seed.sealed = seed_commitment(label, seed), vault.seal_seed(label, seed)
            shoe.seed.leaves, shoe.commitment = list(pack.leaves), pack.commitment
            shoe.seed.save()
            shoe.save(update_fields=["commitment"])
            places = iter(places_dealt(shoe.decks, shoe.cut, shoe.dealt))
            for log in RoundLog.objects.filter(shoe=shoe).order_by("number"):
                log.opening |= {"commitment": pack.commitment, "seed_commitment": shoe.seed.commitment}
                for line in LoggedAction.objects.filter(log=log, action__do="card").order_by("seq"):
                    opened = line_of(log, line.seq, line.action) | {"salt": pack.salt_of(next(places))}
                    closed = SEALED in line.action
                    line.action = sealed_line(log.pk, line.seq, opened) if closed else opened
                    if closed and log.turned is not None:
                        log.turned[str(line.seq)] = f"{opened['card']} {opened['salt']}"
                    line.save(update_fields=["action"])
                log.save(update_fields=["opening", "turned"])
            seals.create(editor)
            if burnt:
                guards.create(editor, ("tables_loggedaction",))
                guards.let_archived_go(editor)

    def links(self, table: int) -> list[dict[str, Any]]:
        """The lists of bettors' links that the table has published, oldest first: what was offered, what revealed."""
        seeds = PackSeed.objects.filter(table=table).order_by("number")
        return [{"number": one.number, "offered": one.offered, "revealed": one.revealed} for one in seeds]

    def will_throw(self, table: int) -> list[int]:
        """What has been sealed for the table's present round, which nobody else in the house can know."""
        throw = SealedThrow.objects.filter(log__table=table, log__settled_at=None).latest("number")
        return list(opened_throw(throw, Vault(settings.SHOE_KEY)).values)

    def nulls(self, table: int, reason: str) -> None:
        """The pit declares the present throw null."""
        log = Table.objects.select_related("round").get(pk=table).round
        assert log is not None
        null_throw(log.pk, reason)

    def says_that_time_is_over(self, table: int) -> None:
        """What the table's round waits for is over this moment; the dealer is told."""
        with unit_of_work():
            log = RoundLog.objects.select_for_update().get(table__pk=table, settled_at=None)
            log.due_at = DATABASE_CLOCK.now()
            log.save(update_fields=["due_at"])
            announce.nudge(table)

    def clears(self, round: int) -> None:
        """The result of this round has been looked at: the next one is due."""
        with unit_of_work():
            log = RoundLog.objects.select_for_update().get(pk=round)
            assert log.settled_at is not None, "it is not over"
            log.due_at = DATABASE_CLOCK.now()
            log.save(update_fields=["due_at"])
            announce.nudge(log.table_id)

    def voids(self, table: int, reason: str) -> None:
        """The pit voids the present round."""
        log = Table.objects.select_related("round").get(pk=table).round
        assert log is not None
        void_round(log.pk, reason)

    def stops(self, game: str) -> None:
        """No new round of this game begins."""
        halts.stop(self._boss(), game, "Test 1: the dice are being exchanged")

    def lets_go_on(self, game: str) -> None:
        """Rounds of it begin again."""
        second = Player.objects.get(pk=self.hires("boss-of-halts", "pit_boss", uuid4().hex))
        halts.end(self._boss(), game, "Test 1: they were exchanged", approved_by=second)

    def alarms(self, tables: list[int]) -> None:
        """Somebody's bet has reached what these tables say is big: an alert at each of them."""
        with unit_of_work():
            for table in tables:
                about = {"who": "Ana", "player": 0, "cents": 5_000_00, "round": 1}
                alerts.raise_alert(
                    Alert.Kind.BIG_BET, f"test:{table}", at=DATABASE_CLOCK.now(), table=table, about=about
                )

    def keeps_the_books(self, by: int, table: int, player: int, round: int) -> dict[str, int]:
        """A shift manager fills the table, counts it one credit short, restricts a player, and writes down an incident,
        a bookmark and whom to watch; another asks for an authorisation, and the player for a review. Says the numbers
        of the order, the count and the review."""
        boss, cage = Player.objects.get(pk=by), Player.objects.get(pk=self.hires("cage-of-books", "cage", uuid4().hex))
        order = floats.order_chips(boss, table, "fill", 20_000_00, "Test 1: a big night")
        floats.confirm_chips(cage, order.pk)
        held = Account.objects.get(kind=Account.Kind.FLOAT, table=table).balance // 100 - 1
        short = chip_books.count_float(
            boss, table, {1_000: held // 1_000, 1: held % 1_000}, 0, "Test 1: one lies under the tray"
        )
        notes.write(boss, "Test 1: A glass was knocked over beside the shoe; no card was touched.", table=table)
        notes.write(boss, "Test 1: Look at the cut here.", log=round, seq=1)
        watches.watch(boss, player, "Test 1: asked others for chips")
        for kind in ("warning", "mute", "limit"):
            sanctions.restrict(boss, player, kind, "Test 1: was loud", cents=500_00 if kind == "limit" else None)
        today = macau_date(DATABASE_CLOCK.now())
        wanted, first = {"lucky_six": True}, today + timedelta(days=30)
        authorisations.request(self._boss(), "baccarat", wanted, today, first, "Test 1: all tables")
        review = reviews.ask(player, round, "payment", "Test 1: I had more on the Player.")
        return {"order": order.pk, "count": short.pk, "review": review.pk}

    def balance(self, player: int) -> int:
        """Cents in the wallet, by the transfers and not by what is cached; both must agree."""
        account = Account.objects.get(player=player)
        came = Transfer.objects.filter(credit=account).aggregate(cents=Sum("amount"))["cents"] or 0
        went = Transfer.objects.filter(debit=account).aggregate(cents=Sum("amount"))["cents"] or 0
        assert came - went == account.balance == wallet.balance_of(player)
        return came - went

    def round(self, table: int) -> dict[str, Any]:
        """The present round: id, number, phase, shoe."""
        log = Table.objects.select_related("round").get(pk=table).round
        assert log is not None, "no round has begun"
        return {"id": log.pk, "number": log.number, "phase": log.phase, "shoe": log.shoe_id}

    def stakes(self, table: int) -> dict[str, int]:
        """What lies on the layout now, in cents, by "player id spot"."""
        log = Table.objects.select_related("round").get(pk=table).round
        sums: dict[str, int] = {}
        for stake in round_of(log).stakes() if log is not None else ():
            name = f"{player_of(stake.by)} {stake.spot}"
            sums[name] = sums.get(name, 0) + stake.amount
        return sums

    def played(self, round: int, player: int) -> dict[str, int]:
        """What a settled round took from the player and gave back, by the ledger and by the list; in cents."""
        moved = Transfer.objects.filter(log=round)
        account = Account.objects.get(player=player)
        staked = moved.filter(debit=account).aggregate(cents=Sum("amount"))["cents"] or 0
        returned = moved.filter(credit=account).aggregate(cents=Sum("amount"))["cents"] or 0
        line = Played.objects.get(log=round, player=player)
        assert (line.staked, line.returned) == (staked, returned)
        return {"staked": staked, "returned": returned}

    def result(self, round: int) -> dict[str, Any]:
        """The result of a round that is over."""
        log = RoundLog.objects.get(pk=round)
        assert log.settled_at is not None and log.result is not None
        return dict(log.result)

    def actions(self, round: int) -> list[str]:
        """What was done in a round, in order: "who does"."""
        lines = LoggedAction.objects.filter(log=round).order_by("seq")
        return [f"{line.by} {line.action['do']}" for line in lines]

    def sitting(self, table: int) -> dict[str, int]:
        """Seat -> player id."""
        return {str(seat.number): seat.player_id for seat in Seat.objects.filter(table=table)}

    def reports(self, player: int) -> list[dict[str, Any]]:
        """What a player has shown to the pit, oldest first."""
        reports = Report.objects.filter(by_id=player).order_by("at")
        return [{"about": one.about_id, "text": one.text, "reason": one.reason} for one in reports]

    def said_in_silence(self, table: int) -> list[str]:
        """What was said at a table while nobody might talk."""
        logs = RoundLog.objects.filter(table=table).order_by("number")
        return [line.text for log in logs for line in said_in_silence(log)]

    def table(self, slug: str) -> int:
        """The id of a table by its slug."""
        return Table.objects.get(slug=slug).pk

    def options(self, round: int) -> dict[str, Any]:
        """The house options under which a round is played."""
        return dict(RoundLog.objects.get(pk=round).options)

    def rounds(self, table: int) -> list[int]:
        """The ids of the table's rounds, oldest first."""
        return list(RoundLog.objects.filter(table=table).order_by("number").values_list("pk", flat=True))

    # ── kiosks ──────────────────────────────────────────────────────────────────────────────────────────────

    def makes_a_kiosk(self, name: str, tables: list[int], languages: list[str], credits: int, idle_seconds: int) -> int:
        """A new kiosk, which no screen is yet; its id."""
        setting = kiosks.Setting(name, "At the entrance", tables, languages, credits, idle_seconds)
        return kiosks.make(self._boss(), setting).pk

    def confirms(self, kiosk: int, code: str) -> None:
        """The screen that shows this code is this kiosk."""
        kiosks.enrol(self._boss(), kiosk, code)

    def enrols(self, kiosk: int) -> dict[str, Any]:
        """A screen asks, is confirmed and begins as this kiosk: its name for itself, and its cookies."""
        return self._enrols(kiosk, SessionStore())

    def is_visited(self, kiosk: int, language: str, knows: str) -> dict[str, Any]:
        """A screen that is enrolled, and touched by somebody who speaks `language` and knows the game `knows`."""
        session = SessionStore()
        told = self._enrols(kiosk, session)
        one = Kiosk.objects.get(pk=kiosk)
        self._logs_in(session, visitors.welcome(kiosk, one.use))
        screen_sessions.choose_language(one, session, language)
        screen_sessions.meets(session, knows)
        session.save()
        return told

    def _enrols(self, kiosk: int, session: SessionStore) -> dict[str, Any]:
        screen = uuid4().hex
        code, secret = kiosks.ask(screen)
        self.confirms(kiosk, code)
        begun = kiosks.answered(secret, screen)
        assert begun is not None
        screen_sessions.mark(session, kiosk, begun.use)
        session.save()
        cookies = {screen_sessions.TOKEN: begun.token, settings.SESSION_COOKIE_NAME: session.session_key}
        return {"screen": screen, "cookies": cookies}

    def tells(self, kiosk: int, what: str, say: str = "") -> None:
        """The pit has it restart, locks or unlocks it, shows a message, revokes or retires it."""
        said = {"lock": [say], "show": [say], "revoke": [say], "retire": [say]}
        getattr(kiosks, what)(self._boss(), kiosk, *said.get(what, []))

    def dims(self, kiosk: int, percent: int) -> None:
        """The pit has it be so bright at every hour."""
        kiosks.plan(self._boss(), kiosk, Schedule(brightness=((0, percent),)))

    def kiosk(self, kiosk: int) -> dict[str, Any]:
        """How it stands: use, what it shows, who plays there now, how many have, and the alerts about it."""
        one = Kiosk.objects.get(pk=kiosk)
        raised = Alert.objects.filter(about__kiosk=one.name).order_by("pk").values_list("kind", flat=True)
        return {
            "use": one.use,
            "showing": one.showing,
            "visitor": one.visitor_id,
            "visitors": list(one.visitors.order_by("pk").values_list("pk", flat=True)),
            "alerts": list(raised),
        }

    def _boss(self) -> Player:
        """The pit boss who looks after kiosks."""
        boss = Player.objects.filter(username="boss-of-kiosks").first()
        return boss or Player.objects.get(pk=self.hires("boss-of-kiosks", "pit_boss", uuid4().hex))


def main() -> None:
    clerk = Clerk()
    print(json.dumps({"is": "ready"}), flush=True)
    for line in sys.stdin:
        told = json.loads(line)
        deed: Callable[..., Any] = getattr(clerk, told.pop("do"))
        try:
            answer = {"is": deed(**told)}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        finally:
            connections.close_all()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
