"""Every command, from an installed wheel in an empty folder: with the extra that its own message
names it does what it says, and without it says so in one line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed import ROOT, Installed
from tools.object_code import keeping

pytestmark = pytest.mark.slow

RECORD = next((ROOT / "tests" / "records").glob("*.json"))
TINY = [
    *("train.threads=1", "train.rounds_per_iteration=64", "train.hidden_sizes=[16]"),
    *("train.imitate.iterations=1", "train.distill.iterations=1", "train.ppo.iterations=1"),
    "tournament.deals=8",
    *("train.evaluation.deals=8", "tournament.agents=[random, greedy_pip]"),
    *("tournament.chunk_size=4", "tournament.threads=1"),
]


def changes(*given: str) -> list[str]:
    return [word for change in given for word in ("--set", change)]


# The command, and something of what it prints.
COMMANDS = [
    (["list"], "fundomino_face_value_teams"),
    (["rules", "five_up"], "Five Up"),
    (["configs"], "ladder_seven"),
    (["configs", "block_draw"], "game: block_draw"),
    (["completion", "bash"], "complete -o default"),
    (["play", "block_draw", "--terminal", "--against", "random"], "your move"),
    (["replay", str(RECORD)], "plays"),
    (["replay", str(RECORD), "--out", "game.gif"], "written: game.gif"),
    (["bench", "--only", "pictures", "--repeats", "1", "--seconds", "0.1", "--deals", "0"], "SVG"),
    (["bench", "--only", "one_arm_joe", "--repeats", "1", "--seconds", "0.1"], "OpenSpiel"),
    (
        ["tune", "bergen", "--generations", "2", "--candidates", "4", "--deals", "4"],
        "points a round over greedy_pip",
    ),
    (
        ["tournament", "ladder_seven", *changes("deals=8", "chunk_size=4", "agents=[random, ppo]")],
        "ppo",
    ),
    pytest.param(
        ["train", "block_draw", *changes(*(c[6:] for c in TINY if c.startswith("train.")))],
        "policy.npz",
        marks=pytest.mark.slow,
    ),
    (["dataset", "block_draw", *changes("games=20")], "games"),
    pytest.param(["demo", *changes(*TINY)], "trained just now", marks=pytest.mark.slow),
]


def named(part: list[str] | str) -> str:
    """The beginning of a command; of what it prints nothing."""
    return " ".join(part[:3]) if isinstance(part, list) else ""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*command, str(ROOT)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return Installed(wheel, folder)


def said(done: subprocess.CompletedProcess[str]) -> str:
    told = done.stdout + done.stderr
    assert "Traceback" not in told, told
    return told


def test_it_is_the_wheel_that_runs_and_nothing_of_this_tree(installed: Installed) -> None:
    probe = "import domino_env, domino_env.agents, domino_env.train as t; print(t.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=installed.site,
        env={"PYTHONPATH": str(installed.site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(installed.site / "domino_env" / "train" / "__init__.py")


NO_NUMBA = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
import numpy as np
import domino_env
from domino_env import agents, belief
batch = domino_env.batch("bendomino", 4, seed=0)
batch.reset()
batch.step(batch.sample())
belief.sample(batch, 0, 0, 3)
for name in ("heuristic", "ppo"):
    agents.make(name).act(batch, np.arange(4))
env = domino_env.aec("block_draw", num_players=2)
env.reset(seed=0)
print(batch)
"""


@pytest.mark.skipif(keeping.compiler() is None, reason="there is no C compiler")
def test_a_wheel_runs_with_no_compiler_and_nowhere_to_write(installed: Installed) -> None:
    nowhere = {"HOME": "/nonexistent", "NUMBA_CACHE_DIR": "/nonexistent", "PATH": "/nonexistent"}
    libraries = [str(installed.site), *(path for path in sys.path if "site-packages" in path)]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", NO_NUMBA],
        cwd=installed.site,
        env={**nowhere, "PYTHONPATH": os.pathsep.join(libraries), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "step: object code for these rules" in done.stdout


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["play", "--help"], ["nothing"]])
def test_help_needs_no_extra(words: list[str], installed: Installed) -> None:
    done = installed.run(*words, extra="")
    assert done.returncode == (2 if words == ["nothing"] else 0), said(done)
    assert "Traceback" not in said(done)


@pytest.mark.parametrize(("words", "shown"), COMMANDS, ids=named)
def test_a_command_names_the_extra_that_it_needs_and_works_with_it(
    words: list[str], shown: str, installed: Installed
) -> None:
    done, named = installed.run(*words, extra=""), []
    while done.returncode == 2 and "is missing" in said(done):
        (extra,) = re.findall(r"pip install 'domino-env\[([\w,]+)\]'", said(done))
        assert done.stderr.count("\n") == 1, "one line"
        assert extra not in named, f"{extra} does not bring it: {done.stderr}"
        named.append(extra)
        done = installed.run(*words, extra=extra)
    assert named, "nothing but the core was there"
    told = said(done)
    if words[0] == "bench":  # a busy machine may miss an aim
        assert done.returncode in (0, 1), told
    else:
        assert done.returncode == 0, told
    assert shown in told


def test_the_page_needs_its_own_extra(installed: Installed) -> None:
    words = ["play", "block_draw", "--no-browser", "--port", "70000", "--against", "random"]
    for extra in ("", "cli"):
        assert "pip install 'domino-env[play]'" in said(installed.run(*words, extra=extra))
    assert "port 70000 cannot be used" in said(installed.run(*words, extra="play"))


def test_bench_says_what_is_missing_before_it_compiles_anything(installed: Installed) -> None:
    done = installed.run(
        *("bench", "--only", "SB3", "two threads"),
        extra="cli",
        NUMBA_CACHE_DIR=str(installed.here),
    )
    assert done.stderr == "domino: stable_baselines3 is missing: pip install 'domino-env[bench]'\n"


def test_names_that_are_wrong_are_answered_with_the_right_ones(installed: Installed) -> None:
    for words, told in [
        (["train", "blok_draw"], "did you mean 'block_draw'?"),
        (["train", "ladder"], "is a config for `domino tournament`"),
        (["tournament", "tournaments/lader"], "did you mean 'ladder'?"),
        (["dataset", "none.yaml"], "none.yaml cannot be read: No such file"),
        (["train", "x/matador.yaml"], "the shipped config is called 'matador'"),
        (["configs", "ladderr"], "did you mean 'ladder'?"),
        (["replay", "none.json"], "cannot be read"),
    ]:
        done = installed.run(*words, extra=None)
        assert done.returncode == 2
        assert told in said(done)


def test_a_config_can_be_started_from(installed: Installed, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    done = installed.run("configs", "block_draw", extra=None)
    assert "there is also train/net/block_draw" in done.stderr
    assert "and tournaments/block_draw and datasets/block_draw" in done.stderr
    mine.write_text(done.stdout)
    assert done.stdout == (ROOT / "configs" / "train" / "block_draw.yaml").read_text()
    done = installed.run("configs", "tournaments/block_draw", extra=None)
    assert done.stderr == ""
    mine.write_text(done.stdout.replace("deals: ", "deals: 1 # "))
    done = installed.run("tournament", str(mine), extra=None)
    assert f"{mine}, line " in said(done), "it was read: one deal is too few"
    assert "deals must be" in said(done)
