"""Counts the hops of typical calls: the functions of ours that one passes through, and their files.

    python -m tools.hops            # measures, and writes docs/hops.json

Compiled kernels are left out: a profiler of Python does not see them, nor does a reader who follows
the call in Python. So are lambdas and comprehensions.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import domino_env
from domino_env.evaluate.tournament import TournamentSettings, play_tournament
from domino_env.files import write_whole
from domino_env.train.settings import Phase, TrainSettings
from domino_env.train.training import Training
from tools.architecture import ROOT, modules, room_of

KEPT = ROOT / "docs" / "hops.json"


def passed_through(call: Callable[[], Any]) -> list[CodeType]:
    """The functions of ours that a call passes through, in the order of their first calls."""
    ours = {str(path.resolve()) for path in modules().values()}
    found: dict[CodeType, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code not in found and not code.co_name.startswith("<"):
            if str(Path(code.co_filename).resolve()) in ours:
                found[code] = None

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return [*found]


def hops(call: Callable[[], Any]) -> dict[str, Any]:
    """How many functions in how many files, and the rooms in the order of their first calls."""
    names = {str(path.resolve()): name for name, path in modules().items()}
    functions = passed_through(call)
    files = list(dict.fromkeys(str(Path(code.co_filename).resolve()) for code in functions))
    rooms = list(dict.fromkeys(room_of(names[file]) for file in files))
    return {"functions": len(functions), "files": len(files), "rooms": rooms}


def step() -> Callable[[], Any]:
    """A step of 64 games."""
    batch = domino_env.batch("block_draw", 64, seed=0)
    batch.reset()
    batch.step(batch.sample())
    actions = batch.sample()
    return lambda: batch.step(actions)


def aec_step() -> Callable[[], Any]:
    """A step of one game in PettingZoo's environment."""
    env = domino_env.raw_aec("block_draw")
    env.reset(seed=0)
    env.last()
    actions = [int(env.observe(env.agent_selection)["action_mask"].argmax())]
    env.step(actions[0])
    action = int(env.observe(env.agent_selection)["action_mask"].argmax())
    return lambda: env.step(action)


def iteration() -> Callable[[], Any]:
    """An iteration of PPO with the usual pool of opponents, the third: by then everybody has been
    asked once, and what is loaded at its first use is loaded."""
    settings = TrainSettings(
        rules={"hand_size": 7},
        rounds_per_iteration=64,
        imitate=Phase(0),
        distill=Phase(0),
        ppo=Phase(4, batch_size=256),
    )
    training = Training(settings)
    for _ in range(2):
        training.iterate()
    return training.iterate


def tournament() -> Callable[[], Any]:
    """A tournament of two agents, played to its results."""
    settings = TournamentSettings(agents=("random", "greedy_pip"), deals=4)
    play_tournament(settings).ratings()
    return lambda: play_tournament(settings).ratings()


CALLS: dict[str, Callable[[], Callable[[], Any]]] = {
    "a step of a batch": step,
    "a step of an AEC environment": aec_step,
    "an iteration of training (PPO)": iteration,
    "a tournament of two agents": tournament,
}


def main() -> int:
    """Measures all calls, shows and keeps them."""
    found = {name: hops(make()) for name, make in CALLS.items()}
    for name, row in found.items():
        print(f"{name}: {row['functions']} functions in {row['files']} files: {row['rooms']}")
    write_whole(KEPT, json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
