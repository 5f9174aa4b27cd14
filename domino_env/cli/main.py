"""The frame of the `domino` command: it parses the arguments, runs what they name, and turns errors
and signals into messages and exit statuses."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import domino_env
from domino_env.agents.custom.loading import look_in
from domino_env.cli import (
    bench_command,
    benchmark_command,
    completion_command,
    configs_command,
    cross_play_command,
    dataset_command,
    demo_command,
    engine_command,
    exploit_command,
    export_command,
    learn_command,
    list_command,
    new_agent_command,
    new_game_command,
    play_command,
    replay_command,
    rules_command,
    serve_command,
    text_command,
    tournament_command,
    train_command,
    tune_command,
)
from domino_env.cli.arguments import extra_for
from domino_env.errors import DominoError
from domino_env.extras import must_have

COMMANDS = (
    list_command,
    rules_command,
    play_command,
    text_command,
    serve_command,
    bench_command,
    benchmark_command,
    tune_command,
    tournament_command,
    cross_play_command,
    exploit_command,
    learn_command,
    engine_command,
    train_command,
    export_command,
    dataset_command,
    replay_command,
    new_agent_command,
    new_game_command,
    demo_command,
    configs_command,
    completion_command,
)
"""The commands, in the order of `domino --help`."""

MAX_ERROR_LENGTH = 4000  # characters: an error may quote what was given
TERMINATED = 128 + signal.SIGTERM  # the exit status that shells give it


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; its exit status is 0, or 2 for a request that cannot be carried out, and
    130 or 143 for one that was stopped, by Ctrl-C or by SIGTERM."""
    options = parser().parse_args(arguments)
    look_in(os.getcwd())  # for agents of one's own
    with _sigterm_as_interrupt() as received:
        status = _run(options)
    return TERMINATED if received else status


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command."""
    whole = argparse.ArgumentParser(
        prog="domino", description="Domino games as reinforcement-learning environments."
    )
    whole.add_argument("--version", action="version", version=domino_env.__version__)
    whole.set_defaults(extra="cli")
    commands = whole.add_subparsers(required=True, metavar="command")
    for command in COMMANDS:
        command.add(commands)
    return whole


@contextmanager
def _sigterm_as_interrupt() -> Iterator[list[int]]:
    """Has SIGTERM stop a command as Ctrl-C does, so that its work so far is saved; the list that it
    gives holds the signals received."""
    received: list[int] = []

    def stop(number: int, frame: Any) -> None:
        received.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # no other may handle signals
        yield received
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield received
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(options: argparse.Namespace) -> int:
    try:
        must_have("rich", "yaml", extra=extra_for(options))
        status: int = options.run(options)
    except DominoError as error:
        print(f"domino: {str(error)[:MAX_ERROR_LENGTH]}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ndomino: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        return 0
    except OSError as error:  # of a file that a library writes for us
        where = f"{error.filename}: " if error.filename else ""
        print(f"domino: {where}{error.strerror or error}", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
