"""The `domino` command: list the games, read their rules, measure, and see a tournament."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import domino_env
from domino_env.agents.loading import look_in
from domino_env.errors import DominoError
from domino_env.execution.executor import Crew
from domino_env.extras import must_have as _must_have
from domino_env.games import AnyRules

Kind = TypeVar("Kind")
MOST_SAID = 4000  # letters of an error: it may quote what was given
TERMINATED = 128 + signal.SIGTERM  # the exit status that shells give it


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; its exit status is 0, or 2 for a request that cannot be carried out, and
    130 or 143 for one that was stopped, by Ctrl-C or by SIGTERM."""
    parser = _parser()
    options = parser.parse_args(arguments)
    look_in(os.getcwd())  # for agents of one's own
    with _terminated_like_interrupted() as told:
        status = _run(options)
    return TERMINATED if told else status


@contextmanager
def _terminated_like_interrupted() -> Iterator[list[int]]:
    """Has SIGTERM stop a command as Ctrl-C does, so that what was done is kept; the list that is
    given has it then."""
    told: list[int] = []

    def stop(number: int, frame: Any) -> None:
        told.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # no other may ask for signals
        yield told
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield told
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(options: argparse.Namespace) -> int:
    try:
        _must_have("rich", "yaml", extra=_extra(options))
        status: int = options.run(options)
    except DominoError as error:
        print(f"domino: {str(error)[:MOST_SAID]}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ndomino: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        return 0
    except OSError as error:  # of a file that others write for us
        where = f"{error.filename}: " if error.filename else ""
        print(f"domino: {where}{error.strerror or error}", file=sys.stderr)
        return 2
    return status


def _extra(options: argparse.Namespace) -> str:
    """The extra that brings all that a command needs."""
    if getattr(options, "engine", None) != "ray":
        return str(options.extra)
    return {"train": "train,rllib", "data": "data,ray"}.get(options.extra, "ray")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="domino", description="Domino games as reinforcement-learning environments."
    )
    parser.add_argument("--version", action="version", version=domino_env.__version__)
    parser.set_defaults(extra="cli")
    commands = parser.add_subparsers(required=True, metavar="command")

    command = commands.add_parser("list", help="a table of the games")
    command.set_defaults(run=_list)

    command = commands.add_parser("rules", help="the rules of a game")
    command.add_argument("game", metavar="id", help="a game of `domino list`")
    command.add_argument("--plain", action="store_true", help="Markdown, as it is")
    command.set_defaults(run=_rules)

    _add_play(commands)

    command = commands.add_parser("bench", help="speed, beside OpenSpiel's domino game")
    command.add_argument("--json", metavar="FILE", help="write the figures to this file too")
    command.add_argument("--repeats", type=int, default=5, help="medians of so many (default 5)")
    command.add_argument("--seconds", type=float, default=0.4, help="length of one measurement")
    command.add_argument(
        "--only", nargs="+", metavar="WORD", help="only the rows that have one of these words"
    )
    command.add_argument(
        "--deals",
        type=int,
        default=10_000,
        help="of each one-player game, for mean scores (default 10000; 0: no scores)",
    )
    command.set_defaults(run=_bench)

    command = commands.add_parser("tune", help="find the weights of `heuristic` for a game")
    command.add_argument("game", metavar="id", help="a game of `domino list`")
    command.add_argument("--hand-size", type=int, help="tiles dealt to each, as a house rule")
    command.add_argument("--generations", type=int, default=30, help="how long (default 30)")
    command.add_argument("--candidates", type=int, default=40, help="side by side (default 40)")
    command.add_argument("--deals", type=int, default=2000, help="for each of them (default 2000)")
    command.add_argument("--seed", type=int, default=0, help="of deals and candidates (default 0)")
    command.add_argument("--out", metavar="FILE", help="keep the weights in this JSON file too")
    command.set_defaults(run=_tune)

    command = commands.add_parser(
        "tournament", help="agents against each other on duplicate deals, with ratings"
    )
    command.add_argument("file", nargs="?", metavar="FILE", help=_config("ladder"))
    _add_settings(command, "deals=500 or rules.hand_size=7")
    command.add_argument("--resume", action="store_true", help="go on with what was played of it")
    _add_engine(command)
    command.set_defaults(run=_tournament)

    command = commands.add_parser("train", help="train a policy, by a config")
    command.add_argument("file", nargs="?", metavar="FILE", help=_config("block_draw"))
    _add_settings(command, "seed=1 or reinforce.iterations=500")
    command.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    _add_engine(
        command,
        "who plays and learns: this process (default), or a Ray cluster by RLlib; a run is the "
        "same on any cluster, but not the same as in this process",
    )
    command.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="cores of the Ray cluster that work on it (default all)",
    )
    command.set_defaults(run=_train, extra="train")

    command = commands.add_parser("dataset", help="many games as Parquet files, to learn from")
    command.add_argument("file", nargs="?", metavar="FILE", help=_config("block_draw"))
    _add_settings(command, "games=500 or keep.hands=true")
    _add_engine(command)
    command.set_defaults(run=_dataset, extra="data")

    command = commands.add_parser("replay", help="watch a recorded game, or make a film of it")
    command.add_argument("file", metavar="FILE", help="a record, or a .jsonl of a tournament")
    command.add_argument("--game", type=int, default=1, help="which of a .jsonl (default 1)")
    command.add_argument("--out", metavar="FILE", help="a .gif or a .html, not the terminal")
    command.add_argument(
        "--viewer", default="all", help="who looks: all, nobody or a seat (default all)"
    )
    command.add_argument(
        "--seconds", type=float, default=0.8, help="that a picture is shown (default 0.8)"
    )
    command.set_defaults(run=_replay)

    command = commands.add_parser("new-agent", help="write an agent of your own to begin with")
    command.add_argument("name", metavar="NAME", help="of it, like my_agent: the file my_agent.py")
    command.set_defaults(run=_new_agent)

    command = commands.add_parser("demo", help="train for a minute, then play a tournament")
    command.add_argument("--config", metavar="FILE", default="demo", help="settings (default demo)")
    _add_settings(command, "tournament.deals=200")
    command.set_defaults(run=_demo, extra="train")

    command = commands.add_parser("configs", help="the settings that come along, by name")
    command.add_argument("name", nargs="?", metavar="NAME", help="print this one, to start from")
    command.set_defaults(run=_configs)

    command = commands.add_parser("completion", help="what a shell reads to complete commands")
    command.add_argument("shell", choices=("bash", "zsh", "fish"))
    command.set_defaults(run=_completion)
    return parser


