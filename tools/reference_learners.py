"""OpenSpiel's own NFSP on the trees of mini games, beside ours in docs/algorithms.md.

    pip install dm-tree            # which OpenSpiel's NFSP imports
    python -m tools.reference_learners --seconds 10

It gets a tree as a file (`solve.write_efg`), a C++ game, whose information states it sees one-hot;
its policy is measured by our exact exploitability. Settings are those of ours where both have them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from domino_env import solve
from domino_env.solve.mini_games import mini_game
from tools import algorithms
from tools.solver_speed import as_ours

GAMES = ("fives_and_threes_2", "block_3")
SIZES = [64, 64]
ANTICIPATORY, MEMORY = 0.1, 100_000


def main(arguments: list[str] | None = None) -> int:
    """Measures, and keeps what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="of processor time a game")
    options = parser.parse_args(arguments)
    found = algorithms.kept()
    found["open_spiel"] = [nfsp(name, options.seconds) for name in GAMES]
    algorithms.keep(found)
    Console().print(found["open_spiel"])
    return 0


def nfsp(name: str, seconds: float) -> dict[str, Any]:
    """What OpenSpiel's NFSP loses after so long."""
    import pyspiel
    from open_spiel.python import rl_environment
    from open_spiel.python.pytorch.nfsp import NFSP

    tree = mini_game(name).tree
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.efg"
        solve.write_efg(tree, file)
        game = pyspiel.load_game("efg_game", {"filename": str(file)})
    env = rl_environment.Environment(game)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    players = [NFSP(seat, size, actions, SIZES, MEMORY, ANTICIPATORY) for seat in (0, 1)]
    began, episodes = time.process_time(), 0
    while (spent := time.process_time() - began) < seconds:
        play(env, players)
        episodes += 1
    lost = solve.exploitability(tree, as_ours(tree, dict(table(game, players))))
    return {
        "game": name,
        "algorithm": "nfsp",
        "seconds": round(spent, 2),
        "episodes": episodes,
        "exploitability": lost,
    }


def play(env: Any, players: list[Any]) -> None:
    """An episode, from which both learn."""
    at = env.reset()
    while not at.last():
        at = env.step([players[at.observations["current_player"]].step(at).action])
    for player in players:
        player.step(at)


def table(game: Any, players: list[Any]) -> Any:
    """The average policy in each information state: its name, and the chance of each action."""
    waiting, seen = [game.new_initial_state()], set()
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        waiting += [state.child(action) for action in state.legal_actions()]
        seat = state.current_player()
        if state.is_chance_node() or (name := state.information_state_string()) in seen:
            continue
        seen.add(name)
        legal = state.legal_actions()
        mask = np.zeros(game.num_distinct_actions(), bool)
        mask[legal] = True
        _, _, chances = players[seat]._act(np.array(state.information_state_tensor()), mask)
        yield name, [(action, float(chances[action])) for action in legal]


if __name__ == "__main__":
    sys.exit(main())
