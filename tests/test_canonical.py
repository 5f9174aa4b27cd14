"""The canonical data set: the same numbers for everybody, in fixed splits, with fixed tasks."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from domino_env.batches import Batch
from domino_env.cli.main import main
from domino_env.data import Dataset, DatasetSettings, Keep, canonical, write_dataset
from domino_env.data.canonical import Form, content_hash
from domino_env.data.move_values_writer import write_move_values
from domino_env.data.splits import SPLITS, split_of, splits_of
from domino_env.errors import BadDataset, BadOption
from domino_env.evaluate import values_of
from domino_env.games import DEFAULT_GAME
from domino_env.train.offline_baselines import score_tasks

SMALL = DatasetSettings(
    games=40, rows=300, agents=("heuristic", "random"), keep=Keep(hands=True, split=True)
)


def everything(folder: Path) -> dict[str, Any]:
    parts = list(Dataset(folder).batches(500))
    return {name: np.concatenate([rows[name] for rows in parts]) for name in parts[0]}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("canonical")
    write_dataset(SMALL, folder)
    write_move_values(SMALL, folder, 15)
    return folder


# Splits ------------------------------------------------------------------------------------------


def test_a_deal_is_in_the_same_split_whoever_plays(made: Path, tmp_path: Path) -> None:
    write_dataset(replace(SMALL, agents=("random",), seed=20), tmp_path)
    ours, theirs = everything(made), everything(tmp_path)
    for game in range(20, 40):
        (split,) = set(ours["split"][ours["game"] == game])
        assert set(theirs["split"][theirs["game"] == game - 20]) == {split}


def test_splits_are_eight_one_and_one_of_ten() -> None:
    batch = Batch(SMALL.game_rules, 5000)
    batch.reset(seed=list(range(5000)))
    shares = np.bincount(splits_of(batch), minlength=len(SPLITS)) / 5000
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.02)


def test_splits_stay_as_they_are() -> None:
    assert [split_of(list(range(first, first + 28))) for first in range(12)] == PINNED


PINNED = [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]


# Values ------------------------------------------------------------------------------------------


def test_values_are_of_the_legal_moves_of_a_decision_of_each_game(made: Path) -> None:
    rows, values = everything(made), everything(made / "values")
    assert set(values["game"]) == set(range(15))
    batch = Batch(SMALL.game_rules, 1, SMALL.seats, autoreset=False)
    for game in range(15):
        mine = values["game"] == game
        (step,) = set(values["step"][mine])
        batch.reset(seed=SMALL.seed + game)
        for action in rows["action"][rows["game"] == game][:step]:
            batch.step_one(int(action))
        assert values["action"][mine].tolist() == sorted(batch._legal_of(0))
        assert len(values["action"][mine]) > 1
        assert set(values["split"][mine]) == set(rows["split"][rows["game"] == game])
        wanted = {each.action: each for each in values_of(batch, within=1e9, seed=game)}
        for action, value, error in zip(
            *(values[name][mine] for name in ("action", "value", "error")), strict=True
        ):
            assert (value, error) == pytest.approx(wanted[action][1:], abs=1e-4)


def test_another_number_of_values_does_not_go_on_with_these(made: Path) -> None:
    with pytest.raises(BadDataset, match="another number of games"):
        write_move_values(SMALL, made, 20)


# Hashes ------------------------------------------------------------------------------------------


def test_hashes_are_of_the_numbers_and_not_of_the_files(made: Path, tmp_path: Path) -> None:
    """Players without dice play alike, however their games are cut into files."""
    settings = replace(SMALL, agents=("heuristic", "greedy_pip"))
    for rows in (200, 1000):
        write_dataset(replace(settings, rows=rows), tmp_path / str(rows))
    few, many = Dataset(tmp_path / "1000"), Dataset(tmp_path / "200")
    assert len(few.files) < len(many.files)
    assert content_hash(few) == content_hash(many) != content_hash(Dataset(made))


def test_it_does_not_matter_how_many_threads_there_are_or_who_stopped_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(canonical.FORMS, "small", Form(1500, 12, 64))
    monkeypatch.setattr(canonical, "ROWS", 300)
    whole = canonical.make(DEFAULT_GAME, "small", tmp_path / "whole")
    many = canonical.make(DEFAULT_GAME, "small", tmp_path / "many", threads=2)
    assert whole == many
    assert whole["decisions"] >= 1500
    assert sum(whole["splits"].values()) == whole["decisions"]
    shutil.rmtree(tmp_path / "whole" / "values")
    (tmp_path / "whole" / "games-000001.parquet").unlink()
    assert canonical.make(DEFAULT_GAME, "small", tmp_path / "whole") == whole


def test_every_game_has_its_hashes_published() -> None:
    kept = json.loads(canonical.PUBLISHED.read_text(encoding="utf-8"))
    assert sorted(kept) == sorted(canonical.FORMS)
    for form, found in kept.items():
        assert sorted(found) == sorted(canonical.games())
        for each in found.values():
            assert each["decisions"] >= canonical.FORMS[form].decisions
            assert sum(each["splits"].values()) == each["decisions"]


@pytest.mark.slow
def test_the_command_makes_what_is_published(tmp_path: Path, capsys: Any) -> None:
    words = ["dataset", DEFAULT_GAME, "--canonical", "small", "--out", str(tmp_path)]
    assert main(words) == 0
    assert "this is what is published" in capsys.readouterr().out
    assert canonical.hashes(tmp_path) == canonical.published(DEFAULT_GAME, "small")


def test_what_is_not_canonical_is_refused(tmp_path: Path, capsys: Any) -> None:
    assert main(["dataset", "--canonical", "small", "--set", "games=3"]) == 2
    assert "only threads can be set" in capsys.readouterr().err
    with pytest.raises(BadOption, match="small"):
        canonical.settings_of(DEFAULT_GAME, "smal")
    with pytest.raises(BadOption, match="solitaire"):
        canonical.settings_of("solitaire", "small")
    write_dataset(DatasetSettings(games=5), tmp_path)
    with pytest.raises(BadOption, match="no canonical data set"):
        score_tasks(tmp_path)


# Tasks -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_baselines_learn_something_in_every_task(tmp_path: Path) -> None:
    write_dataset(replace(SMALL, games=600, agents=("heuristic",), rows=5000), tmp_path)
    scores = {(each.task, each.baseline): each for each in score_tasks(tmp_path)}
    assert scores["value", "mean"].other == pytest.approx(0, abs=0.02)
    for task, without in (("imitation", "uniform"), ("belief", "counting"), ("value", "mean")):
        learned, plain = scores[task, "network"], scores[task, without]
        assert learned.loss < plain.loss
        assert learned.other > plain.other
        assert learned.rows == plain.rows > 50
    assert score_tasks(tmp_path)[1] == scores["imitation", "network"]