def _config(example: str) -> str:
    return f"settings: a YAML file, or a name of `domino configs`, like {example}"


class _Renamed(argparse.Action):
    """An option that has another name now."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        parser.error(f"`{self.option_strings[0]}` is now `{self.const}`")


def _add_play(commands: Any) -> None:
    command = commands.add_parser("play", help="play in the browser, or in the terminal")
    command.add_argument("game", nargs="?", metavar="id", help="a game of `domino list`")
    command.add_argument(
        "--against",
        nargs="+",
        default=[],
        metavar="AGENT",
        help='who has the other seats, like heuristic, "pimc seconds=1" or my_agent.py:MyAgent '
        "(default the strongest)",
    )
    command.add_argument("--num-players", type=int, metavar="N", help="how many (default as usual)")
    command.add_argument(
        "--players", action=_Renamed, const="--num-players", help=argparse.SUPPRESS
    )
    command.add_argument("--seat", type=int, default=0, metavar="N", help="yours (default 0)")
    command.add_argument("--match", action="store_true", help="a whole match, not one round")
    command.add_argument(
        "--calls", choices=("automatic", "explicit"), default="automatic", help="see G12"
    )
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a house rule, like hand_size=7; as often as you like",
    )
    command.add_argument("--seed", type=int, metavar="N", help="of a new deal")
    command.add_argument(
        "--new", action="store_true", help="do not go on with a game that was left"
    )
    command.add_argument("--watch", nargs="+", metavar="AGENT", help="agents in all seats")
    command.add_argument("--record", metavar="FILE", help="step through this game")
    command.add_argument("--terminal", action="store_true", help="play here, with no browser")
    command.add_argument("--port", type=int, default=0, metavar="N", help="(default any free one)")
    command.add_argument(
        "--no-browser", dest="browser", action="store_false", help="print the address only"
    )
    command.add_argument(
        "--pace",
        type=float,
        default=0.8,
        metavar="SECONDS",
        help="between the moves of agents (default 0.8)",
    )
    command.add_argument(
        "--out", default="runs/play", metavar="DIR", help="where games are kept (default runs/play)"
    )
    command.set_defaults(run=_play, extra="play")


def _add_settings(command: argparse.ArgumentParser, example: str) -> None:
    """What all commands have that go by a file of settings."""
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"change a setting, like {example}; as often as you like",
    )
    command.add_argument("--out", metavar="DIR", help="where results go (default runs/NAME)")
    command.add_argument("--settings", action="store_true", help="list what can be set, and stop")


def _add_engine(
    command: argparse.ArgumentParser,
    who: str = "who works: threads of this process (default), or a Ray cluster; the results are "
    "the same",
) -> None:
    """What all commands have whose work can be done elsewhere."""
    command.add_argument("--engine", choices=("threads", "ray"), default="threads", help=who)
    command.add_argument(
        "--address",
        metavar="ADDR",
        help="of the Ray cluster: auto, or like 10.0.0.1:6379 (default: Ray's own, RAY_ADDRESS or "
        "this machine alone)",
    )


def _crew(options: argparse.Namespace) -> Crew | None:
    """Who works; None for the threads of the settings."""
    if not _on_a_cluster(options):
        return None
    _must_have("ray", extra=_extra(options))
    from domino_env.execution.ray_executor import cluster

    return cluster(options.address)


def _on_a_cluster(options: argparse.Namespace) -> bool:
    """Is the work done elsewhere?"""
    if options.engine == "ray":
        return True
    for name in ("address", "workers"):
        if getattr(options, name, None) is not None:
            raise DominoError(f"--{name} is of a Ray cluster: it goes with --engine ray")
    return False


@contextmanager
def _backend(options: argparse.Namespace) -> Iterator[Callable[[Any], Any]]:
    """The backend that `--engine` names."""
    if not _on_a_cluster(options):
        from domino_env.train.local_backend import LocalBackend

        yield LocalBackend
        return
    _must_have("ray", "tree", extra=_extra(options))  # the latter is RLlib's
    if options.workers is not None and options.workers < 1:
        raise DominoError(f"--workers must be 1 or more, not {options.workers}")
    from domino_env.execution.ray_executor import connected

    with connected(options.address):
        from domino_env.train.rllib.ray_backend import RayBackend

        yield partial(RayBackend, workers=options.workers)


def _list(options: argparse.Namespace) -> int:
    from domino_env.cli.tables import show_games

    show_games()
    return 0


def _rules(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.markdown import Markdown

    rules = domino_env.rules(options.game)
    text = without_links(rules_page(rules).read_text(encoding="utf-8"))
    console = Console()
    if options.plain or not console.is_terminal:
        print(text)
    else:
        console.print(Markdown(text))
    return 0


def rules_page(rules: AnyRules) -> Path:
    """The page of a game's rules, in a checkout or in an installed package."""
    package = Path(domino_env.__file__).parent
    for folder in (package / "rules_pages", package.parent / "docs" / "rules"):
        page = folder / f"{rules.id}.md"
        if page.exists():
            return page
    raise DominoError(f"there is no page of rules for {rules.id!r}: it belongs in docs/rules/")


