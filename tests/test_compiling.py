"""Compiled code is kept where it can be, never used when it is stale, and not made in silence."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import pytest
from numba import from_dtype
from numba.core import types

from domino_env import agents, lanes
from domino_env.agents.searching import playout
from domino_env.compiling import announce, fingerprint
from domino_env.compiling.kernels import Kernel
from domino_env.engine import rng, rounds
from domino_env.engine.layout import line as straight
from domino_env.engine.state import GAME
from domino_env.puzzles import columns, counting
from domino_env.puzzles.puzzle_state import PUZZLE
from domino_env.train import oracle_teacher

KERNEL = """
from domino_env.compiling import kernel

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
from domino_env.compiling.source import dispatcher_of
stats = dispatcher_of(twofold.twice).stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
LINES = [f"number += number % {n} - number % {n}" for n in range(2, 90)]
SLOW = "\n    ".join([*LINES, "return 2 * number"])
CHANGED = "from domino_env.compiling import source; source.fingerprint = lambda kernel: 'other'"
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
def test_of_several_processes_one_compiles_and_the_others_wait_for_it(module: Path) -> None:
    module.write_text(KERNEL.replace("return 2 * number", SLOW))
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(lambda _: used(module), range(4))]
    assert sorted(found) == ["0 1", "1 0", "1 0", "1 0"]


@pytest.mark.slow
def test_without_a_folder_for_compiled_code_it_works_all_the_same(module: Path) -> None:
    assert used(module, NOWHERE).startswith("0 "), "and nothing was kept"
    assert used(module, NOWHERE).startswith("0 ")


MADE_OF = {  # a kernel, what it calls in another file, and a constant from a third
    "far.py": """
        LIMIT = 7
        ROW = (1, 2)
        """,
    "near.py": """
        from domino_env.compiling import kernel, small
        from domino_env.engine.bits import lowest
        import numpy as np
        import far

        LIMIT = far.LIMIT
        TABLE = np.arange(3)

        @small
        def capped(number):
            return min(number, LIMIT) + TABLE[0]
        """,
    "twofold.py": """
        import near
        from domino_env.compiling import kernel
        from near import capped

        @kernel
        def twice(number):
            \"\"\"Twice a number.\"\"\"
            return 2 * later(number)

        @kernel
        def later(number):
            return capped(number)
        """,
    "other.py": "LIMIT = 1",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "before", "after", "stale"),
    [
        ("twofold.py", "return 2 *", "return 0 + 2 *", True),
        ("twofold.py", "return capped(number)", "return capped(number + 0)", True),
        ("near.py", "min(number, LIMIT)", "min(LIMIT, number)", True),
        ("near.py", "np.arange(3)", "np.arange(4)", True),
        ("near.py", "@small", "@kernel", True),
        ("far.py", "LIMIT = 7", "LIMIT = 8", True),
        ("far.py", "ROW = (1, 2)", "ROW = (1, 3)", False),
        ("other.py", "LIMIT = 1", "LIMIT = 2", False),
        ("twofold.py", "Twice a number.", "A number, and again.", False),
        ("near.py", "import far", "import far  # that is where it is", False),
    ],
)
def test_what_a_kernel_is_made_of(
    file: str, before: str, after: str, stale: bool, module: Path
) -> None:
    for name, text in MADE_OF.items():
        (module.parent / name).write_text(dedent(text))
    assert used(module) == "0 1"
    assert used(module) == "1 0"
    changed = module.parent / file
    text = changed.read_text()
    assert text.count(before) == 1
    changed.write_text(text.replace(before, after))
    assert used(module) == ("0 1" if stale else "1 0")


