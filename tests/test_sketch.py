"""The drawing of a table of curved tiles shows where every tile really lies."""

from __future__ import annotations

import pytest

import domino_env
from domino_env.engine.layout.hexes import ORIGIN
from domino_env.render.hex_text import Lie, Wait, lay, sketch
from tests.games import AT_A_TABLE

CURVED = [v for v in AT_A_TABLE if domino_env.rules(v).layout.tiles == "curved"]


def test_an_opening_tile_and_one_joined_to_it() -> None:
    """[3|3] lies in corner 0 of the first cell; [3|4] joins end 0 by its 3 and turns right."""
    lies, waits = lay([(0, 0)], openers=1)
    assert lies == [Lie(0, 0, 0, 1), Lie(1, -1, 3, 4)]
    assert waits == {0: Wait(1, 0, 0), 1: Wait(0, -1, 3)}
    assert sketch([(3, 3), (3, 4)], lies, waits) == [
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
        for lie in position.lies:
            cell = ORIGIN + lie.q + 256 * lie.r
            drawn[cell] = drawn.get(cell, 0) | 1 << lie.corner
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
            sketch([tile for tile, _ in position.played], position.lies, position.waits)
        )
        bends = sum(drawing.count(bend) for bend in "╰╭╮╯()")
        assert bends == len(position.played)
        for end in position.ends:
            assert f"[{end.number}]" in drawing