def without_links(page: str) -> str:
    """A page without its pictures and without links to files, which lead nowhere from here."""
    pictures = r"!\[[^\]]*\]\([^)]*\)\n*"
    links = r"\[([^\]]*)\]\((?!\w+://)[^)]*\)"
    return re.sub(links, r"\1", re.sub(pictures, "", page))


def _play(options: argparse.Namespace) -> int:
    if not options.terminal:
        _must_have("starlette", "uvicorn", extra="play")
    from domino_env.play.start import run

    return run(options)


def _bench(options: argparse.Namespace) -> int:
    from domino_env.bench.speed import run

    return run(options.repeats, options.seconds, options.only, options.deals, options.json)


def _tune(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import Progress

    from domino_env.agents.heuristic import USUAL, weights_of
    from domino_env.agents.heuristic_features import FEATURES
    from domino_env.files import must_be_writable
    from domino_env.train.tune import against_greedy, keep, tune

    if options.out:
        must_be_writable(Path(options.out).parent)
    changes = {} if options.hand_size is None else {"hand_size": options.hand_size}
    rules = domino_env.rules(options.game, **changes)
    search = {name: getattr(options, name) for name in ("generations", "candidates", "deals")}
    weights = weights_of(USUAL)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("tuning", total=options.generations)
        for generation in tune(rules, **search, seed=options.seed):
            weights = generation.weights
            progress.update(task, advance=1, description=f"tuning, {generation.margin:+.2f} ahead")
        progress.update(task, description="measuring", total=None)
        before, after = (
            against_greedy(rules, row, 10_000, options.seed + 2**41)
            for row in (weights_of(USUAL), weights)
        )
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"{name:14}{weight:8.3f}")
    print(f"points a round over greedy_pip: {after} (with the usual weights {before})")
    if options.out:
        keep(Path(options.out), rules.id, weights)
    return 0