def fingerprint_without(module: Any, name: str, kernel: Any) -> str:
    """The fingerprint of a kernel as a new process would make it, if something were otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, 12345)
        fingerprint.anatomy.cache_clear()
        changed = fingerprint.fingerprint(kernel)
    fingerprint.anatomy.cache_clear()
    return changed


def test_the_loops_over_lanes_are_made_of_both_engines_and_of_no_agent() -> None:
    step, play = lanes.step_checked, oracle_teacher_kernels()[0]
    before, above = fingerprint.fingerprint(step), fingerprint.fingerprint(play)
    for module, name in (
        (rounds, "NO_STEP"),
        (straight, "HALF"),
        (rng, "_S27"),
        (columns, "TARGETS"),
        (counting, "NUMBERS"),
    ):
        assert hasattr(module, name)
        assert fingerprint_without(module, name, step) != before, (module, name)
    assert fingerprint_without(rounds, "NO_STEP", play) != above
    assert fingerprint_without(playout, "opposed", play) != above
    assert fingerprint_without(playout, "opposed", step) == before
    assert fingerprint.fingerprint(step) == before


def oracle_teacher_kernels() -> list[Any]:
    """The kernels of a module of training, which stand on those of agents."""
    return [each for each in vars(oracle_teacher).values() if isinstance(each, Kernel)]


@pytest.mark.parametrize(
    "name",
    [
        *(f"domino_env.{name}" for name in ("lanes", "learner_lanes")),
        *(f"domino_env.agents.{name}" for name in ("pimc", "search", "optimal")),
    ],
)
def test_everything_that_a_kernel_names_is_known_for_what_it_is(name: str) -> None:
    """What is neither compiled nor a constant counts by its name alone; nothing of ours may."""
    waiting = [each for each in vars(import_module(name)).values() if isinstance(each, Kernel)]
    seen: set[int] = set()
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        waiting += fingerprint.anatomy(function)[1]
        for used_name, value in fingerprint.named(getattr(function, "py_func", function)):
            words = fingerprint.in_words(value)
            by_name = words.startswith("domino_env.") and not fingerprint.is_compiled(value)
            assert not by_name, f"{function} names {used_name}, which is {words}"


# What is said ------------------------------------------------------------------------------------


def compiled(*modules: str) -> Any:
    """Events as Numba sends them, of a kernel that calls the next."""
    announcer, events = announce.Announcer(), []
    for module in modules:
        kernel = SimpleNamespace(py_func=SimpleNamespace(__module__=module))
        events.append(SimpleNamespace(data={"dispatcher": kernel}))
    return announcer, events


def test_the_line_says_what_is_compiled_and_once_only_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    agents.names()  # imports them
    modules = [
        *("domino_env.engine.rounds", "domino_env.lanes", "domino_env.puzzles.columns"),
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


def test_the_loops_over_lanes_are_announced_as_the_engine_that_they_are_compiled_for() -> None:
    games = [types.Array(from_dtype(record), 1, "C") for record in (PUZZLE, GAME)]
    said = [announce.described("domino_env.lanes", (types.int64, each))[0] for each in games]
    assert said == ["the engine of one-player games", "the rules engine"]


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
    monkeypatch.setattr(announce, "KEPT", False)
    announcer, (event,) = compiled("domino_env.lanes")
    announcer.on_start(event)
    line = capsys.readouterr().err
    assert "for this process alone" in line
    assert "NUMBA_CACHE_DIR" in line
    assert "once for this machine" not in line


@pytest.mark.parametrize("name", agents.names())
def test_every_agent_says_what_is_compiled_for_it(name: str) -> None:
    module = agents._classes()[name].__module__
    has_kernels = any(isinstance(each, Kernel) for each in vars(sys.modules[module]).values())
    if has_kernels:
        what, seconds = announce.described(module)
        assert what == f"the agent {name}"
        assert seconds > 0


# Before it is needed -----------------------------------------------------------------------------

WARM = """
import sys
import numpy as np
import domino_env
from domino_env import belief
from domino_env.compiling import Kernel
from domino_env.compiling.source import dispatcher_of

def compiled():
    ours = [module for name, module in sys.modules.items() if name.startswith("domino_env.")]
    kernels = {v for module in ours for v in vars(module).values() if isinstance(v, Kernel)}
    return {(each.name, str(kind)) for each in kernels for kind in dispatcher_of(each).overloads}

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
    from_source = {**os.environ, "DOMINO_ENV_FROM_SOURCE": "1"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, env=from_source)
