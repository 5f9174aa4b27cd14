"""Writes what moves are worth, for some of the decisions of a data set.

A folder `values` in that of the data set, read by `Dataset` like it: a row for each legal move of a
decision that was taken by lot from each of the first games, with its value and the standard error
of how far it is behind the best, by `evaluate.values_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from domino_env.data.generate import DatasetSettings, GeneratedFile, shape_of
from domino_env.data.reader import Dataset, Rows, to_parquet
from domino_env.data.splits import splits_of
from domino_env.data.writer import identity, write_files
from domino_env.evaluate.move_values import values_of
from domino_env.execution.executor import ExecutorFactory
from domino_env.games import mark_of

FOLDER = "values"
COLUMNS = ("game", "step", "action", "split", "value", "error")
GAMES_EACH = 250  # in a file
ANY_ERROR = 1e9  # points: as many worlds are tried as are tried at first


class Line(NamedTuple):
    """A game as it was played."""

    game: int
    actions: tuple[int, ...]


def write_move_values(
    settings: DatasetSettings,
    folder: Path | str,
    games: int,
    executor: ExecutorFactory | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Path:
    """Writes the values of moves beside a data set that is complete; returns their manifest.

    Args:
        settings: of the data set.
        folder: of the data set.
        games: from how many games a decision is taken.
        executor, on_progress: as of `write_dataset`.
    """
    games = min(games, settings.games)
    manifest = {
        **identity(settings),
        "columns": [*COLUMNS],
        "games": games,
        "games_each": GAMES_EACH,
        "files_in_all": -(-games // GAMES_EACH),
    }
    lines = list(lines_of(Dataset(folder), games))
    work = partial(generate_values, settings.packed(), lines)
    return write_files(settings, Path(folder) / FOLDER, manifest, work, executor, on_progress)


def lines_of(dataset: Dataset, games: int) -> Iterator[Line]:
    """The first games of a data set, move by move."""
    done: dict[int, list[int]] = {}
    for rows in dataset.batches(8192, columns=("game", "action")):
        for game, action in zip(rows["game"].tolist(), rows["action"].tolist(), strict=True):
            done.setdefault(game, []).append(action)
        if max(done) >= games:
            break
    for game in range(games):
        yield Line(game, tuple(done.get(game, ())))


def generate_values(settings: DatasetSettings, lines: list[Line], number: int) -> GeneratedFile:
    """The values of the moves of one decision of each game of file `number`."""
    some = lines[number * GAMES_EACH : (number + 1) * GAMES_EACH]
    found = [values for line in some if len((values := _of_game(settings, line))["game"])]
    columns = {name: np.concatenate([rows[name] for rows in found]) for name in COLUMNS}
    told = {"game": settings.game, "mark": mark_of(settings.game_rules), "values": True}
    return GeneratedFile(to_parquet(columns, shape_of(settings), told), len(columns["game"]))


def _of_game(settings: DatasetSettings, line: Line) -> Rows:
    """The values of the moves of one decision of a game, by their actions."""
    batch = settings.make_batch(1)
    batch.reset(seed=settings.seed + line.game)
    split, choices = splits_of(batch)[0], []
    for step, action in enumerate(line.actions):
        if batch.num_legal[0] > 1:
            choices.append(step)
        batch.step_one(action)
    rng = np.random.default_rng([settings.seed, line.game, 24])
    step = choices[int(rng.integers(len(choices)))] if choices else 0
    batch.reset(seed=settings.seed + line.game)
    for action in line.actions[:step]:
        batch.step_one(action)
    moves: list[Any] = values_of(batch, within=ANY_ERROR, seed=line.game) if choices else []
    moves.sort()
    number = len(moves)
    return {
        "game": np.full(number, line.game, np.uint32),
        "step": np.full(number, step, np.uint16),
        "action": np.array([move.action for move in moves], np.uint16),
        "split": np.full(number, split, np.uint8),
        "value": np.array([move.value for move in moves], np.float32),
        "error": np.array([move.error for move in moves], np.float32),
    }
