"""The `domino` command: list the games, read their rules, measure, and see a tournament."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import domino_env
from domino_env.errors import DominoError
from domino_env.ruleset import Rules


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; its exit status is 0, or 2 for a request that cannot be carried out."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        import rich  # noqa: F401
        import yaml  # noqa: F401
    except ImportError as error:
        print(f"domino: {error.name} is missing: pip install 'domino-env[cli]'", file=sys.stderr)
        return 2
    try:
        status: int = options.run(options)
    except DominoError as error:
        print(f"domino: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ndomino: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        return 0
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="domino", description="Domino games as reinforcement-learning environments."
    )
    parser.add_argument("--version", action="version", version=domino_env.__version__)
    commands = parser.add_subparsers(required=True, metavar="command")

    command = commands.add_parser("list", help="a table of the games")
    command.set_defaults(run=_list)

    command = commands.add_parser("rules", help="the rules of a game")
    command.add_argument("game", metavar="id", help="a game of `domino list`")
    command.add_argument("--plain", action="store_true", help="Markdown as it is written")
    command.set_defaults(run=_rules)

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

    command = commands.add_parser("demo", help="greedy_pip against random, in every game")
    command.add_argument("--config", metavar="FILE", help="settings, like configs/demo.yaml")
    command.add_argument("--deals", type=int, help="deals a game (default 5000)")
    command.add_argument("--seed", type=int, help="of the deals and of the agents (default 0)")
    command.add_argument("--agent", help="who is tested (default greedy_pip)")
    command.add_argument("--opponent", help="who is in the other seats (default random)")
    command.set_defaults(run=_demo)
    return parser


def _list(options: argparse.Namespace) -> int:
    from domino_env.train.tables import games_table, show

    show(games_table())
    return 0


def _rules(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.markdown import Markdown

    rules = domino_env.rules(options.game)
    text = rules_page(rules).read_text(encoding="utf-8")
    console = Console()
    if options.plain or not console.is_terminal:
        print(text)
    else:
        console.print(Markdown(text))
    return 0


def rules_page(rules: Rules) -> Path:
    """The page of a game's rules, in a checkout or in an installed package."""
    package = Path(domino_env.__file__).parent
    for folder in (package / "rules_pages", package.parent / "docs" / "rules"):
        page = folder / f"{rules.id}.md"
        if page.exists():
            return page
    raise DominoError(f"there is no page of rules for {rules.id!r}: it belongs in docs/rules/")


def _bench(options: argparse.Namespace) -> int:
    from domino_env.train.bench import run

    return run(options.repeats, options.seconds, options.only, options.deals, options.json)


def _demo(options: argparse.Namespace) -> int:
    from domino_env.train.settings import load
    from domino_env.train.tables import play_with_progress, show, standings_table

    settings = load(
        options.config,
        deals=options.deals,
        seed=options.seed,
        agent=options.agent,
        opponent=options.opponent,
    )
    show(standings_table(play_with_progress(settings), settings))
    return 0


if __name__ == "__main__":
    sys.exit(main())
