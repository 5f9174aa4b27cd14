"""The `domino` command, run as a user runs it."""

import json
from pathlib import Path
from typing import Any

import pytest

import domino_env
from domino_env.errors import BadOption
from domino_env.train.command import main
from domino_env.train.demo import DemoSettings
from domino_env.train.settings import load
from tests.games import AT_A_TABLE


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


def test_demo_plays_a_tournament_over_every_game(capsys: Any) -> None:
    assert main(["demo", "--deals", "50"]) == 0
    shown = capsys.readouterr().out
    for variant in AT_A_TABLE:
        assert domino_env.rules(variant).title in shown
    assert "±" in shown


def test_demo_is_the_same_for_the_same_seed(capsys: Any) -> None:
    main(["demo", "--deals", "20", "--seed", "3"])
    first = capsys.readouterr().out
    main(["demo", "--deals", "20", "--seed", "3"])
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--deals", "1"], "2 or more"),
        (["--agent", "greedy"], "did you mean 'greedy_pip'?"),
        (["--opponent", "nobody"], "not 'nobody'"),
        (["--seed", "-1"], "from 0 to 1000000000000000"),
        (["--config", "no/such/file.yaml"], "cannot be read"),
    ],
)
def test_demo_refuses_what_it_cannot_do(arguments: list[str], said: str, capsys: Any) -> None:
    assert main(["demo", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_the_shipped_config_loads() -> None:
    shipped = Path(__file__).parent.parent / "configs" / "demo.yaml"
    assert load(DemoSettings, shipped).all_games == AT_A_TABLE
    with pytest.raises(BadOption, match="--set deals: deals must be a whole number of 2 or more"):
        load(DemoSettings, shipped, ["deals=0"])


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
