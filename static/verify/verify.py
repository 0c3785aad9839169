#!/usr/bin/env python3
"""Verify the proof of a round of Macau Floor: python3 verify.py BUNDLE [--noted EARLIER] [--house URL] [--round N]

BUNDLE is what the house gives as /rounds/<number>/proof.json; - reads standard input. This program needs Python 3.8 or
newer and nothing else, and knows nothing of the house but the format. Of each claim it says whether it is proven, not
opened yet, not checked here, or BROKEN. The status is 1 if any is broken, else 2 if any is not opened yet, else 0.

EARLIER is a bundle of the same round that you have kept: nothing of it may have changed. The rules pay the record out
if `python -m tables.games` is at hand, in a checkout of Macau Floor.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import re
import subprocess
import sys
from collections import Counter, namedtuple
from collections.abc import Iterator
from typing import Any

FORMAT = "macau-floor-proof/2"
MOST_BYTES, MOST_DEPTH, MOST_LINKS = 4 << 20, 12, 16
PROVEN, CLOSED, UNCHECKED, BROKEN = "proven", "not opened yet", "not checked", "BROKEN"
RANKS = "A23456789TJQK"

# fmt: off
# What a bundle looks like: a text is a pattern, a pair are bounds, "?" is what may be left out.
HASH, ID, NAME = "[0-9a-f]{64}", (1, 1 << 53), ".{1,64}"
SOURCE = {"number": ID, "seed_commitment": HASH, "offered": [[NAME, HASH]], "revealed": [[NAME, HASH]], "seed?": HASH}
PACK = {**SOURCE, "decks": (1, 8), "leaves": [HASH], "root": HASH, "cut": (0, 415)}
CARD = {"deal": (1, 416), "place": (1, 416), "salt": "[0-9a-f]{32}", "card": f"[{RANKS}][shdc]", "to": NAME}
THROW = {**SOURCE, "leaf": HASH, "salt?": "[0-9a-f]{32}", "value?": "[0-9]+( [0-9]+)*", "counts": bool}
ROUND = {"house": ".{1,200}", "table": ID, "round": ID, "record?": dict, "outcome?": {"result": dict}}
HANDS = {"baccarat": "(player|banker) [123]", "blackjack": "(box [1-9]|bank) [0-9]{1,2}",
         "stud_poker": "(box [1-9]|dealer) [1-5]", "three_card_baccarat": "(place [1-9]|banker) [123]"}
THROWN = {"roulette": (1, 37, 0), "cussec": (3, 6, 1)}  # how many numbers, out of how many, the least
# fmt: on


Claim = namedtuple("Claim", "code of state detail")


class UnreadableError(Exception):
    """No bundle that can be checked: a word for why, and where."""


def verify(data: bytes, house: str = "", round_: int = 0, noted: bytes = b"", rules: Any = None) -> list[Claim]:
    """All claims of a bundle, and what became of them. `rules` gives the outcome of a record, None if it cannot."""
    try:
        bundle = read(data, house, round_)
        kept = read(noted, house, round_) if noted else None
    except UnreadableError as error:
        return [Claim(error.args[0], "", BROKEN, error.args[1])]
    claims = [*(claims_of_pack(bundle) if "pack" in bundle else claims_of_throws(bundle))]
    for part, fault_of in (("record", fault_of_record), ("outcome", fault_of_outcome)):
        try:
            fault = fault_of(bundle) if part in bundle else ""
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            fault = "it is not of the format"
        claims.append(judged(part, "", not fault if part in bundle else None, fault))
    outcome = rules(bundle["record"]) if rules and "record" in bundle and "outcome" in bundle else None
    played = judged("stakes", "", outcome == bundle.get("outcome"), "the outcome is another by the rules")
    claims.append(Claim("stakes", "", UNCHECKED, "no rules here, or no record") if outcome is None else played)
    if kept is not None:
        gone = differences(kept, bundle)
        claims.append(judged("noted", "", not gone, f"not what you have kept: {', '.join(gone[:3])}"))
    for name, given in (("house", house), ("round", round_ or kept)):
        claims.append(Claim(name, "", PROVEN if given else UNCHECKED, str(bundle[name])))
    return claims


def judged(code: str, of: str, good: bool | None, wrong: str, note: str = "") -> Claim:
    return Claim(code, of, CLOSED if good is None else PROVEN if good else BROKEN, wrong if good is False else note)


def read(data: bytes, house: str, round_: int) -> Any:
    if len(data) > MOST_BYTES:
        raise UnreadableError("too large", f"more than {MOST_BYTES} bytes")
    try:
        bundle = json.loads(data.decode("utf-8-sig"), parse_constant=int)
    except (RecursionError, ValueError) as error:
        raise UnreadableError("nested too deep" if isinstance(error, RecursionError) else "no JSON", "") from None
    level = [bundle]
    for _ in range(MOST_DEPTH):
        lists = [part.values() if isinstance(part, dict) else part for part in level if isinstance(part, (dict, list))]
        level = [inner for each in lists for inner in each]
    if level:
        raise UnreadableError("nested too deep", "")
    if not isinstance(bundle, dict) or bundle.get("format") != FORMAT:
        raise UnreadableError("another version", f"not {FORMAT}")
    game = bundle.get("game")
    if game not in [*HANDS, *THROWN]:
        raise UnreadableError("wrong type", "game")
    check_shape(bundle, {**ROUND, **({"throws": [THROW]} if game in THROWN else {"pack": PACK, "cards": [CARD]})}, "")
    if any(len(source["offered"]) > MOST_LINKS for source in bundle.get("throws") or [bundle.get("pack", SOURCE)]):
        raise UnreadableError("too many links", f"{MOST_LINKS} are the most")
    for name, given in (("house", house), ("round", round_)):
        if given and bundle[name] != given:
            raise UnreadableError(f"another {name}", f"{bundle[name]}, not {given}")
    return bundle


def check_shape(value: Any, shape: Any, where: str) -> None:
    if isinstance(shape, str):
        good = isinstance(value, str) and re.fullmatch(shape, value) is not None
    elif isinstance(shape, tuple):
        good = type(value) is int and shape[0] <= value <= shape[1]
    else:
        good = isinstance(value, shape if isinstance(shape, type) else type(shape))
    if not good or (isinstance(shape, list) and len(shape) == 2 != len(value)):
        raise UnreadableError("wrong type", where[1:])
    if isinstance(shape, dict):
        for name in shape:
            if name.rstrip("?") in value or not name.endswith("?"):
                check_shape(value.get(name.rstrip("?")), shape[name], f"{where}.{name.rstrip('?')}")
    elif isinstance(shape, list):
        for at, each in enumerate(value):
            check_shape(each, shape[at % len(shape)], f"{where}.{at + 1}")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def hmac_hex(key: str, text: str) -> str:
    return hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest()


def key_of(source: Any) -> str:
    return hmac_hex(source.get("seed", ""), sha256("mix:" + ":".join(link for _, link in source["revealed"])))


def words(key: str, of: str) -> Iterator[int]:
    for block in range(1 << 32):
        drawn = hmac_hex(key, f"{of}:{block}")
        yield from (int(drawn[at : at + 8], 16) for at in range(0, 64, 8))


def draw(source: Iterator[int], bound: int) -> int:
    return next(word for word in source if word < (1 << 32) - (1 << 32) % bound) % bound


def order_of(key: str, decks: int) -> list[str]:
    order = [rank + suit for _ in range(decks) for suit in "shdc" for rank in RANKS]
    source = words(key, "order")
    for size in range(len(order), 1, -1):
        chosen = draw(source, size)
        order[size - 1], order[chosen] = order[chosen], order[size - 1]
    return order


def claims_of_seed(source: Any, table: int, of: str) -> Iterator[Claim]:
    """That the seed is the one committed to, and that each link revealed lies beneath the one offered."""
    fits = sha256(f"seed:{table}:{source['number']}:{source.get('seed')}") == source["seed_commitment"]
    yield judged("seed", of, fits if "seed" in source else None, "it is not the one committed to")
    offered, revealed = dict(source["offered"]), dict(source["revealed"])
    silent = [bettor for bettor in offered if bettor not in revealed]
    fits = all(sha256(link) == offered.get(bettor) for bettor, link in revealed.items())
    fits = fits and list(revealed) == [bettor for bettor in offered if bettor in revealed]
    fits = fits and [len(offered), len(revealed)] == [len(source["offered"]), len(source["revealed"])]
    told = f"{len(revealed)} of {len(offered)} bettors" + (f"; silent: {', '.join(silent)}" if silent else "")
    yield judged("links", of, fits, "a link does not fit, is out of order, or stands there twice", told)


def claims_of_pack(bundle: Any) -> Iterator[Claim]:
    pack, of = bundle["pack"], f"pack {bundle['pack']['number']}"
    name, leaves, size = f"{bundle['table']}:{pack['number']}", pack["leaves"], 52 * pack["decks"]
    yield from claims_of_seed(pack, bundle["table"], of)
    fits = len(leaves) == size and sha256("".join(f"{leaf}\n" for leaf in leaves)) == pack["root"]
    yield judged("root", of, fits, "it does not follow from the leaves, or they are not one a card")
    key = key_of(pack)
    cards = enumerate(order_of(key, pack["decks"]), start=1)
    fits = leaves == [sha256(f"card:{name}:{at}:{hmac_hex(key, f'salt:{at}')[:32]}:{card}") for at, card in cards]
    yield judged("order", of, fits if "seed" in pack else None, "the leaves do not follow from seed and links")
    for card in bundle["cards"]:
        leaf = sha256(f"card:{name}:{card['place']}:{card['salt']}:{card['card']}")
        fits = pack["cut"] < size and card["place"] == (pack["cut"] + card["deal"] - 1) % size + 1
        fits = fits and leaves[card["place"] - 1 : card["place"]] == [leaf]
        of = f"card {card['deal']}"
        yield judged("card", of, fits, "another leaf, or another place", f"{card['card']} to {card['to']}")
    deals, hands = [card["deal"] for card in bundle["cards"]], hands_of(bundle)
    known = [re.fullmatch(f"{HANDS[bundle['game']]}|burn [0-9]+", card["to"]) for card in bundle["cards"]]
    fits = all(known) and deals == sorted(set(deals)) and sum(map(len, hands.values())) == len(deals)
    for hand in hands.values():  # without a record some cards of a hand may be all that was seen
        fits = fits and list(hand) == sorted(hand) and (len(hand) in (1, max(hand)) or "record" not in bundle)
    whose = judged("hands", "", fits, "the cards of a hand are miscounted")
    yield whose if any(known) else Claim("hands", "", UNCHECKED, "no card says whose it is")


def hands_of(bundle: Any) -> dict[str, dict[int, str]]:
    """The cards of each hand by their numbers."""
    hands: dict[str, dict[int, str]] = {}
    for card in bundle.get("cards", ()):
        hand, _, number = card["to"].rpartition(" ")
        hands.setdefault(hand, {})[int(number) if number.isdigit() else 0] = card["card"]
    return hands


def claims_of_throws(bundle: Any) -> Iterator[Claim]:
    count, bound, least = THROWN[bundle["game"]]
    for throw in bundle["throws"]:
        of, salt, value = f"throw {throw['number']}", throw.get("salt"), throw.get("value")
        yield from claims_of_seed(throw, bundle["table"], of)
        leaf = sha256(f"throw:{bundle['table']}:{throw['number']}:{salt}:{value}")
        yield judged("leaf", of, leaf == throw["leaf"] if salt or value else None, "it is another", str(value))
        source = words(key_of(throw), "throw")
        made = " ".join(str(least + draw(source, bound)) for _ in range(count))
        fits = [value, salt] == [made, hmac_hex(key_of(throw), "salt:1")[:32]]
        yield judged("numbers", of, fits if "seed" in throw else None, f"seed and links give {made}")
    numbers, counts = ([throw[name] for throw in bundle["throws"]] for name in ("number", "counts"))
    fits = numbers == sorted(set(numbers)) and not any(counts[:-1])
    fits = fits and ("outcome" not in bundle or any(counts) != ("void" in bundle["outcome"]["result"]))
    yield judged("counts", "", fits, "out of order, not the last one, none, or one of a void round")


def what_counts(bundle: Any) -> list[int]:
    throws = [throw.get("value", "") for throw in bundle["throws"] if throw["counts"]]
    return sorted(int(number) for value in throws for number in value.split())


def fault_of_record(bundle: Any) -> str:
    """Where the record is not of these cards or numbers; empty if nowhere."""
    chance = bundle["record"]["chance"]
    if bundle["record"]["game"] != bundle["game"]:
        return "it is of another game"
    if "throws" in bundle:
        numbers = [number for number in chance if number is not None]
        nulls = len(bundle["throws"]) - 1 if bundle["game"] == "roulette" and numbers else len(chance) - len(numbers)
        fits = sorted(numbers) == what_counts(bundle) and len(chance) - len(numbers) == nulls
    else:
        seen = [(card["deal"] - 1, card["card"]) for card in bundle["cards"] if not card["to"].startswith("burn")]
        starts = range(seen[0][0] + 1) if seen else ()  # where in the deal the record's first card may be
        fits = not seen or any(all(chance[at - start :][:1] == [card] for at, card in seen) for start in starts)
    return "" if fits else f"it has {chance}"


def fault_of_outcome(bundle: Any) -> str:
    """Where the outcome is not of these cards or numbers, as far as one sees it without the rules; empty if nowhere."""
    result, game, fits = bundle["outcome"]["result"], bundle["game"], True
    hands = {hand: list(cards.values()) for hand, cards in hands_of(bundle).items() if hand != "burn"}
    if "void" in result:
        return ""
    if game in THROWN:
        fits = what_counts(bundle) == ([result["number"]] if game == "roulette" else result["dice"])
    elif game == "baccarat":
        points = {hand: sum(min(RANKS.index(card[0]) + 1, 10) for card in cards) % 10 for hand, cards in hands.items()}
        fits = all(points[hand] == result[hand] for hand in points if hand in result)
    elif game == "blackjack":
        said = {"bank": [result["bank"]], **{f"box {box}": each for box, each in result["boxes"].items()}}
        boxes = {hand: Counter(card for each in said.get(hand, ()) for card in each) for hand in hands}
        fits = not any(Counter(cards) - boxes[hand] for hand, cards in hands.items())
    return "" if fits else f"it has {result}"


def by_the_rules(record: Any) -> Any:
    command = [sys.executable, "-m", "tables.games", "-"]
    ran = subprocess.run(command, input=json.dumps(record).encode(), capture_output=True, check=False)
    return json.loads(ran.stdout) if ran.stdout else None


def flat(part: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Each single value and where it stands; a card stands at its place in the deal."""
    named = part.items() if isinstance(part, dict) else enumerate(part, start=1) if isinstance(part, list) else None
    if named is None:
        yield where, part
    for name, inner in named or ():
        deal = inner.get("deal", name) if where == ".cards" else name
        yield from flat(inner, f"{where}.{deal}")


