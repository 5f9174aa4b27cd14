"""The drawing of a table of curved tiles shows where every tile really lies."""

from __future__ import annotations

import numpy as np
import pytest

import domino_env
from domino_env.engine.layout.hexes import ORIGIN
from domino_env.hex_text import draw_hexes
from domino_env.laid import Arc, Mouth
from domino_env.position import Position
from tests.games import AT_A_TABLE

CURVED = [v for v in AT_A_TABLE if domino_env.rules(v).layout.tiles == "curved"]


def arcs_of(position: Position) -> list[Arc]:
    return [laid.arc for laid in position.laid if laid.arc is not None]


def test_an_opening_tile_and_one_joined_to_it() -> None:
    """[3|3] lies in corner 0 of the first cell; [3|4] joins end 0 by its 3 and turns right."""
    batch = domino_env.batch("bendomino", 1, num_players=2)
    first, second = [(3, 3), *((0, high) for high in range(1, 7))], [(3, 4)]
    others = [(low, high) for high in range(1, 7) for low in range(1, high)]
    second += [tile for tile in others if tile != (3, 4)][:6]
    rest = {(low, high) for high in range(7) for low in range(high + 1)} - {*first, *second}
    batch.reset(options={"deal": {"hands": [first, second], "boneyard": sorted(rest)}})
    before = batch.position(0)
    moves = [(move.tile, move.end, move.half) for move in before.legal]
    batch.step(np.array([before.legal_actions[moves.index(((3, 4), 0, 0))]]))
    position = batch.position(0)
    assert [tile for tile, _ in position.played] == [(3, 3), (3, 4)]
    assert arcs_of(position) == [Arc(0, 0, 0, 1), Arc(1, -1, 3, 4)]
    assert position.mouths == {0: Mouth(1, 0, 0), 1: Mouth(0, -1, 3)}
    assert draw_hexes([(3, 3), (3, 4)], arcs_of(position), position.mouths) == [
        "    ·       ·",
        "",
        "",
        "·               ·       ·",
        "",
        "       [1]",
        "    ·       ·               ·",
        "        3      3────╮",
        "        ╰────3      4",
        "·               ·       ·",
        "                   [0]",
        "",
        "    ·       ·               ·",
        "",
        "",
        "                ·       ·",
    ]


@pytest.mark.parametrize("variant", CURVED)
def test_tiles_lie_where_the_engine_has_laid_them(variant: str) -> None:
    batch = domino_env.batch(variant, 20, seed=2, autoreset=False)
    batch.reset()
    while (batch.seat >= 0).any():
        batch.step(batch.sample())
    for lane in range(20):
        position, record = batch.position(lane), batch.games[lane]
        taken = dict(zip(record["cells"].tolist(), record["corners"].tolist(), strict=True))
        drawn: dict[int, int] = {}
        for arc in arcs_of(position):
            cell = ORIGIN + arc.q + 256 * arc.r
            drawn[cell] = drawn.get(cell, 0) | 1 << arc.corner
        assert drawn == {cell: corners for cell, corners in taken.items() if cell}


@pytest.mark.parametrize("variant", CURVED)
def test_a_drawing_has_every_tile_and_every_end_that_is_left(variant: str) -> None:
    batch = domino_env.batch(variant, 20, seed=3)
    batch.reset()
    for _ in range(30):
        batch.step(batch.sample())
    for lane in range(20):
        position = batch.position(lane)
        drawing = "\n".join(
            draw_hexes([tile for tile, _ in position.played], arcs_of(position), position.mouths)
        )
        bends = sum(drawing.count(bend) for bend in "╰╭╮╯()")
        assert bends == len(position.played)
        for end in position.ends:
            assert f"[{end.number}]" in drawing
