"""Short games from given deals, and moves by name."""

from __future__ import annotations

from typing import Any

import domino_env
from domino_env.actions import Move, encode
from domino_env.batches import Batch
from domino_env.ruleset import Rules

SMALL = domino_env.rules("block_draw", hand_size=2)
"""Block & Draw with two tiles each: a round of two or three moves."""

SIX_OPENS = [["6|6", "0|6"], ["1|6", "5|5"]]
"""Seat 0 opens with the 6|6. Seat 1 plays the 1|6, seat 0 the 0|6, and is out: 10 points."""


def deal(hands: list[list[Any]], starter: int | None = None, highest: int = 6) -> dict[str, Any]:
    """A deal of these hands; all other tiles are the boneyard, in the order of their numbers."""
    held = {tuple(map(int, tile.split("|"))) for hand in hands for tile in hand}
    tiles = [(low, high) for low in range(highest + 1) for high in range(low, highest + 1)]
    found: dict[str, Any] = {"hands": hands, "boneyard": [t for t in tiles if t not in held]}
    return found if starter is None else {**found, "starter": starter}


def action(batch: Batch, tile: str, end: int) -> int:
    """The legal action that plays a tile on an end of lane 0."""
    low, high = map(int, tile.split("|"))
    found = [
        number
        for number, move in zip(batch.position().legal_actions, batch.position().legal, strict=True)
        if move.tile == (low, high) and move.end == end
    ]
    assert len(found) == 1, f"{tile} on end {end} is {len(found)} moves\n{batch.position()}"
    return found[0]


def play(batch: Batch, *moves: tuple[str, int]) -> None:
    """Plays tiles on ends in lane 0, in turn; in a batch of one."""
    for tile, end in moves:
        batch.step([action(batch, tile, end)])


def extra(batch: Batch, kind: str) -> int:
    """The action that is not the play of a tile."""
    return encode(batch.rules, Move(kind), batch.calls)


def small(hands: list[list[Any]] = SIX_OPENS, rules: Rules = SMALL, **options: Any) -> Batch:
    """A batch of one with a deal, its opening laid."""
    batch = Batch(rules, 1, len(hands), **{"seed": 0, **options})
    batch.reset(options={"deal": deal(hands)})
    return batch


def openings(batch: Batch) -> list[str]:
    """The positions of all lanes as text, for comparing."""
    return [str(batch.position(lane)) for lane in range(batch.num_games)]