def differences(kept: Any, bundle: Any) -> list[str]:
    """Where what was kept is gone or another. A throw that was closed may have come to count."""
    closed = [f".throws.{at}.counts" for at, throw in enumerate(kept.get("throws", ()), 1) if "seed" not in throw]
    now = dict(flat(bundle))
    return [where for where, value in flat(kept) if where not in closed and [value] != [now.get(where)]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle")
    parser.add_argument("--noted", metavar="EARLIER", help="a bundle of the same round that you have kept")
    parser.add_argument("--house", default="", help="the address of the house, as you know it")
    parser.add_argument("--round", type=int, default=0, help="the number of the round, as you know it")
    asked, taken = parser.parse_args(), []
    for name in filter(None, (asked.bundle, asked.noted)):
        with sys.stdin.buffer if name == "-" else open(name, "rb") as file:
            taken.append(file.read(MOST_BYTES + 1))
    claims = verify(taken[0], asked.house, asked.round, b"".join(taken[1:]), by_the_rules)
    for code, of, state, detail in claims:
        sys.stdout.write(f"{state:16}{of}{': ' if of else ''}{code}{f' ({detail})' if detail else ''}\n")
    states = {claim.state for claim in claims}
    return 1 if BROKEN in states else 2 if CLOSED in states else 0


if __name__ == "__main__":
    sys.exit(main())
