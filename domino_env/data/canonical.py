"""The canonical data set: the same rows for everybody, with hashes to prove it.

    from domino_env.data import canonical

    canonical.make("matador", "small", "runs/matador")       # 10,000 decisions; "full": a million
    canonical.hashes("runs/matador")                         # as in canonical.json

For each game for two or more: decisions of a mixture of agents, with all hands, the split of each
deal, and for some of them the values of the moves. What is hashed is the numbers and not the files,
so neither versions of pyarrow nor the cut into files matter; nor does the number of jobs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from domino_env.config.game_settings import must_have_opponents
from domino_env.data.generate import DatasetSettings, Keep, play_games
from domino_env.data.move_values_writer import FOLDER, write_move_values
from domino_env.data.reader import Dataset
from domino_env.data.splits import SPLITS
from domino_env.data.writer import progress_bar, write_dataset
from domino_env.errors import BadOption, did_you_mean
from domino_env.evaluate.mixed_play import usual_players
from domino_env.execution.executor import ExecutorFactory
from domino_env.games import rules, variants

PUBLISHED = Path(__file__).with_name("canonical.json")
SEED = 2_000_000_000
ROWS = 50_000  # decisions in a file
AT_ONCE = 8192  # rows that are hashed together


@dataclass(frozen=True)
class Form:
    """How large a canonical data set is.

    Attributes:
        decisions: of a game, at the least.
        valued: decisions whose moves have values.
        trial: games that tell how many make so many decisions: in the larger form to within a
            twentieth in any game.
    """

    decisions: int
    valued: int
    trial: int


FORMS = {"small": Form(10_000, 100, 256), "full": Form(1_000_000, 5_000, 4096)}


def games() -> list[str]:
    """The games that have one: those for two or more."""
    return [name for name in variants() if rules(name).has_opponents]


def settings_of(game: str, form: str, threads: int = 1) -> DatasetSettings:
    """How it is generated. The same settings, with their names, are what `domino dataset` takes."""
    if form not in FORMS:
        raise BadOption(f"there is no form {form!r}{did_you_mean(form, FORMS)}")
    must_have_opponents(rules(game))
    keep, trial = Keep(hands=True, split=True), FORMS[form].trial
    first = DatasetSettings(
        game=game, agents=_players(game), seed=SEED, rows=ROWS, keep=keep, games=trial
    )
    narrow = replace(first, keep=Keep(features=False, mask=False))
    decisions = len(play_games(narrow, 0, trial)["step"]) / trial
    wanted = ceil(1.05 * FORMS[form].decisions / decisions)
    return replace(first, games=wanted, threads=threads)


def _players(game: str) -> tuple[Any, ...]:
    """Those who play: a policy also as one that tosses coins."""
    names: tuple[Any, ...] = usual_players(rules(game))
    if "ppo" in names:
        names += ({"agent": "ppo", "temperature": 1.0, "name": "ppo that varies"},)
    return names


def make(
    game: str,
    form: str,
    folder: Path | str,
    threads: int = 1,
    executor: ExecutorFactory | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Makes the data set of a game, or what an earlier run has not made of it; returns its hashes.

    Args:
        game: the id of a game for two or more.
        form: "small", 10,000 decisions and the values of the moves of 100; or "full", a million,
            and of 5,000.
        folder: where it is written.
        threads: files that are made at once.
        executor, on_progress: as of `write_dataset`.
    """
    settings = settings_of(game, form, threads)
    write_dataset(settings, folder, executor, on_progress)
    write_move_values(settings, folder, FORMS[form].valued, executor, on_progress)
    return hashes(folder)


def run(
    game: str, form: str, folder: Path, threads: int = 1, executor: ExecutorFactory | None = None
) -> bool:
    """The same with a progress bar, and with a word on how it compares with what is published;
    False if it is something else."""
    with progress_bar() as show:
        found = make(game, form, folder, threads, executor, show)
    wanted = published(game, form)
    told = f"{found['decisions']:,} decisions of {found['games']:,} games, sha256 {found['sha256']}"
    print(f"written into {folder}: {told}; {found['values']['rows']:,} values of moves")
    if wanted is None:
        print(f"nothing is published of {game} in this form")
        return True
    same = found == wanted
    print("this is what is published" if same else f"NOT AS PUBLISHED: {json.dumps(wanted)}")
    return same


def hashes(folder: Path | str) -> dict[str, Any]:
    """What is published of a data set: how many rows it has, in which splits, and their hashes."""
    decisions, values = Dataset(folder), Dataset(Path(folder) / FOLDER)
    splits = np.zeros(len(SPLITS), np.int64)
    for rows in decisions.batches(AT_ONCE, columns=("split",)):
        splits += np.bincount(rows["split"], minlength=len(SPLITS))
    return {
        "games": decisions.games,
        "decisions": decisions.rows,
        "splits": dict(zip(SPLITS, splits.tolist(), strict=True)),
        "sha256": content_hash(decisions),
        "values": {"rows": values.rows, "sha256": content_hash(values)},
    }


def content_hash(dataset: Dataset) -> str:
    """The hash of all numbers of a data set, column by column: with the same rows the same, however
    they are cut into files, packed or ordered in memory."""
    columns = {name: sha256() for name in dataset.columns}
    for rows in dataset.batches(AT_ONCE):
        for name, hashed in columns.items():
            numbers = rows[name]
            hashed.update(np.ascontiguousarray(numbers, numbers.dtype.newbyteorder("<")).data)
    told = [f"{name} {hashed.hexdigest()}" for name, hashed in columns.items()]
    return sha256("\n".join(told).encode()).hexdigest()


def published(game: str, form: str) -> dict[str, Any] | None:
    """The hashes of a data set as we have made it; None if we have not."""
    kept = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    found: dict[str, Any] | None = kept.get(form, {}).get(game)
    return found
