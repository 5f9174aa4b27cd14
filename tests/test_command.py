"""The `domino` command, run as a user runs it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from shlex import quote
from typing import Any

import pytest

import domino_env
from domino_env.bench.benchmark import Benchmark
from domino_env.cli.main import main
from domino_env.cli.rules_command import rules_page, without_links
from domino_env.config.shipped import find

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "configs" / "demo.yaml"


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


@pytest.mark.parametrize("variant", ["block_draw", "fundomino_caribbean", "solitaire"])
def test_rules_have_no_links_to_files_that_are_not_there(variant: str, capsys: Any) -> None:
    page = rules_page(domino_env.rules(variant)).read_text(encoding="utf-8")
    for words in (["rules", variant], ["rules", variant, "--plain"]):
        assert main(words) == 0
        shown = capsys.readouterr().out
        assert "](" in page
        assert "](" not in shown
        assert ".svg" not in shown
        assert re.sub(r"\W", "", page).endswith(re.sub(r"\W", "", shown)[-200:]), "all the words"


def test_links_to_other_places_stay() -> None:
    assert without_links("see [a](b.md#c), [d](https://e.org) and ![f](g.svg)\n") == (
        "see a, [d](https://e.org) and "
    )


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")


def test_list_fits_a_terminal_of_80_columns(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    on_a_terminal(monkeypatch, 80)
    assert main(["list"]) == 0
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    for variant in domino_env.variants():
        rules = domino_env.rules(variant)
        (place,) = [n for n, line in enumerate(lines) if line.split()[:1] == [variant]]
        assert lines[place + 1] == f"  {rules.summary}", "on one line, whole"
    assert "…" not in shown


def test_list_is_one_table_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    on_a_terminal(monkeypatch, 180)
    assert main(["list"]) == 0
    assert re.search(r"fruitominoes .*best of ten rounds", capsys.readouterr().out)


def test_configs_come_by_name_or_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = ROOT / "configs"
    monkeypatch.chdir(tmp_path)
    assert find("block_draw", "train") == ours / "train" / "block_draw.yaml"
    assert find("train/block_draw", "train") == ours / "train" / "block_draw.yaml"
    assert find("block_draw", "datasets") == ours / "datasets" / "block_draw.yaml"
    assert find("demo", "") == ours / "demo.yaml"
    Path("block_draw").mkdir()
    assert find("block_draw", "train") == ours / "train" / "block_draw.yaml", "no folder is meant"
    Path("ladder").touch()
    assert find("ladder", "tournaments") == Path("ladder"), "what is there comes first"


def test_configs_lists_every_file_with_a_line_about_it(capsys: Any) -> None:
    assert main(["configs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for path in (ROOT / "configs").rglob("*.yaml"):
        assert any(re.match(rf"  (\w+/)?{path.stem}\s+\w.+", line) for line in lines), path
    for command in ("train", "tournament", "dataset", "demo"):
        assert any(line.strip() == f"domino {command}" for line in lines)


def completed(*words: str) -> list[str]:
    """What bash offers for the last of the words."""
    script = subprocess.run(
        [sys.executable, "-m", "domino_env", "completion", "bash"],
        capture_output=True,
        check=True,
    ).stdout
    asked = f"COMP_WORDS=({' '.join(map(quote, words))}); COMP_CWORD={len(words) - 1}; _domino; "
    code = script.decode() + f'\n{asked} printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("domino", "tourn"), ["tournament"]),
        (("domino", "train", "block"), ["block_draw", "block_draw_five_tiles"]),
        (("domino", "train", "net/block"), ["net/block_draw", "net/block_draw_five_tiles"]),
        (
            ("domino", "configs", "tournaments/la"),
            ["tournaments/ladder", "tournaments/ladder_seven"],
        ),
        (("domino", "rules", "five"), ["five_up", "fives_and_threes"]),
        (("domino", "play", "--against", "heu"), ["heuristic"]),
        (("domino", "dataset", "--engine", ""), ["threads", "ray"]),
        (("domino", "train", "--resu"), ["--resume"]),
        (("domino", "train", "--out", "blo"), []),
    ],
)
def test_bash_completes(words: tuple[str, ...], offered: list[str]) -> None:
    assert completed(*words) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_told_the_same_words(shell: str, capsys: Any) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for word in ("tournament", "block_draw_five_tiles", "fundomino_caribbean", "pimc", "threads"):
        assert word in script
    if shutil.which(shell):
        subprocess.run([shell, "-n", "-c", script], check=True)


SHORT = [
    *("train.threads=1", "train.rounds_per_iteration=64", "train.hidden_sizes=[16]"),
    *("train.imitate.iterations=1", "train.distill.iterations=1", "train.ppo.iterations=1"),
    "tournament.deals=20",
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
    main([*arguments, "--json", str(file), "--peers", str(tmp_path / "none")])
    assert "one_arm_joe" in capsys.readouterr().out
    kept = json.loads(file.read_text())
    (openspiel,) = (peer for peer in kept["peers"] if peer["name"] == "OpenSpiel")
    assert openspiel["rates"]["1"][0] > 0
    assert [row["name"] for row in kept["rows"]] == ["one_arm_joe"]
    assert kept["rows"][0]["figure"] > 1


def test_bench_asks_for_no_more_than_it_measures(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    from importlib.util import find_spec

    def hidden(name: str) -> Any:
        return None if name == "stable_baselines3" else find_spec(name)

    monkeypatch.setattr("domino_env.extras.find_spec", hidden)
    few = ["--repeats", "1", "--seconds", "0.05", "--deals", "0"]
    assert main(["bench", "--only", "pictures, SVG", *few]) in (0, 1)
    shown = capsys.readouterr().out
    assert "pictures, SVG" in shown
    assert "OpenSpiel" not in shown
    assert main(["bench", "--only", "SB3", *few]) == 2
    assert "pip install 'domino-env[bench]'" in capsys.readouterr().err
    assert main(["bench", "--only", "first belief", *few]) in (0, 1)
    assert "first step" not in capsys.readouterr().out
    assert main(["bench", "--only", "chess", "go", *few]) == 2
    assert "no benchmark has chess or go in its name" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("unit", "figures"), [("× OpenSpiel", (10, 20, 30)), ("s", (30, 20, 10)), ("MB", (30, 20, 10))]
)
def test_a_figure_is_held_against_its_targets_the_way_that_is_better(
    unit: str, figures: tuple[float, float, float]
) -> None:
    def verdict(figure: float) -> str:
        return Benchmark("any", lambda _: figure, 15 if unit[0] == "×" else 25, figures[2], unit,
                         ratios=[figure]).verdict  # fmt: skip

    assert [verdict(figure) for figure in figures] == ["MISSED", "acceptable", "target reached"]


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