def _settings(
    options: argparse.Namespace, kind: type[Kind], file: str | None, folder: str
) -> Kind | None:
    """What is to be done, by a file, or by a config of that folder, and `--set`; None if the
    settings were only to be listed."""
    from domino_env.cli.tables import settings_table, show
    from domino_env.config.loader import load, rows
    from domino_env.config.shipped import find

    if options.settings:
        show(settings_table(rows(kind)))
        return None
    return load(kind, find(file, folder) if file else None, options.set)


def _folder(options: argparse.Namespace, settings: Any, usual: str) -> Path:
    """Where results go: as is said, or by the name of the settings' file."""
    name = Path(options.file).stem if options.file else usual
    return Path(options.out or settings.out or Path("runs") / name)


def _tournament(options: argparse.Namespace) -> int:
    _must_have("matplotlib")  # missed rather now than after the last game
    from domino_env.evaluate import console
    from domino_env.evaluate.tournament import TournamentSettings

    settings = _settings(options, TournamentSettings, options.file, "tournaments")
    if settings is None:
        return 0
    folder = _folder(options, settings, "tournament")
    console.run(settings, folder, _crew(options), resumed=options.resume)
    return 0


def _train(options: argparse.Namespace) -> int:
    _must_have("matplotlib", "sb3_contrib", "tensorboard", "torch", extra=_extra(options))
    from domino_env.train.checkpoints import CHECKPOINT
    from domino_env.train.runner import run
    from domino_env.train.settings import TrainSettings

    settings = _settings(options, TrainSettings, options.file, "train")
    if settings is None:
        return 0
    folder = _folder(options, settings, f"train-{settings.game}")
    try:
        with _backend(options) as backend:
            run(settings, folder, backend, resumed=options.resume)
    except KeyboardInterrupt:
        if (folder / CHECKPOINT).exists():
            told = f"\nthe last checkpoint is in {folder}: go on with --resume"
            print(told, file=sys.stderr)
        raise
    return 0


def _dataset(options: argparse.Namespace) -> int:
    _must_have("pyarrow", extra=_extra(options))
    from domino_env.data import writer
    from domino_env.data.generate import DatasetSettings

    settings = _settings(options, DatasetSettings, options.file, "datasets")
    if settings is None:
        return 0
    folder = _folder(options, settings, f"dataset-{settings.game}")
    try:
        writer.run(settings, folder, _crew(options))
    except KeyboardInterrupt:
        print(f"\nthe same command goes on with what is in {folder}", file=sys.stderr)
        raise
    return 0


def _replay(options: argparse.Namespace) -> int:
    from domino_env.cli.replay import chosen, show, viewer_of

    record = chosen(Path(options.file), options.game)
    out = Path(options.out) if options.out else None
    show(record, viewer_of(options.viewer), out, options.seconds)
    return 0


def _new_agent(options: argparse.Namespace) -> int:
    from domino_env.cli.new_agent import told, write

    print(told(write(options.name)))
    return 0


def _demo(options: argparse.Namespace) -> int:
    _must_have("matplotlib", "sb3_contrib", "tensorboard", "torch", extra="train")
    from domino_env.cli.demo import DemoSettings, run

    settings = _settings(options, DemoSettings, options.config, "")
    if settings is None:
        return 0
    run(settings, Path(options.out or settings.out))
    return 0


def _configs(options: argparse.Namespace) -> int:
    from domino_env.cli.tables import configs_table, show
    from domino_env.config import shipped

    if options.name is None:
        show(configs_table(shipped.rows()))
    else:
        shipped.show(options.name)
    return 0


def _completion(options: argparse.Namespace) -> int:
    from domino_env.cli.completion import script

    print(script(_parser(), options.shell))
    return 0


if __name__ == "__main__":
    sys.exit(main())
