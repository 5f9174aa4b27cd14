"""Tables and progress bars of the `domino` command."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import domino_env
from domino_env.ruleset import LISTED, Rules
from domino_env.train.settings import TournamentSettings
from domino_env.train.tournament import Standing, tournament


def show(table: Table) -> None:
    """Prints a table; one that goes to a file or a pipe is as wide as it needs to be."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    console.print(table)


def games_table() -> Table:
    """The games, made from their `Rules`."""
    table = Table(title="The games", title_justify="left")
    for column in ("id", "rulebook", "players", "sets", "dealt", "match", "in a line"):
        table.add_column(column, no_wrap=column in ("id", "players", "dealt"))
    for variant in domino_env.variants():
        table.add_row(*game_row(domino_env.rules(variant)))
    return table


def game_row(rules: Rules) -> list[str]:
    """What the table says of a game."""
    players = _range(rules.players)
    return [
        rules.id,
        rules.source,
        players,
        _sets(rules),
        _dealt(rules),
        _match(rules),
        rules.summary,
    ]


def _sets(rules: Rules) -> str:
    listed = f"{len(rules.tiles)} listed"
    names = [listed if name == LISTED else name.removeprefix("double_") for name in rules.sets]
    return "/".join(names) + (", curved" if rules.layout.tiles == "curved" else "")


def _range(players: tuple[int, ...]) -> str:
    return f"{players[0]}–{players[-1]}" if len(players) > 1 else str(players[0])


def _dealt(rules: Rules) -> str:
    sizes = [rules.hand_size_for(players) for players in rules.players]
    if rules.hand_size == "all":
        return "all"
    return "/".join(map(str, dict.fromkeys(sizes)))


def _match(rules: Rules) -> str:
    parts = []
    if rules.target is not None:
        parts.append(f"{'exactly' if rules.exact else 'to'} {rules.target}")
    if rules.rounds is not None:
        parts.append(f"{rules.rounds} round{'s' if rules.rounds > 1 else ''}")
    return " or ".join(parts)


def play_with_progress(settings: TournamentSettings) -> list[Standing]:
    """Plays a tournament, a bar growing with each game."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    title = f"{settings.agent} against {settings.opponent}"
    standings = []
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=len(settings.all_games))
        for standing in tournament(settings):
            standings.append(standing)
            progress.update(task, advance=1, description=f"played {standing.game}")
        progress.update(task, description=title)
    return standings


def standings_table(standings: list[Standing], settings: TournamentSettings) -> Table:
    """The result of a tournament."""
    table = Table(
        title=f"{settings.agent} against {settings.opponent}: points a round over the opponents",
        caption="every deal is played once from each seat; ± is a 95 % interval",
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("game")
    table.add_column("players", justify="right")
    table.add_column("deals", justify="right")
    table.add_column("margin", justify="right")
    table.add_column(settings.agent)
    for line in standings:
        margin = f"{line.margin:+.2f} ± {line.within:.2f}"
        table.add_row(line.title, str(line.players), f"{line.deals:,}", margin, line.verdict)
    return table
