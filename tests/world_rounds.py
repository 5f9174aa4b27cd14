"""Small rounds for the referees of the world's games, and how to play them.

Hands are written "66 35 / 65 11 / ...", a play "65", or "65>1" where the end matters.
"""

from __future__ import annotations

from typing import Any

from tests import reference
from tests.reference.world import WorldReferee

Deal = tuple[str, str]  # the hands, and the plays of a whole round

# Who leads 6-6 goes out, with a tile that fits both ends.
A: Deal = ("66 35 / 65 11 / 63 22 / 00 01", "66 65 63 35")
# Blocked by seat 3.
B: Deal = ("66 00 / 61 11 / 62 55 / 12 33", "66 61>0 62>1 12>0")
# The next seat goes out, with a tile that fits one end.
C: Deal = ("66 22 / 65 35 / 00 11 / 01 02", "66 65 35")
# Blocked by seat 3, with less in the hands of the other team.
LESS_WITH_US: Deal = ("66 00 / 61 11 / 62 33 / 12 55", B[1])
# Blocked: 10 pips against 10.
EQUAL_TOTALS: Deal = ("66 00 / 61 11 / 62 55 / 12 35", B[1])
# Blocked: the lowest hand, 5 pips, is held by seats 0 and 1.
SHARED_LOWEST: Deal = ("66 14 / 61 05 / 62 55 / 12 33", B[1])


def new_game(variant: str, players: int = 4, **settings: Any) -> WorldReferee:
    return reference.world.new_game(variant, players, **settings)


def tiles(words: str) -> list[tuple[int, int]]:
    return [(min(t), max(t)) for t in (tuple(map(int, word)) for word in words.split())]


def turned(deal: Deal, by: int) -> Deal:
    """The same round with everybody so many seats further on."""
    hands = deal[0].split(" / ")
    return " / ".join(hands[-by:] + hands[:-by]), deal[1]


def begin(game: WorldReferee, hands: str, starter: int | None = None, first: str = "") -> None:
    """Starts a round; `first` is what lies on top of the boneyard."""
    dealt = [tiles(hand) for hand in hands.split("/")]
    on_top = tiles(first)
    out = {tile for hand in dealt for tile in hand} | set(on_top)
    game.start_round(dealt, on_top + [tile for tile in game.tiles if tile not in out], starter)


def lay(game: WorldReferee, plays: str) -> list[int]:
    """Makes plays; returns what everybody gained with all of them together."""
    total = [0] * game.players
    for play in plays.split():
        tile, _, end = play.partition(">")
        found = [m for m in game.legal() if m[1] == tiles(tile)[0] and end in ("", str(m[2]))]
        total = [sum(pair) for pair in zip(total, game.apply(min(found)), strict=True)]
    return total


def whole(game: WorldReferee, deal: Deal, by: int = 0) -> list[int]:
    """Plays a whole round, turned by some seats; who led 6-6 in the deal is drawn, if need be."""
    hands, plays = turned(deal, by)
    begin(game, hands, by)
    forced = len(game.layout.pieces)
    gained = lay(game, " ".join(plays.split()[forced:]))
    assert game.round_over
    return gained


def matches(variant: str, *deals: Deal, **settings: Any) -> WorldReferee:
    """A match after these rounds, each turned so that whoever leads holds the 6-6."""
    game = new_game(variant, episode="match", hand_size=2, **settings)
    for deal in deals:
        whole(game, deal, leader(game))
    return game


def leader(game: WorldReferee) -> int:
    """Who leads the next round; seat 0, if a double or a lot opens it."""
    how = game.opening()
    return how if isinstance(how, int) else 0
