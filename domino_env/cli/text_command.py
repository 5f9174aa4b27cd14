"""`domino text`: a game in a pipe, prompts on standard output and answers on standard input."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from domino_env.cli.arguments import add_num_players, add_seat


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser(
        "text", help="play a game as text in a pipe, for language models and scripts"
    )
    command.add_argument("game", metavar="id", help="a game, as `domino list` names it")
    _add_game(command)
    _add_prompt(command)
    command.set_defaults(run=run)


def _add_game(command: argparse.ArgumentParser) -> None:
    """What is played, and by whom."""
    command.add_argument(
        "--opponents",
        default="random",
        help="the agent in all other seats, or self: you answer for every seat (default random)",
    )
    add_seat(command)
    add_num_players(command)
    command.add_argument(
        "--episode", default="round", help="how long a game is: round or match (default round)"
    )
    command.add_argument(
        "--calls",
        default="automatic",
        help="automatic: calls are made for every player (default); explicit: players make them",
    )
    command.add_argument(
        "--seed", type=int, help="seed of the first game; each later game adds 1 (default: random)"
    )
    command.add_argument("--games", type=int, default=1, help="number of games (default 1)")
    command.add_argument(
        "--on-illegal",
        default="retry",
        help="what follows an answer that is no legal move: retry (ask again), forfeit, or random "
        "(a random move is played) (default retry)",
    )
    command.add_argument(
        "--retries",
        type=int,
        default=2,
        help="how often a decision is asked again before the game is forfeited (default 2)",
    )


def _add_prompt(command: argparse.ArgumentParser) -> None:
    """What is said, and in which form."""
    command.add_argument(
        "--no-rules", action="store_true", help="leave the rules out of the prompts"
    )
    command.add_argument(
        "--no-history", action="store_true", help="leave out what has happened in the round"
    )
    command.add_argument("--no-legal", action="store_true", help="do not list the legal moves")
    command.add_argument(
        "--style", default="plain", help="the form of a prompt: plain or json (default plain)"
    )
    command.add_argument(
        "--json",
        action="store_true",
        help="write one JSON object a line: prompt, reward, done and info; answers are lines of "
        "text, or JSON strings",
    )


def run(options: argparse.Namespace) -> int:
    """Plays the games; 0 once they are over, or when no more answers come."""
    from domino_env.text import TextEnv

    env = TextEnv(
        options.game,
        options.opponents,
        options.seat,
        options.num_players,
        options.episode,
        options.on_illegal,
        options.retries,
        options.seed,
        calls=options.calls,
        rules=not options.no_rules,
        history=not options.no_history,
        legal=not options.no_legal,
        style=options.style,
    )
    for _ in range(options.games):
        if not _play(env, options.json):
            break
    return 0


def _play(env: Any, as_json: bool) -> bool:
    """Plays a game; False if there were no more answers."""
    _tell(as_json, env.reset(), 0.0, False, {"seed": env.seed, "to_move": env.to_move})
    while not env.done:
        line = sys.stdin.readline()
        if not line:
            return False
        _tell(as_json, *env.step(_answer(line)))
    return True


def _answer(line: str) -> str:
    """A line, or what it quotes."""
    try:
        said = json.loads(line)
    except ValueError:
        return line.rstrip("\n")
    return said if isinstance(said, str) else line


def _tell(as_json: bool, prompt: str, reward: float, done: bool, info: dict[str, Any]) -> None:
    if as_json:
        said = {"prompt": prompt, "reward": reward, "done": done, "info": info}
        print(json.dumps(said, ensure_ascii=False), flush=True)
        return
    if done:
        counted = f"Retries: {info['retries']}, forfeits: {info['forfeits']}."
        prompt += f"\nReward: {reward:g}. {counted}"
    print(prompt, end="\n\n", flush=True)
