"""The `domino` command, run as a user runs it."""

import json
from pathlib import Path
from typing import Any

import pytest

import domino_env
from domino_env.train.command import main

DEMO = Path(__file__).parent.parent / "configs" / "demo.yaml"


def test_list_shows_every_game_with_its_facts(capsys: Any) -> None:
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    for variant in domino_env.variants():
        assert variant in shown
    assert "exactly 61" in shown


@pytest.mark.parametrize("variant", domino_env.variants())
def test_rules_prints_the_page_of_a_game(variant: str, capsys: Any) -> None:
    assert main(["rules", variant]) == 0
    assert domino_env.rules(variant).title in capsys.readouterr().out


def test_an_unknown_game_is_answered_with_the_nearest_one(capsys: Any) -> None:
    assert main(["rules", "five_upp"]) == 2
    assert "did you mean 'five_up'?" in capsys.readouterr().err


SHORT = [
    *("train.threads=1", "train.deals=64", "train.widths=[16]", "train.imitate.iterations=1"),
    *("train.foresee.iterations=1", "train.reinforce.iterations=1", "tournament.deals=20"),
    *("train.evaluation.deals=20", "tournament.agents=[random, greedy_pip]"),
]


def test_demo_trains_and_plays_a_tournament(tmp_path: Path, capsys: Any) -> None:
    words = [word for change in SHORT for word in ("--set", change)]
    demo = ["demo", "--config", str(DEMO), *words, "--out", str(tmp_path)]
    assert main(demo) == 0
    shown = capsys.readouterr().out
    for name in ("random", "greedy_pip", "trained just now", "±"):
        assert name in shown
    picture = tmp_path / "tournament" / "crosstable.png"
    assert f"picture: {picture}" in shown.replace("\n", "")
    assert picture.read_bytes().startswith(b"\x89PNG")
    before = (tmp_path / "training" / "policy.npz").read_bytes()
    assert main(demo) == 0, "a demo can be shown again"
    assert (tmp_path / "training" / "policy.npz").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("tournament.deals=1", "2 or more"),
        ("train.game=matador", "must be the same one game"),
        ("train.rules={}", "train.rules and tournament.rules must be the same"),
        ("tournament.agents=[random, greedy]", "did you mean 'greedy_pip'?"),
    ],
)
def test_demo_refuses_what_it_cannot_do(
    change: str, said: str, tmp_path: Path, capsys: Any
) -> None:
    demo = ["demo", "--config", str(DEMO), "--set", change, "--out", str(tmp_path / "out")]
    assert main(demo) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_bench_measures_and_writes_figures(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "bench.json"
    arguments = ["bench", "--only", "one_arm_joe", "--repeats", "1", "--seconds", "0.05"]
    main([*arguments, "--json", str(file)])
    assert "one_arm_joe" in capsys.readouterr().out
    kept = json.loads(file.read_text())
    assert kept["openspiel"] > 0
    assert [row["name"] for row in kept["rows"]] == ["one_arm_joe"]
    assert kept["rows"][0]["figure"] > 1


def test_tune_finds_weights_says_how_good_they_are_and_keeps_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "weights.json"
    few = ["--generations", "2", "--candidates", "4", "--deals", "20", "--out", str(file)]
    assert main(["tune", "bergen", *few]) == 0
    out = capsys.readouterr().out
    assert "next_stuck" in out
    assert "points a round over greedy_pip" in out
    assert "bergen" in file.read_text(encoding="utf-8")
    assert main(["tune", "bergan"]) == 2
    assert "did you mean 'bergen'" in capsys.readouterr().err
    assert main(["tune", "bergen", "--deals", "1"]) == 2
    assert "deals must be 2 or more" in capsys.readouterr().err


def test_tune_looks_at_its_folder_before_it_searches(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domino_env.train.tune.tune", None)
    (tmp_path / "file").touch()
    assert main(["tune", "bergen", "--out", str(tmp_path / "file" / "weights.json")]) == 2
    assert "cannot write in" in capsys.readouterr().err
