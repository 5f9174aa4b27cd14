"""Uses all that has kernels: every engine, agent, belief and way of training."""

from __future__ import annotations

import sys
import tempfile
from contextlib import closing
from itertools import product
from pathlib import Path

import numpy as np

import domino_env
from domino_env import agents, belief, solve
from domino_env.solve.mini_games import mini_game
from tools.architecture import ROOT


def use_everything() -> None:
    """Calls every kernel that is called from Python, as it is called."""
    domino_env.warm_up("block_draw", "bendomino", "blind", "solitaire", beliefs=True)
    for game in ("block_draw", "solitaire"):
        domino_env.warm_up(game, beliefs=True, observation_dtype="uint8")
    for name in agents.names():
        domino_env.warm_up(agents=[name])
    domino_env.warm_up("five_up", agents=["pimc", "heuristic", "clairvoyant"])
    _use_threads()
    _use_pimc()
    _ask_an_engine()
    _believe()
    _solve()
    _train()


def _use_threads() -> None:
    for game, dtype in product(("block_draw", "solitaire"), ("float32", "uint8")):
        batch = domino_env.batch(
            game, 8, threads=2, seed=0, autoreset=False, observation_dtype=dtype
        )
        batch.reset()
        while (batch.seat >= 0).any():
            batch.step(batch.sample())


def _use_pimc() -> None:
    batch = domino_env.batch("block_draw", 2, seed=0)
    batch.reset()
    agents.make("pimc", seconds=0.02).act(batch, np.arange(2))


def _ask_an_engine() -> None:
    engine = ROOT / "examples" / "engines" / "python" / "engine.py"
    batch = domino_env.batch("block_draw", 2, seed=0)
    batch.reset()
    with closing(agents.make("engine", command=[sys.executable, str(engine)])) as asked:
        asked.act(batch, np.arange(2))


def _believe() -> None:
    batch = domino_env.batch("block_draw", 1, seed=0)
    batch.reset()
    belief.marginals(batch, 0, 0)
    belief.weighted(batch, 0, 0, agents.make("random"), 2, seed=0)


def _solve() -> None:
    for name in ("block_3", "bendomino_2"):
        tree = mini_game(name).tree
        solve.exploitability(tree, solve.cfr_plus(tree, 1))
        solve.exploitability(tree, "heuristic")
    batch = domino_env.batch("block_draw", 1, 2, seed=0)
    batch.reset()
    solve.double_dummy(batch)


def _train() -> None:
    from domino_env.cli.main import main

    kinds: tuple[list[str], ...] = (
        [],
        ["network=graph", "distill_worlds=2"],
        ["network=scorer", "history=recurrent"],
        ["network=scorer", "history=attention"],
    )
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "run")
        settings = ["game=all_fives", "rounds_per_iteration=64"]
        settings += [f"{phase}.iterations=1" for phase in ("imitate", "distill", "ppo")]
        for number, changes in enumerate(kinds):
            words = [word for each in (*settings, *changes) for word in ("--set", each)]
            main(["train", "--out", f"{out}{number}", *words])
