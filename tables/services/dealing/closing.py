"""A table closes: its last round is over."""

from __future__ import annotations

from datetime import datetime

from tables.base.clock import Clock
from tables.games import GAMES
from tables.games.codec import opening_json
from tables.games.contract.actions import GiveBack, Refund, Step, Void, VoidReason
from tables.games.contract.round import Opening, Stake
from tables.games.shared.options import read_options
from tables.models import RoundLog, Table
from tables.models.bettors import player_of
from tables.queries.folds import game_of, round_of
from tables.services.money import wallet
from tables.services.pit import lifecycle
from tables.services.rounds.round_session import opened_session

from .leases import DealerCredentials
from .shoes import retire, wants_fresh_shoe
from .throws import open_uncounted


def is_to_close(table: Table, last: RoundLog | None) -> bool:
    """Whether the time has come that was ordered for closing the table; its last round is over."""
    if table.closing != Table.Closing.AFTER_SHOE:
        return table.closing == Table.Closing.AFTER_ROUND
    game = GAMES[table.game]
    rules = game.shoe(read_options(game.options, table.options))
    return rules is None or wants_fresh_shoe(table, rules, None if last is None else round_of(last))


def close_table(table: Table, credentials: DealerCredentials, now: datetime, clock: Clock) -> None:
    """Close the table: whatever did not count is opened, what was carried goes back, the shoe is opened, and the float
    is counted."""
    last = table.round
    carried = () if last is None else round_of(last).carried()
    concerned = {wallet.house_of(table.realm), wallet.escrow(table.pk), wallet.float_of(table.pk)}
    concerned |= {wallet.player(player_of(stake.by)) for stake in carried}
    if table.jackpot_id is not None:
        concerned.add(wallet.jackpot(table.jackpot_id))
    wallet.lock(concerned)  # all at once, by id: what is done from here on locks some of them again
    if last is not None:
        open_uncounted(last, credentials.vault)  # of one that the pit has cancelled: it has no key
        if carried:
            _give_back(table, last, carried, now)
    if table.shoe is not None:
        retire(table.shoe, credentials.vault, now)
    lifecycle.shut(table, clock=clock)


def _give_back(table: Table, last: RoundLog, carried: tuple[Stake, ...], now: datetime) -> None:
    """One round more, in which nothing is played: what was carried to it goes back to its bettors, none of whom sits
    here any more, and it is void."""
    game = game_of(last)
    options = read_options(game.options, last.options)
    opening = Opening(carried=carried)
    log = RoundLog(
        table=table,
        jackpot_id=last.jackpot_id,
        number=last.number + 1,
        game=game.slug,
        edition=last.edition,
        options=last.options,
        opening=opening_json(opening),
        phase="",
        started_at=now,
        wait_began_at=now,
    )
    session = opened_session(log, game.opened(options, opening), table, now)
    while isinstance(due := session.round.next_house_step(), Step) and isinstance(due.action, Refund):
        session.act(due.action)
    if GiveBack in game.steps:
        session.act(GiveBack())
    session.act(Void(reason=VoidReason.TABLE_CLOSES))
    session.write()
    table.round = log
    table.save(update_fields=["round"])
