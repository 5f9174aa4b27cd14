"""Several seeds of a training run: `domino train --seeds`, and what they come to together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from domino_env.cli.main import main
from domino_env.errors import BadOption
from domino_env.evaluate.statistics import aggregate, interquartile_mean
from domino_env.train.seeds import ALL, aggregates, run_seeds
from domino_env.train.training import Point
from tests.test_training import SHORT, short

WORDS = ["train", *(word for change in SHORT for word in ("--set", change))]


def point(iteration: int, **margins: float) -> Point:
    pairs = {name: (margin, 0.1) for name, margin in margins.items()}
    return Point(iteration, "ppo", 0, pairs)


# What repeated runs come to ----------------------------------------------------------------------


def test_the_interquartile_mean_leaves_a_quarter_out_at_each_end() -> None:
    scores = np.array([[[90.0, 1, 2, 3, 4, 5, 6, -90]]])
    assert interquartile_mean(scores) == pytest.approx([(2 + 3 + 4 + 5) / 4])
    assert interquartile_mean(np.array([[[5.0, 1, 9, 2, 3]]])) == pytest.approx([(2 + 3 + 5) / 3])
    assert interquartile_mean(np.array([[[1.0, 2, 3]]])) == pytest.approx([2])


def test_its_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(200):
        found = aggregate(rng.standard_normal((1, 20)))
        held += found.low <= 0 <= found.high
    assert 0.85 < held / 200 <= 0.99


def test_runs_are_drawn_anew_within_each_task() -> None:
    """Tasks of very different scores, all runs alike: nothing is uncertain."""
    found = aggregate(np.array([[1.0] * 5, [100.0] * 5]))
    assert (found.low, found.mean, found.high) == (50.5, 50.5, 50.5)


def test_seeds_come_to_their_mean_at_each_point_over_each_opponent() -> None:
    curves = [
        [point(2, x=margin, y=0.0), point(4, x=margin + 1, y=10.0)] for margin in (0.0, 1.0, 5.0)
    ]
    first, last = aggregates(curves, ["x", "y"])
    assert first["x"].mean == pytest.approx(2)
    assert last["x"].mean == pytest.approx(3)
    assert last["y"] == (10, 10, 10)
    assert set(last) == {"x", "y", ALL}
    assert last[ALL].mean == pytest.approx((2 + 6 + 10 + 10) / 4)


def test_curves_of_other_iterations_are_refused() -> None:
    with pytest.raises(BadOption, match="same iterations"):
        aggregates([[point(2, x=0.0)], [point(3, x=0.0)]], ["x"])


# The command -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_each_seed_is_the_run_that_it_is_alone(tmp_path: Path, capsys: Any) -> None:
    many, alone = tmp_path / "many", tmp_path / "alone"
    assert main([*WORDS, "--seeds", "3", "--set", "seed=7", "--out", str(many)]) == 0
    told = capsys.readouterr().out
    assert "seed 8, 2 of 3" in told
    assert "interquartile mean" in told
    assert main([*WORDS, "--set", "seed=8", "--out", str(alone)]) == 0
    one = (many / "seed-8" / "policy.npz").read_bytes()
    assert one == (alone / "policy.npz").read_bytes()
    assert one != (many / "seed-9" / "policy.npz").read_bytes()
    figures = json.loads((many / "seeds.json").read_text())
    assert [*figures["seeds"]] == ["7", "8", "9"]
    margins = [curve[-1]["margins"]["heuristic"][0] for curve in figures["seeds"].values()]
    found = figures["interquartile_means"][-1]
    assert found["heuristic"]["mean"] == pytest.approx(np.mean(margins))
    assert f"{margins[1]:+.2f}" in (many / "seeds.md").read_text()
    assert (many / "seeds.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_they_are_resumed_where_they_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    run_seeds(short(), 2, whole)
    calls = iter(range(100))

    def stopping(*given: Any, **named: Any) -> Any:
        if next(calls) == 1:
            raise KeyboardInterrupt
        return before(*given, **named)

    import domino_env.train.seeds as module

    before = module.run
    monkeypatch.setattr(module, "run", stopping)
    with pytest.raises(KeyboardInterrupt):
        run_seeds(short(), 2, stopped)
    with pytest.raises(BadOption, match="--resume"):
        run_seeds(short(), 2, stopped)
    run_seeds(short(), 2, stopped, resumed=True)
    for name in ("seeds.json", "seeds.md", "seed-1/policy.npz"):
        assert (stopped / name).read_bytes() == (whole / name).read_bytes()
    assert len(run_seeds(short(), 3, stopped, resumed=True)) == 3, "a seed more, later"


@pytest.mark.slow
def test_what_cannot_be_repeated_is_refused(tmp_path: Path, capsys: Any) -> None:
    assert main([*WORDS, "--seeds", "1", "--out", str(tmp_path)]) == 2
    assert "2 or more" in capsys.readouterr().err
    assert main([*WORDS, "--seeds", "2", "--resume", "--out", str(tmp_path)]) == 2
    assert "leave --resume out" in capsys.readouterr().err
    assert main(["train", "sb3/block_draw", "--seeds", "2", "--out", str(tmp_path)]) == 2
    assert "no --seeds" in capsys.readouterr().err
