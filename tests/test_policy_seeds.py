"""Policies of one config and several seeds: what is trained, measured and kept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from domino_env.config.shipped import find
from domino_env.evaluate import head_to_head
from domino_env.evaluate.policy_files import POLICY, folder_of_seed
from tools import policy_seeds as tool
from tools import pretrained, tables_of_ladder

pytest.importorskip("torch")

GAME = "fives_and_threes"
TINY = """
game: fives_and_threes
network: scorer
hidden_sizes: [8]
prior_weight: 0
rounds_per_iteration: 64
distill: {iterations: 2}
ppo: {iterations: 0}
evaluation: {every: 2, deals: 20, against: [heuristic]}
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of the project is changed."""
    monkeypatch.setattr(tool, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(tool, "KEPT", tmp_path / "kept.json")
    return tmp_path


@pytest.fixture
def tiny(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A config that is trained by in a second."""
    file = elsewhere / "tiny.yaml"
    file.write_text(TINY)
    monkeypatch.setattr(tool, "find", lambda name, kind: file)
    return file


def place_of(seed: int) -> Path:
    return folder_of_seed(tool.Plan(GAME).folder, seed)


def test_every_config_of_a_network_that_scores_moves_is_known() -> None:
    assert GAME in tool.names()
    assert len(tool.names()) == len(list(find(f"net/{GAME}", "train").parent.glob("*.yaml")))


def test_the_shipped_policy_counts_if_it_is_that_of_the_config() -> None:
    plan = tool.Plan(GAME)
    assert plan.shipped == pretrained.shipped_as(f"net/{GAME}").with_suffix(".npz")
    assert plan.trained_seeds == [1, 2]
    assert plan.policy_of(0) == plan.shipped
    assert plan.policy_of(1) == place_of(1) / POLICY


def test_the_shipped_policy_is_measured_as_on_the_ladder() -> None:
    assert tool.main([GAME, "--no-training", "--deals", "40"]) == 0
    (row,) = tool.kept()[GAME]["seeds"].values()
    standing = head_to_head(GAME, "net", "heuristic", 40, 0)
    assert (row["margin"], row["deals"]) == (pytest.approx(standing.margin, abs=1e-6), 40)
    assert row["shipped"]
    assert tool.Plan(GAME, 40).missing == [1, 2]
    assert tool.Plan(GAME, 50).missing == [0, 1, 2], "fewer deals than now"


@pytest.mark.slow
def test_what_is_missing_is_trained_measured_and_kept(tiny: Path, capsys: Any) -> None:
    assert tool.Plan(GAME).shipped is None, "it was trained for longer"
    assert tool.main([GAME, "--no-training", "--deals", "10"]) == 0
    assert tool.kept() == {}
    assert tool.main([GAME, "--deals", "10"]) == 0
    found = tool.kept()[GAME]["seeds"]
    assert list(found) == ["0", "1", "2"]
    assert len({row["policy"] for row in found.values()}) == 3
    assert not any(row["shipped"] for row in found.values())
    line = tables_of_ladder.policy_seeds().splitlines()[2]
    margins = [row["margin"] for row in found.values()]
    assert f"{sum(margins) / 3:+.2f}" in line
    shutil.rmtree(tool.RUNS)
    capsys.readouterr()
    assert tool.main([GAME, "--deals", "10"]) == 0
    assert not tool.RUNS.exists(), "figures that are kept need no policies"
    tiny.write_text(TINY.replace("[8]", "[4]"))
    assert tool.Plan(GAME, 10).missing == [0, 1, 2], "that is another config"


def test_an_unfinished_run_is_not_measured(tiny: Path) -> None:
    place_of(1).mkdir(parents=True)
    shipped = pretrained.shipped_as(f"net/{GAME}").with_suffix(".npz")
    shutil.copy(shipped, place_of(1) / POLICY)
    assert not tool.Plan(GAME).is_trained(1), "its run has another length"
    assert not tool.Plan(GAME).is_trained(2), "there is none"


def test_others_keep_what_they_have_measured() -> None:
    row = {"margin": 1.0, "within": 0.5, "deals": 5, "policy": "", "shipped": False}
    for name, seed in ((GAME, 1), ("kozel", 1), (GAME, 2)):
        tool.keep(tool.Plan(name), seed, row)
    found = json.loads(tool.KEPT.read_text())
    assert {name: list(each["seeds"]) for name, each in found.items()} == {
        GAME: ["1", "2"],
        "kozel": ["1"],
    }


def test_an_unknown_config_is_refused(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        tool.main(["kozl"])
    assert "did you mean 'kozel'" in capsys.readouterr().err
