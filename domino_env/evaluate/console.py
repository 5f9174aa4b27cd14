"""A tournament in the terminal: its progress, and its tables at the end."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from domino_env.evaluate import report
from domino_env.evaluate.journal import Journal
from domino_env.evaluate.mixed_tables import TableStanding
from domino_env.evaluate.pairing import Standing
from domino_env.evaluate.results import Results
from domino_env.evaluate.rich_tables import new_table, show
from domino_env.evaluate.scoresheet import is_over
from domino_env.evaluate.tournament import (
    StoppedEarly,
    TournamentSettings,
    pairings,
    play_tournament,
)
from domino_env.execution.executor import ExecutorFactory
from domino_env.files import must_be_writable
from domino_env.locks import locked


def run(
    settings: TournamentSettings,
    folder: Path,
    executor: ExecutorFactory | None = None,
    *,
    resumed: bool = False,
) -> Results:
    """Plays a tournament or resumes one, shows it, and writes its files into a folder; also what
    was played of one that is interrupted."""
    must_be_writable(folder)
    with locked(folder), closing(Journal(folder, settings, resumed=resumed)) as journal:
        _warn_of_clocks(settings)
        began = time.perf_counter()
        try:
            results = _play_with_progress(settings, executor, journal)
        except StoppedEarly as stop:
            _show_and_write(stop.results, folder, time.perf_counter() - began)
            print(f"{report.stopped_early(stop.results)} --resume continues it.")
            raise
        _show_and_write(results, folder, time.perf_counter() - began)
        journal.remove()
    return results


def _warn_of_clocks(settings: TournamentSettings) -> None:
    timed = [entrant.name for entrant in settings.agents if entrant.time_limited]
    if timed:
        print(
            f"domino: {', '.join(timed)}: what is played in so many seconds depends on the machine "
            "and on what else it does; give `worlds` for results that can be had again",
            file=sys.stderr,
        )


def _show_and_write(results: Results, folder: Path, spent: float) -> None:
    for game in results.games:
        show(crosstable(results, game))
        if results.table_ratings(game):
            show(mixed_tables(results, game))
        for standing in results.of(game):
            print(f"{standing.first} – {standing.second}: {report.worth(standing)}")
    if len(results.games) > 1:
        told = (f"{rating.name} {report.points(rating)}" for rating in results.ratings())
        print(f"ratings over all games: {', '.join(told)}")
        if rated := results.table_ratings():
            told = (f"{each.name} {report.skill(each)}" for each in rated)
            print(f"at all mixed tables, by openskill: {', '.join(told)}")
    for each in results.forfeits:
        print(f"FORFEITS: {each}")
    for count in results.usage:
        print(f"{count.agent} in {count.game}: {count.usage}")
    # Last, so that a disk that is full by now does not take the tables with it.
    report.write(results, folder, spent)
    print(f"written into {folder}: {report.MARKDOWN}, figures, records of games, a picture")


def crosstable(results: Results, game: str) -> Table:
    """Everyone's margin over everyone."""
    heads, rows = report.crosstable(results, game)
    first = results.of(game)[0]
    table = new_table(
        f"{first.title}, {first.num_players} players: points a round of the row over the column",
        [*map(escape, heads)],
        caption=f"duplicate deals; ± is a 95 % interval; rating: {escape(results.anchor)} has 0",
    )
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def mixed_tables(results: Results, game: str) -> Table:
    """How everyone did at mixed tables."""
    heads, rows = report.mixed_table(results, game)
    table = new_table(
        f"{results.of(game)[0].title}, mixed tables: points a game over the opponents",
        heads,
        caption="deals that all at the table play from every seat; rating: openskill begins at 25; "
        "± is a 95 % interval",
    )
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def _play_with_progress(
    settings: TournamentSettings, executor: ExecutorFactory | None, journal: Journal
) -> Results:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("deals"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bars = _Bars(progress, settings)
        return play_tournament(settings, bars.show, executor, journal, bars.show_tables)


class _Bars:
    """A bar for the whole, and one for each pairing while it is played."""

    def __init__(self, progress: Progress, settings: TournamentSettings) -> None:
        self._progress, self._settings = progress, settings
        mixed = settings.mixed_deals * len(settings.games_at_mixed_tables)
        total = len(pairings(settings)) * settings.deals + mixed
        self._all = progress.add_task("all", total=total)
        self._tasks: dict[tuple[str, str, str], TaskID] = {}
        self._counted: dict[tuple[str, str, str], int] = {}

    def show(self, standing: Standing) -> None:
        """Advances the bars; hides that of a pairing that is over."""
        key = (standing.game, standing.first, standing.second)
        if key not in self._tasks:
            self._tasks[key] = self._progress.add_task("", total=self._settings.deals)
        told = f"{key[0]}: {key[1]} – {key[2]}, {standing.margin:+.2f} ± {standing.within:.2f}"
        over = is_over(standing, self._settings)
        self._progress.update(
            self._tasks[key],
            completed=standing.deals,
            description=escape(told),
            visible=not over,
        )
        done = self._settings.deals if over else standing.deals
        self._count(key, done)

    def show_tables(self, standing: TableStanding) -> None:
        """Advances the bars for mixed tables; hides theirs when they are over."""
        key, most = (standing.game, "", ""), self._settings.mixed_deals
        if key not in self._tasks:
            self._tasks[key] = self._progress.add_task(f"{key[0]}: mixed tables", total=most)
        going = standing.deals < most
        self._progress.update(self._tasks[key], completed=standing.deals, visible=going)
        self._count(key, standing.deals)

    def _count(self, key: tuple[str, str, str], done: int) -> None:
        self._progress.advance(self._all, done - self._counted.get(key, 0))
        self._counted[key] = done
