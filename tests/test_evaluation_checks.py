"""Commands that check and measure evaluation: is `aivat` unbiased, and whose is the time of a
tournament of engines?"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from tools import aivat_check, engine_share

CELL = aivat_check.Cell(
    game="block_draw",
    num_players=2,
    first="random",
    second="greedy_pip",
    deals=100,
    games=200,
    plain=1.0,
    plain_within=0.5,
    corrected=0.9,
    corrected_within=0.3,
    difference=-0.1,
    difference_within=0.2,
    plain_worth=1.2,
    worth=3.0,
    milliseconds=5.0,
)


def test_the_greatest_of_fifteen_differences_may_be_greater_than_one_alone() -> None:
    assert aivat_check.CELLS == 15
    assert pytest.approx(2.935, abs=0.001) == aivat_check.BOUND
    assert CELL.standard_score == pytest.approx(-0.98)
    assert CELL.unbiased
    assert not replace(CELL, difference=0.31).unbiased
    assert not replace(CELL, difference=-0.31).unbiased


def test_a_cell_that_has_been_played_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Any] = []

    def measured(game: str, seats: int, first: str, second: str, deals: int) -> Any:
        played.append((game, first))
        changes = {"game": game, "num_players": seats, "first": first, "second": second}
        return replace(CELL, **changes, deals=deals)

    monkeypatch.setattr(aivat_check, "measured", measured)
    monkeypatch.setattr(aivat_check, "KEPT", tmp_path / "aivat.json")
    first = [*aivat_check.played(100, aivat_check.KEPT)]
    assert len(played) == len(first) == aivat_check.CELLS
    assert [*aivat_check.played(50, aivat_check.KEPT)] == first == aivat_check.read()
    assert len(played) == aivat_check.CELLS
    assert [*aivat_check.played(50, None)] != first
    assert len(played) == 2 * aivat_check.CELLS


def test_a_moved_mean_fails(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(aivat_check, "played", lambda deals, file: iter([CELL]))
    assert aivat_check.main([]) == 0
    assert "worth 3.0 plain games" in " ".join(capsys.readouterr().out.split())
    moved = replace(CELL, difference=1.0)
    monkeypatch.setattr(aivat_check, "played", lambda deals, file: iter([CELL, moved]))
    assert aivat_check.main([]) == 1


@pytest.mark.slow
def test_a_cell_is_what_is_played() -> None:
    cell = aivat_check.measured("block_draw", 2, "heuristic", "greedy_pip", 20)
    assert (cell.deals, cell.games) == (20, 40)
    assert cell.difference == pytest.approx(cell.corrected - cell.plain)
    assert cell.corrected_within < cell.plain_within
    assert cell.unbiased


def test_what_is_kept_for_the_docs_is_unbiased() -> None:
    cells = aivat_check.read()
    assert len(cells) == aivat_check.CELLS
    assert all(cell.unbiased for cell in cells)
    told = json.loads(aivat_check.KEPT.read_text(encoding="utf-8"))
    assert told["cells"] == [asdict(cell) for cell in cells]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler")
def test_engines_that_think_take_the_time(tmp_path: Path) -> None:
    quick = engine_share.measured(
        "block_draw", 40, [str(engine_share.compiled(tmp_path, seconds=0))]
    )
    slow = engine_share.measured(
        "block_draw", 40, [str(engine_share.compiled(tmp_path, seconds=0.001))]
    )
    assert quick.games == slow.games == 80  # fewer take too few ticks of the clock
    assert slow.engines > quick.engines + 0.25  # some 1,000 decisions
    assert slow.ours < quick.ours
