"""Compiled code is kept where it can be, never used when it is stale, and not made in silence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from domino_env import agents
from domino_env.engine import compiling

KERNEL = """
from domino_env.engine.compiling import kernel

@kernel
def twice(number):
    return 2 * number
"""
USE = """
import sys
sys.path.insert(0, {folder!r})
{before}
import twofold
assert twofold.twice(3) == 6
stats = twofold.twice.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
CHANGED = (
    "from domino_env.engine import compiling; compiling.mark_of_sources = lambda file: 'other'"
)
NOWHERE = "from numba.core import caching; caching.CacheImpl._locator_classes = []"


@pytest.fixture
def module(tmp_path: Path) -> Path:
    file = tmp_path / "code" / "twofold.py"
    file.parent.mkdir()
    file.write_text(KERNEL)
    return file


def used(module: Path, before: str = "") -> str:
    """How often a new process found the kernel of a module in the cache, and how often not."""
    code = USE.format(folder=str(module.parent), before=before)
    kept = {**os.environ, "NUMBA_CACHE_DIR": str(module.parent.parent / "kept")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=kept, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_code_is_compiled_anew_when_a_source_of_it_has_changed_wherever_it_is_kept(
    module: Path,
) -> None:
    assert used(module) == "0 1"
    assert used(module) == "1 0"
    os.utime(module, (1, 1))
    assert used(module) == "1 0", "the same content is the same code"
    assert used(module, CHANGED) == "0 1", "what it calls may have changed"


@pytest.mark.slow
def test_without_a_folder_for_compiled_code_it_works_all_the_same(module: Path) -> None:
    assert used(module, NOWHERE).startswith("0 "), "and nothing was kept"
    assert used(module, NOWHERE).startswith("0 ")


@pytest.mark.parametrize(
    ("changed", "kernel", "stale"),
    [
        ("engine/state.py", "engine/lanes.py", True),
        ("engine/layout/line.py", "engine/lanes.py", True),
        ("puzzles/state.py", "agents/optimal.py", True),
        ("agents/playout.py", "train/oracle_teacher.py", True),
        ("agents/playout.py", "engine/lanes.py", False),
        ("train/oracle_teacher.py", "train/oracle_teacher.py", True),
        ("domino_env/cli/tables.py", "train/oracle_teacher.py", False),
    ],
)
def test_what_a_kernel_is_made_of(
    changed: str, kernel: str, stale: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("ENGINE", "PUZZLES", "AGENTS"):
        monkeypatch.setattr(compiling, folder, tmp_path / folder.lower())
    for name in (changed, kernel, "engine/seats.py", "agents/random.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("before")

    def mark() -> str:
        compiling._mark_of_engine.cache_clear()
        compiling._mark_of_agents.cache_clear()
        return compiling.mark_of_sources(str(tmp_path / kernel))

    before = mark()
    assert mark() == before
    (tmp_path / changed).write_text("after!")
    assert (mark() != before) is stale
    compiling._mark_of_engine.cache_clear()
    compiling._mark_of_agents.cache_clear()


# What is said ------------------------------------------------------------------------------------


def compiled(*modules: str) -> Any:
    """Events as Numba sends them, of a kernel that calls the next."""
    announcer, events = compiling._Announcer(), []
    for module in modules:
        kernel = SimpleNamespace(py_func=SimpleNamespace(__module__=module))
        events.append(SimpleNamespace(data={"dispatcher": kernel}))
    return announcer, events


def test_the_line_says_what_is_compiled_and_once_only_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    agents.names()  # imports them
    modules = [
        *("domino_env.engine.lanes", "domino_env.engine.lanes", "domino_env.puzzles.lanes"),
        *("domino_env.engine.hidden.posterior", "domino_env.agents.pimc", "somebody.elses"),
    ]
    announcer, events = compiled(*modules)
    for each in events:
        announcer.on_start(each)
        announcer.on_end(each)
    lines = capsys.readouterr().err.splitlines()
    wanted = ["the rules engine", "the engine of one-player games", "beliefs", "the agent pimc"]
    assert len(lines) == len(wanted)
    for line, what in zip(lines, wanted, strict=True):
        assert line.startswith(f"domino_env: compiling {what}")
        assert "seconds) ..." in line
    assert [line.count("once for this machine") for line in lines] == [1, 0, 0, 0]


def test_what_a_kernel_calls_is_part_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    agents.names()
    announcer, (outer, inner) = compiled("domino_env.agents.pimc", "domino_env.engine.playing")
    announcer.on_start(outer)
    announcer.on_start(inner)
    announcer.on_end(inner)
    announcer.on_end(outer)
    assert capsys.readouterr().err.count("compiling") == 1


def test_where_nothing_can_be_kept_the_line_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "KEPT", False)
    announcer, (event,) = compiled("domino_env.engine.lanes")
    announcer.on_start(event)
    line = capsys.readouterr().err
    assert "for this process alone" in line
    assert "NUMBA_CACHE_DIR" in line
    assert "once for this machine" not in line


@pytest.mark.parametrize("name", agents.names())
def test_every_agent_says_what_is_compiled_for_it(name: str) -> None:
    module = agents._classes()[name].__module__
    has_kernels = any(hasattr(each, "py_func") for each in vars(sys.modules[module]).values())
    if has_kernels:
        what, seconds = compiling.described(module)
        assert what == f"the agent {name}"
        assert seconds > 0


# Before it is needed -----------------------------------------------------------------------------

WARM = """
import sys
import numpy as np
from numba.core.dispatcher import Dispatcher
import domino_env
from domino_env import belief

def compiled():
    ours = [module for name, module in sys.modules.items() if name.startswith("domino_env.")]
    kernels = [v for module in ours for v in vars(module).values() if isinstance(v, Dispatcher)]
    return {(kernel.py_func.__name__, str(each)) for kernel in kernels for each in kernel.overloads}

domino_env.warm_up(%s)
before = compiled()
assert before
from domino_env import agents
import gymnasium
for game, players in (("five_up", 3), ("fundomino", 4), ("solitaire", 1)):
    if game == "solitaire" and not %s:
        continue
    for kind in ("round", "match")[: 2 if players > 1 else 1]:
        batch = domino_env.batch(game, 3, players, seed=1, episode=kind, autoreset=False)
        batch.reset()
        batch.step(batch.sample())
        batch.position(1), batch.observe(1, 0), batch.restore(2, batch.clone().save(1))
        batch.restart(0)
    env = domino_env.raw_aec(game, num_players=players)
    env.reset(seed=2)
    env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    env = gymnasium.make(f"domino/{game}-v0")
    _, info = env.reset(seed=1)
    env.step(int(np.argmax(info["action_mask"])))
    if players > 1:
        for name in %s:
            batch.reset()
            agents.make(name).act(batch, np.arange(3))
        batch.reset()
        if %s:
            belief.sample(batch, 0, 0, 5)
new = compiled() - before
assert not new, sorted({name for name, _ in new})
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "one_player", "players", "beliefs"),
    [
        ("", True, [], False),
        ("'block_draw'", False, [], False),
        ("'block_draw', agents=['greedy_pip'], beliefs=True", False, ["greedy_pip"], True),
        ("agents=['heuristic']", True, ["heuristic"], False),
    ],
)
def test_after_warm_up_nothing_is_compiled_or_loaded_any_more(
    asked: str, one_player: bool, players: list[str], beliefs: bool
) -> None:
    code = WARM % (asked, one_player, players, beliefs)
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)
