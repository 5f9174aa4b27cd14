"""Data sets: what is in them is what was played; the same bytes whoever makes them, in any order,
however often it is interrupted; and what is damaged is not read."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from torch.utils.data import DataLoader

from domino_env.cli.main import main
from domino_env.config.loader import load
from domino_env.data.generate import DatasetSettings, Keep, games_per_file, seating
from domino_env.data.reader import Dataset, Rows, tiles_held
from domino_env.data.torch_reader import Decisions
from domino_env.data.writer import write_dataset
from domino_env.errors import BadDataset, BadOption
from domino_env.execution.executor import thread_executor
from tests.test_executor import careless

ROOT = Path(__file__).parent.parent
SHIPPED = ROOT / "configs" / "datasets" / "block_draw.yaml"
SMALL: dict[str, Any] = {"games": 60, "rows": 200, "agents": ("random", "greedy_pip")}


def written(folder: Path, **changes: Any) -> Dataset:
    write_dataset(DatasetSettings(**{**SMALL, **changes}), folder)
    return Dataset(folder)


def everything(dataset: Dataset, **options: Any) -> Rows:
    batches = [*dataset.batches(77, **options)]
    return {name: np.concatenate([rows[name] for rows in batches]) for name in batches[0]}


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def places(rows: Rows) -> list[tuple[int, int]]:
    return [*zip(rows["game"].tolist(), rows["step"].tolist(), strict=True)]


# What is in them ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"keep": Keep(hands=True)},
        {"game": "five_up", "num_players": 3, "reward": "points", "keep": Keep(hands=True)},
        {"game": "bendomino_teams", "keep": Keep(hands=True), "seed": 7},
        {"game": "block_draw", "rules": {"set": "double_12"}, "num_players": 4},
        {"game": "bergen", "episode": "match", "games": 3},
        {"game": "solitaire", "agents": ("random",), "games": 15},
    ],
    ids=lambda changes: changes.get("game", "hands"),
)
def test_a_data_set_is_what_was_played(changes: dict[str, Any], tmp_path: Path) -> None:
    """Its actions, played again one game at a time, lead to all that it says."""
    dataset = written(tmp_path, **changes)
    settings = DatasetSettings(**{**SMALL, **changes})
    rows = everything(dataset)
    assert dataset.games == settings.games == len(np.unique(rows["game"]))
    table = settings.make_batch(1)
    for game in range(settings.games):
        mine = {name: column[rows["game"] == game] for name, column in rows.items()}
        table.reset(seed=settings.seed + game)
        earned = np.zeros((len(mine["step"]) + 1, settings.seats))
        for step in range(len(mine["step"])):
            seat = int(table.seat[0])
            assert (mine["step"][step], mine["seat"][step]) == (step, seat)
            assert np.array_equal(mine["features"][step], table.observation[0])
            assert np.array_equal(mine["mask"][step], table.mask[0])
            if "hands" in mine:
                held = tiles_held(mine["hands"][step], dataset.shape.tiles)
                around = [(seat + place) % settings.seats for place in range(settings.seats)]
                assert [set_of(table, each) for each in held] == [
                    {str(tile) for tile in table.position(0).hands[who]} for who in around
                ]
            table.step([int(mine["action"][step])])
            earned[step + 1] = earned[step] + table.reward[0]
        assert table.seat[0] == -1, "the whole game is there"
        check_rewards(mine, earned, bool(table.truncated[0]))


def set_of(table: Any, held: Any) -> set[str]:
    tiles = [*table.rules.tile_set.tiles]
    return {f"{tiles[place][0]}|{tiles[place][1]}" for place in np.flatnonzero(held)}


def check_rewards(rows: Rows, earned: Any, cut_off: bool) -> None:
    for step, seat in enumerate(rows["seat"]):
        later = [at for at in range(step + 1, len(rows["seat"])) if rows["seat"][at] == seat]
        until = later[0] if later else -1
        assert rows["reward"][step] == pytest.approx(earned[until, seat] - earned[step, seat])
        assert rows["return"][step] == pytest.approx(earned[-1, seat] - earned[step, seat])
        assert rows["done"][step] == (not later and not cut_off)
        assert rows["truncated"][step] == (not later and cut_off)


def test_other_programs_read_the_same_numbers(tmp_path: Path) -> None:
    dataset = written(tmp_path)
    table = pq.read_table(tmp_path / dataset.files[0].name)
    rows = next(dataset.batches(dataset.files[0].rows))
    assert table.column("features").to_pylist()[0] == rows["features"][0].tolist()
    assert table.column("return").to_pylist() == rows["return"].tolist()
    assert json.loads(table.schema.metadata[b"domino"])["agents"] == ["random", "greedy_pip"]


def test_files_have_about_the_rows_that_are_wanted(tmp_path: Path) -> None:
    dataset = written(tmp_path, games=500, rows=1000)
    assert len(dataset.files) > 3
    assert all(800 < file.rows < 1200 for file in dataset.files[:-1])


def test_by_lot_everybody_sits_everywhere_and_it_depends_on_the_game_alone() -> None:
    settings = DatasetSettings(**{**SMALL, "agents": ("random", "greedy_pip", "heuristic")})
    who = seating(settings, 0, 300)
    for seat in range(2):
        assert np.bincount(who[:, seat]).min() > 60
    assert np.array_equal(seating(settings, 100, 50), who[100:150])


def test_in_order_the_agents_sit_as_they_are_listed(tmp_path: Path) -> None:
    rows = everything(written(tmp_path, seating="in_order"))
    assert np.array_equal(rows["agent"], rows["seat"])


def test_only_what_is_to_be_kept_is_kept(tmp_path: Path) -> None:
    whole = everything(written(tmp_path / "whole"))
    keep = Keep(features=False, forced=False, only=("greedy_pip",))
    some = everything(written(tmp_path / "some", keep=keep))
    assert "features" not in some
    chosen = (whole["agent"] == 1) & (whole["mask"].sum(1) > 1)
    assert 0 < chosen.sum() < len(chosen)
    for name, column in some.items():
        assert np.array_equal(column, whole[name][chosen])


# The same bytes ----------------------------------------------------------------------------------


def test_the_bytes_do_not_depend_on_who_makes_the_files(tmp_path: Path) -> None:
    settings = DatasetSettings(**SMALL)
    for name, executor in (("one", None), ("three", thread_executor(3)), ("any", careless(0, 5))):
        write_dataset(settings, tmp_path / name, executor)
    assert files(tmp_path / "one") == files(tmp_path / "three") == files(tmp_path / "any")


def test_what_is_damaged_or_missing_is_made_anew(tmp_path: Path) -> None:
    dataset = written(tmp_path)
    before = files(tmp_path)
    first, second = (tmp_path / dataset.files[number].name for number in (0, 1))
    content = bytearray(first.read_bytes())
    content[len(content) // 2] ^= 1
    first.write_bytes(content)
    second.unlink()
    for number in (0, 1):
        with pytest.raises(BadDataset, match="missing or damaged"):
            dataset.content(dataset.files[number])
    written(tmp_path)
    assert files(tmp_path) == before


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    words = ["games=6000", "rows=300", "agents=[heuristic, random]", "keep.hands=true"]
    changes = [part for word in words for part in ("--set", word)]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    command = [sys.executable, "-m", "domino_env.cli.main", "dataset", *changes]
    process = subprocess.Popen(
        [*command, "--out", str(killed)], cwd=ROOT, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 60
    while not (killed / "games-000009.parquet").exists() and time.monotonic() < end:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    manifest = json.loads((killed / "manifest.json").read_text(encoding="utf-8"))
    assert not manifest["complete"], "it was killed too late to say anything"
    with pytest.raises(BadDataset, match="is not complete"):
        Dataset(killed)
    assert main(["dataset", *changes, "--out", str(killed)]) == 0
    assert main(["dataset", *changes, "--out", str(whole)]) == 0
    kept = {name: content for name, content in files(killed).items() if not name.endswith(".new")}
    assert kept == files(whole)


def test_one_that_is_still_being_written_can_be_read_so_far(tmp_path: Path) -> None:
    settings = DatasetSettings(**SMALL)

    def stop(done: int, wanted: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(settings, tmp_path, on_progress=stop)
    assert Dataset(tmp_path, unfinished=True).about["files_in_all"] > 2
    write_dataset(settings, tmp_path)
    assert Dataset(tmp_path).rows


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 1}, "seed: 0, not 1"),
        ({"agents": ("random",)}, "agents"),
        ({"keep": Keep(hands=True)}, "keep"),
    ],
)
def test_nothing_goes_on_as_something_else(
    changes: dict[str, Any], said: str, tmp_path: Path
) -> None:
    written(tmp_path)
    before = files(tmp_path)
    with pytest.raises(BadDataset, match=said):
        write_dataset(DatasetSettings(**{**SMALL, **changes}), tmp_path)
    assert files(tmp_path) == before


def test_other_versions_would_write_other_bytes_and_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path)
    monkeypatch.setattr("domino_env.data.writer.versions", lambda: {"pyarrow": "1.0"})
    with pytest.raises(BadDataset, match=r'pyarrow: ".*", not "1\.0"'):
        write_dataset(DatasetSettings(**SMALL), tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "domino dataset 9"}'])
def test_what_is_no_manifest_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadDataset, match="cannot be read"):
        Dataset(tmp_path)
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadDataset, match=r"damaged|not the manifest"):
        Dataset(tmp_path)


# Reading -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [None, 0, 5])
@pytest.mark.parametrize("parts", [1, 2, 3, 16])
def test_parts_have_every_row_once(seed: int | None, parts: int, tmp_path: Path) -> None:
    dataset = written(tmp_path)
    found: list[tuple[int, int]] = []
    for part in range(parts):
        for rows in dataset.batches(50, ["game", "step"], seed, 300, part, parts):
            found += places(rows)
    assert sorted(found) == places(everything(dataset))


def test_one_large_file_is_shared_by_its_row_groups(tmp_path: Path) -> None:
    dataset = written(tmp_path, games=3000, rows=1_000_000, keep=Keep(False, False))
    assert len(dataset.files) == 1
    lengths = [
        sum(len(rows["step"]) for rows in dataset.batches(1000, shard=part, num_shards=2))
        for part in range(2)
    ]
    assert sum(lengths) == dataset.rows
    assert min(lengths) > 8000


def test_in_order_batches_are_full_but_for_the_last(tmp_path: Path) -> None:
    dataset = written(tmp_path)
    lengths = [len(rows["step"]) for rows in dataset.batches(64)]
    assert set(lengths[:-1]) == {64}
    assert sum(lengths) == dataset.rows
    assert places(everything(dataset)) == sorted(places(everything(dataset)))


def test_shuffling_mixes_what_lies_far_apart_and_depends_on_the_seed(tmp_path: Path) -> None:
    dataset = written(tmp_path, games=400)
    orders = [everything(dataset, seed=seed, columns=["game"])["game"] for seed in (1, 1, 2)]
    assert np.array_equal(orders[0], orders[1])
    assert not np.array_equal(orders[0], orders[2])
    first = orders[0][:100].astype(int)
    assert len(np.unique(first)) > 50
    assert np.ptp(first) > 200


def test_little_memory_is_used_however_much_there_is(tmp_path: Path) -> None:
    dataset = written(tmp_path, games=400)
    batches = dataset.batches(10, ["game"], seed=0, shuffle_buffer=400)
    first = next(batches)["game"]
    spread = {int(game) // dataset.about["games_each"] for game in first}
    assert len(spread) <= 4, "so many files are 400 rows, and no more have been read"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"batch_size": 0}, "batch_size must be"),
        ({"batch_size": 5, "columns": ["maks"]}, "did you mean 'mask'"),
        ({"batch_size": 5, "shard": 2, "num_shards": 2}, "shard must be"),
        ({"batch_size": 5, "shuffle_buffer": 0}, "shuffle_buffer must be"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=said):
        written(tmp_path).batches(**options)


def test_tiles_are_read_from_their_bits() -> None:
    hands = np.array([[1 | 1 << 63, 1 << 1]], np.uint64)
    assert np.flatnonzero(tiles_held(hands, 91)[0]).tolist() == [0, 63, 65]


# PyTorch -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_workers_of_a_loader_give_every_row_once(tmp_path: Path) -> None:
    dataset = written(tmp_path)
    decisions = Decisions(
        dataset, batch_size=40, columns=("game", "step", "features", "mask"), seed=3
    )
    loader = DataLoader(decisions, batch_size=None, num_workers=2, multiprocessing_context="spawn")
    found = [*loader]
    games = torch.cat([rows["game"] for rows in found])
    steps = torch.cat([rows["step"] for rows in found])
    pairs = sorted(zip(games.tolist(), steps.tolist(), strict=True))
    assert pairs == places(everything(dataset))
    assert found[0]["features"].dtype == torch.float32
    assert found[0]["mask"].shape == (40, dataset.shape.actions)


def test_ranks_share_the_rows_and_epochs_have_orders_of_their_own(tmp_path: Path) -> None:
    dataset = written(tmp_path, keep=Keep(hands=True))
    found: list[int] = []
    for rank in range(2):
        for rows in Decisions(tmp_path, 40, rank=rank, world_size=2):
            found += (rows["game"] * 1000 + rows["step"]).tolist()
    assert len(found) == len({*found}) == dataset.rows
    decisions = Decisions(dataset, 40, columns=("game", "hands"))
    first = next(iter(decisions))
    decisions.epoch = 1
    assert not torch.equal(first["game"], next(iter(decisions))["game"])
    assert first["hands"].dtype == torch.int64
    with pytest.raises(BadOption, match="rank"):
        Decisions(dataset, 40, rank=1)


def test_a_policy_learns_from_it_what_its_agent_does(tmp_path: Path) -> None:
    dataset = written(
        tmp_path, agents=("greedy_pip",), games=600, rows=5000, keep=Keep(forced=False)
    )
    torch.manual_seed(0)
    model = torch.nn.Linear(dataset.shape.features, dataset.shape.actions)
    optimizer = torch.optim.Adam(model.parameters(), 0.02)
    right: list[float] = []
    decisions = Decisions(dataset, 256, columns=("features", "mask", "action"))
    for epoch in range(8):
        decisions.epoch = epoch
        for rows in decisions:
            scores = model(rows["features"]).masked_fill(rows["mask"] == 0, -1e9)
            loss = torch.nn.functional.cross_entropy(scores, rows["action"])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            right.append(float((scores.argmax(1) == rows["action"]).float().mean()))
    assert np.mean(right[-5:]) > 0.8 > np.mean(right[:2])


# The command -------------------------------------------------------------------------------------


def test_the_command_writes_and_says_what(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes = ["--set", "games=40", "--set", "rows=300"]
    assert main(["dataset", str(SHIPPED), *changes, "--out", str(tmp_path)]) == 0
    assert "40 games" in capsys.readouterr().out
    assert Dataset(tmp_path).about["settings"]["keep"]["hands"] is True
    assert main(["dataset", "--settings"]) == 0
    assert "keep.hands" in capsys.readouterr().out


def test_settings_in_the_manifest_can_be_loaded_again(tmp_path: Path) -> None:
    settings = load(DatasetSettings, SHIPPED, ["games=5"])
    write_dataset(settings, tmp_path)
    file = tmp_path / "again.yaml"
    file.write_text(json.dumps(Dataset(tmp_path).about["settings"]), encoding="utf-8")
    assert load(DatasetSettings, file) == settings


def test_one_that_is_stopped_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("domino_env.data.writer.run_tasks", stopped)
    assert main(["dataset", "--set", "games=20", "--out", str(tmp_path)]) == 130
    assert f"run the same command again to continue in {tmp_path}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gams: 5", "did you mean 'games'?"),
        ("games: 0", "games must be a whole number from 1"),
        ("agents: []", "somebody must play"),
        ("agents: [random, random]", "two agents are called 'random'"),
        ("agents: [optimal]", "optimal does not play block_draw"),
        ("seating: in_order\nagents: [random]", "an agent for each of 2 seats, not 1"),
        ("seating: by_lots", "did you mean 'by_lot'?"),
        ("num_players: 5", "block_draw is for 2, 3, 4 players, not 5"),
        ("keep: {only: [pimc]}", "nobody is called 'pimc'"),
        ("game: solitaire\nagents: [random]\nkeep: {hands: true}", "solitaire has no hands"),
        ("game: solitaire\nagents: [random]\nepisode: match", "solitaire is not played in matches"),
        ("calls: explicit", "block_draw has nothing to call"),
        ("rules: {hand_sise: 7}", "did you mean 'hand_size'?"),
    ],
)
def test_a_wrong_config_is_refused(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(text, encoding="utf-8")
    assert main(["dataset", str(file), "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_without_pyarrow_the_extra_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = lambda name: name != "pyarrow" or None  # noqa: E731
    monkeypatch.setattr("domino_env.extras.find_spec", missing)
    assert main(["dataset"]) == 2
    assert "pip install 'domino-env[data]'" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").write_text("a file, not a folder")
    assert main(["dataset", "--out", str(tmp_path / "out")]) == 2
    assert "cannot write in" in capsys.readouterr().err


def test_how_many_games_make_a_file_does_not_depend_on_what_is_kept() -> None:
    few = Keep(forced=False, only=("random",))
    assert games_per_file(DatasetSettings(**SMALL)) == games_per_file(
        DatasetSettings(**{**SMALL, "keep": few})
    )
