"""One-player games for tests: dealt, played and looked at."""

from __future__ import annotations

from typing import Any

import pytest

import domino_env
from domino_env.actions import Tile
from domino_env.batches import Batch
from domino_env.solo import SoloPosition
from tests.games import ALONE
from tests.test_golden import FOLDER, load
from tests.test_solo_golden import flat
from tests.test_states import LANES

WHOLE_SET = [Tile(low, high) for low in range(7) for high in range(low, 7)]
COLUMNS = 7
SHORT: dict[str, list[dict[str, Any]]] = {"solitaire": [{"moves": 4}, {"moves": 30}]}
"""Changes of the rules with which a game is cut off sooner."""

every_variant = pytest.mark.parametrize("variant", ALONE)


def ways_to_play(variant: str) -> list[Any]:
    """The rules of a game, and with an earlier end."""
    return [domino_env.rules(variant, **changes) for changes in [{}, *SHORT.get(variant, [])]]


def look(batch: Batch, lane: int = 0) -> SoloPosition:
    """The position of a lane."""
    position = batch.position(lane)
    assert isinstance(position, SoloPosition)
    return position


def upright(tile: Tile) -> Tile:
    """The tile as it is named, however it lies."""
    return Tile(*sorted(tile))


def golden(name: str) -> dict[str, Any]:
    """A golden game."""
    return load(FOLDER / f"{name}.json")


def playing(variant: Any, steps: int = 3, **options: Any) -> Batch:
    """A batch in the middle of its games."""
    batch = domino_env.batch(variant, LANES, **{"seed": 3, **options})
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def at_the_end_of(name: str, before: int = 0, **options: Any) -> Batch:
    """A batch of one after the moves of a golden game, but for the last few."""
    game = golden(name)
    rules = domino_env.rules(game["variant"], **{**game["options"], **options})
    batch = domino_env.batch(rules, 1, autoreset=False)
    batch.reset(options={"deal": flat(game["deal"])})
    for step in game["steps"][: len(game["steps"]) - before]:
        make(batch, step["move"])
    return batch


def make(batch: Batch, words: str) -> None:
    """Makes the move of this name in a batch of one."""
    position = look(batch)
    batch.step([position.legal_actions[list(map(str, position.legal)).index(words)]])


def taken(position: SoloPosition) -> list[Tile]:
    """The tiles that have left the row."""
    told = [event for event in position.events if event.kind in ("remove", "knock")]
    return [tile for event in told for tile in (event.tile, event.other) if tile is not None]


# Ends --------------------------------------------------------------------------------------------


def most_decisions(rules: Any) -> int:
    """More decisions than a game can have: two tiles go with each; or all are made, and STOP; or
    each tile waits for its number through thirteen passes (EL2) of as many as there are."""
    if rules.play == "counting":
        return 13 * sum(range(29))
    return 14 if rules.play == "pairs" else rules.moves + 1


def put(record: Any, tile: int, column: int, place: int, lies: tuple[int, int]) -> None:
    """Puts a tile at a place of a column, as it lies."""
    record["column"][column, place] = tile
    record["column_of"][tile], record["depth_of"][tile] = column, place
    record["first"][tile], record["second"][tile] = lies
