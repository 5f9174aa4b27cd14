"""Options that several commands have, and what they mean: settings, the folder of results, and the
threads or the Ray cluster that does the work."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, TypeVar

from domino_env.errors import DominoError
from domino_env.execution.executor import ExecutorFactory
from domino_env.extras import must_have

Kind = TypeVar("Kind")


def add_settings(command: argparse.ArgumentParser, example: str) -> None:
    """The options of every command that is driven by a settings file and fills a folder."""
    add_changes(command, example)
    command.add_argument("--out", metavar="DIR", help="folder for the results (default runs/NAME)")


def add_changes(command: argparse.ArgumentParser, example: str) -> None:
    """The options of every command that is driven by a settings file."""
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"change a setting, for example {example}; may be repeated",
    )
    command.add_argument("--settings", action="store_true", help="list all settings and exit")


def add_settings_file(command: argparse.ArgumentParser, example: str) -> None:
    """The settings file itself, as the first argument."""
    command.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help=f"settings: a YAML file, or a shipped config such as {example} (`domino configs`)",
    )


def add_engine(
    command: argparse.ArgumentParser,
    engine_help: str = "where the work runs: threads of this process (default) or a Ray cluster; "
    "the results are identical",
) -> None:
    """The options of every command that can run on a Ray cluster."""
    command.add_argument(
        "--engine", choices=("threads", "ray"), default="threads", help=engine_help
    )
    command.add_argument(
        "--address",
        metavar="ADDR",
        help="address of the Ray cluster: auto, or for example 10.0.0.1:6379 (default: "
        "RAY_ADDRESS, or else a cluster on this machine)",
    )


def load_settings(
    options: argparse.Namespace, kind: type[Kind], file: str | None, folder: str
) -> Kind | None:
    """The settings from a file, or from a shipped config of that folder, with the changes of
    `--set`; None if they were only to be listed."""
    from domino_env.config.loader import load
    from domino_env.config.shipped import find

    if options.settings:
        list_settings(kind)
        return None
    return load(kind, find(file, folder) if file else None, options.set)


def list_settings(kind: type[Any]) -> None:
    """Prints what can be set in a file, or with --set."""
    from rich.markup import escape
    from rich.table import Table

    from domino_env.config.loader import rows
    from domino_env.evaluate.rich_tables import show

    table = Table(title="Settings", title_justify="left")
    for column in ("name", "type", "default", "meaning"):
        table.add_column(column)
    for row in rows(kind):
        table.add_row(*map(escape, row))
    show(table)


def results_folder(options: argparse.Namespace, settings: Any, default: str) -> Path:
    """Where results go: `--out`, the folder in the settings, or runs/ and the name of the file."""
    name = Path(options.file).stem if options.file else default
    return Path(options.out or settings.out or Path("runs") / name)


def executor_of(options: argparse.Namespace) -> ExecutorFactory | None:
    """The executor that `--engine` names; None for the threads of the settings."""
    if not wants_cluster(options):
        return None
    must_have("ray", extra=extra_for(options))
    from domino_env.execution.ray_executor import ray_executor

    return ray_executor(options.address)


def wants_cluster(options: argparse.Namespace) -> bool:
    """Is the work to be done on a Ray cluster? Its options are refused otherwise."""
    if options.engine == "ray":
        return True
    for name in ("address", "workers"):
        if getattr(options, name, None) is not None:
            raise DominoError(f"--{name} is for a Ray cluster: it needs --engine ray")
    return False


def extra_for(options: argparse.Namespace) -> str:
    """The extra of the package that brings all that a command needs."""
    if getattr(options, "engine", None) != "ray":
        return str(options.extra)
    return {"train": "train,rllib", "data": "data,ray"}.get(options.extra, "ray")


class _Renamed(argparse.Action):
    """An option that has another name now."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        parser.error(f"`{self.option_strings[0]}` is now `{self.const}`")


def add_num_players(command: argparse.ArgumentParser) -> None:
    """The number of players; its former name is refused with the present one."""
    now = "--num-players"
    words = "number of players (default: the game's usual number)"
    command.add_argument(now, type=int, metavar="N", help=words)
    command.add_argument("--players", action=_Renamed, const=now, help=argparse.SUPPRESS)


def add_seat(command: argparse.ArgumentParser) -> None:
    """The seat that is played as text; the others have opponents."""
    words = "the seat that you answer for: a number, or random (default)"
    command.add_argument("--seat", type=_seat, default="random", metavar="N", help=words)


def _seat(text: str) -> int | str:
    from domino_env.plain import whole_of

    number = whole_of(text)
    return text if number is None else number
