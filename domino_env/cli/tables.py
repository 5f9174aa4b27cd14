"""Tables and progress bars of the `domino` command."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

import domino_env
from domino_env.evaluate.solo_scores import Score
from domino_env.ruleset import LISTED


def show(table: Table) -> None:
    """Prints a table; one that goes to a file or a pipe is as wide as it needs to be."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    console.print(table)


def show_games() -> None:
    """Prints the games, as wide as there is room."""
    console, table = Console(), games_table()
    wanted = Measurement.get(console, console.options.update(max_width=1000), table).maximum
    if console.is_terminal and wanted > console.width:
        console.print(games_text(), end="")
    else:
        show(table)


def games_table() -> Table:
    """The games, made from their `Rules`."""
    table = Table(title="The games", title_justify="left")
    for column in ("id", "rulebook", "players", "sets", "dealt", "match", "in a line"):
        table.add_column(column, no_wrap=column in ("id", "players", "dealt"))
    for variant in domino_env.variants():
        table.add_row(*game_row(domino_env.rules(variant)))
    return table


def games_text() -> Text:
    """The same for a terminal of 80 columns, which the table does not fit: two lines a game."""
    text, source = Text(), ""
    for variant in domino_env.variants():
        name, rulebook, *facts, summary = game_row(domino_env.rules(variant))
        if rulebook != source:
            text.append(f"{rulebook:<28}players  {'sets':<19}dealt  match\n", "bold")
            source = rulebook
        players, sets, dealt, match = facts
        text.append(f"{name:<28}{players:<9}{sets:<19}{dealt:<7}{match}\n")
        text.append(f"  {summary}\n", "dim")
    return text


def game_row(rules: Any) -> list[str]:
    """What the table says of a game."""
    players = _range(rules.players)
    return [
        rules.id,
        rules.source,
        players,
        _sets(rules),
        _dealt(rules),
        match_length(rules),
        rules.summary,
    ]


def _sets(rules: Any) -> str:
    listed = f"{rules.num_tiles} listed"
    names = [listed if name == LISTED else name.removeprefix("double_") for name in rules.sets]
    return "/".join(names) + (", curved" if rules.is_curved else "")


def _range(players: tuple[int, ...]) -> str:
    return f"{players[0]}–{players[-1]}" if len(players) > 1 else str(players[0])


def _dealt(rules: Any) -> str:
    if rules.hand_size == "all":
        return "all"
    sizes = [rules.hand_size_for(players) for players in rules.players]
    return "/".join(map(str, dict.fromkeys(sizes)))


def match_length(rules: Any) -> str:
    """How long a match is: "to 100", "10 rounds"."""
    if not rules.has_matches:
        return f"{rules.moves} moves" if rules.moves else "one game"
    parts = []
    if rules.target is not None:
        parts.append(f"{'exactly' if rules.exact else 'to'} {rules.target}")
    if rules.rounds is not None:
        parts.append(f"{rules.rounds} round{'s' if rules.rounds > 1 else ''}")
    return " or ".join(parts)


def configs_table(rows: Iterable[tuple[str, str, str]]) -> Table:
    """The configs that come along, by the command that takes them."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    before = ""
    for command, name, about in rows:
        if command != before:
            table.add_row(f"[bold]domino {command}[/bold]")
            before = command
        table.add_row(f"  {escape(name.rpartition('/')[2])}", escape(about))
    return table


def settings_table(rows: list[tuple[str, str, str, str]]) -> Table:
    """What can be set in a file, or with --set."""
    table = Table(title="Settings", title_justify="left")
    for column in ("name", "what it may be", "usually", "what for"):
        table.add_column(column)
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def scores_table(scores: list[Score]) -> Table:
    """What agents score in one-player games."""
    table = Table(
        title=f"One-player games: mean scores over {scores[0].deals:,} deals",
        caption="± is a 95 % interval; won: all tiles removed, or face up",
        title_justify="left",
        caption_justify="left",
    )
    for column in ("game", "agent", "points", "won"):
        table.add_column(column, justify="left" if column in ("game", "agent") else "right")
    for line in scores:
        table.add_row(*score_row(line))
    return table


def score_row(line: Score) -> list[str]:
    """What a table says of a score."""
    points = f"{line.points:.2f} ± {line.points_within:.2f}"
    won = f"{100 * line.won:.1f} ± {100 * line.won_within:.1f} %"
    return [line.game, line.agent, points, won]
