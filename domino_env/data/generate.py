"""What a data set is made of: its settings, and the games of a file, decision by decision.

A file is a task by itself: its games, its agents and their luck depend on the settings and on its
number, and on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.batches import CALLS, EPISODES, REWARDS, Batch
from domino_env.config.loader import check, setting
from domino_env.config.yaml_source import BadSetting, about
from domino_env.data.reader import Rows, Shape, to_parquet
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant, as_entrants, seed_of
from domino_env.evaluate.rollout import choose
from domino_env.evaluate.tournament import house_rules, must_seat
from domino_env.evaluate.watchdog import checked
from domino_env.games import mark_of, variants

Whole = npt.NDArray[np.int64]

TRIED = 32  # games, to see how many decisions one has
MOST = 2**32  # games of a data set: their numbers are kept in 32 bits


@dataclass(frozen=True)
class Keep:
    """What is kept of each decision, and of which."""

    features: bool = setting(True, "what the seat sees")
    mask: bool = setting(True, "which actions are legal")
    hands: bool = setting(False, "the tiles of all seats, hidden ones too, for belief learning")
    forced: bool = setting(True, "decisions with one legal action, too")
    only: tuple[str, ...] | None = setting(None, "names of agents: only what these decide")


@dataclass(frozen=True)
class DatasetSettings:
    """Whose games of what are written down, how many, and what is kept."""

    game: str = setting("block_draw", "the id of a game", choices=variants)
    rules: dict[str, Any] = setting({}, "house rules, like {hand_size: 7}")
    num_players: int | None = setting(None, "seats; null: the game's usual number", low=1, high=5)
    episode: str = setting("round", "a game is a round, or a match of rounds", choices=EPISODES)
    calls: str = setting("automatic", "automatic, or explicit where there are any", choices=CALLS)
    reward: str = setting("margin", "what rewards and returns count", choices=REWARDS)
    agents: tuple[Entrant, ...] = setting(
        ("heuristic",),
        "who plays: names, file.py:Class, {agent: ppo, file: mine.npz, name: mine}",
    )
    seating: Literal["by_lot", "in_order"] = setting(
        "by_lot", "each seat of each game by lot, or the agents in the order of the seats"
    )
    games: int = setting(10_000, "how many are played", low=1, high=MOST)
    seed: int = setting(0, "the first game has this one, the next the next", low=0, high=10**15)
    rows: int = setting(100_000, "decisions of a file, about", low=1, high=1_000_000)
    keep: Keep = setting(Keep(), "what is kept of each decision, and of which")
    threads: int = setting(1, "files that are made at once", low=1, high=256)
    out: str | None = setting(None, "the folder; null: runs/, by the config's name")

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", as_entrants(self.agents))
        check(self)
        with about("num_players"):
            must_seat(self.played, self.num_players)
        with about("agents"):
            self._check_agents()
        with about("keep"):
            self._check_kept()
        self.table(1)  # refuses what a batch does

    def _check_agents(self) -> None:
        names = self.names
        for entrant in self.agents:
            entrant.must_play(self.played)
            if names.count(entrant.name) > 1 and self.seating == "by_lot":
                raise BadOption(f"two agents are called {entrant.name!r}: give one another name")
        if not names:
            raise BadOption("somebody must play: name one agent or more")
        if self.seating == "in_order" and len(names) != self.seats:
            raise BadOption(
                f"in_order takes an agent for each of {self.seats} seats, not {len(names)}"
            )

    def _check_kept(self) -> None:
        for name in self.keep.only or ():
            if name not in self.names:
                raise BadSetting("keep.only", f"nobody is called {name!r} in agents")
        if self.keep.hands and not self.played.has_hands:
            raise BadSetting("keep.hands", f"{self.game} has no hands")

    @cached_property
    def played(self) -> Any:
        """The rules, house rules included."""
        return house_rules(self.game, self.rules)

    @property
    def names(self) -> list[str]:
        """Of the agents."""
        return [entrant.name for entrant in self.agents]

    @property
    def seats(self) -> int:
        """At the table."""
        return self.num_players or int(self.played.players[0])

    def table(self, games: int) -> Batch:
        """A batch of so many games, not yet dealt."""
        return Batch(
            self.played,
            games,
            self.seats,
            episode=self.episode,
            reward=self.reward,
            calls=self.calls,
            autoreset=False,
        )

    def packed(self) -> DatasetSettings:
        """The same with all that agents read from files."""
        return replace(self, agents=tuple(entrant.packed for entrant in self.agents))


def shape_of(settings: DatasetSettings) -> Shape:
    """How wide the rows are."""
    table = settings.table(1)
    tiles = settings.played.num_tiles
    return Shape(table.num_features, table.num_actions, table.num_players, tiles)


def games_each(settings: DatasetSettings) -> int:
    """How many games make a file of about the rows that are wanted."""
    tried = min(TRIED, settings.games)
    everything = replace(settings, keep=Keep(features=False, mask=False))
    decisions = len(harvest(everything, 0, tried)["step"]) / tried
    return max(1, round(settings.rows / decisions))


class File(NamedTuple):
    """A file of a data set."""

    content: bytes
    rows: int


def make_file(settings: DatasetSettings, games: int, number: int) -> File:
    """The file of a number, with so many games in each."""
    first = number * games
    rows = harvest(settings, first, min(games, settings.games - first))
    told = {"game": settings.game, "mark": mark_of(settings.played), "agents": settings.names}
    return File(to_parquet(rows, shape_of(settings), told), len(rows["step"]))


def harvest(settings: DatasetSettings, first: int, games: int) -> Rows:
    """Plays games from a number on, side by side; their decisions, game by game."""
    table = settings.table(games)
    table.reset(seed=settings.seed + first + np.arange(games))
    who = seating(settings, first, games)
    players = [
        checked(entrant.make(seed_of(settings.seed, settings.game, entrant.name, first, number)))
        for number, entrant in enumerate(settings.agents)
    ]
    notes = _Notes(table, settings.keep)
    while (table.seat >= 0).any():
        actions = choose(table, players, who)
        notes.decided(actions)
        table.step(actions)
        notes.paid()
    return _kept(notes.rows(who), settings, first)


def seating(settings: DatasetSettings, first: int, games: int) -> Whole:
    """Which agent sits where, int[N, P]; by lot it depends on the number of the game alone."""
    if settings.seating == "in_order":
        return np.tile(np.arange(settings.seats), (games, 1))
    lots = [
        np.random.default_rng(seed_of(settings.seed, "seats", game)).integers(
            0, len(settings.agents), settings.seats
        )
        for game in range(first, first + games)
    ]
    return np.stack(lots)


def _kept(rows: Rows, settings: DatasetSettings, first: int) -> Rows:
    """What is to be kept, with games by their numbers in the data set."""
    rows["game"] = (rows["game"] + first).astype(np.uint32)
    chosen = np.ones(len(rows["game"]), np.bool_)
    if not settings.keep.forced:
        chosen &= ~rows["forced"]
    if settings.keep.only is not None:
        numbers = [settings.names.index(name) for name in settings.keep.only]
        chosen &= np.isin(rows["agent"], numbers)
    del rows["forced"]
    return rows if chosen.all() else {name: column[chosen] for name, column in rows.items()}


class _Notes:
    """Notes every decision of all lanes, and what each seat has earned."""

    def __init__(self, table: Batch, keep: Keep) -> None:
        self._table, self._keep = table, keep
        self._earned = np.zeros((table.num_games, table.num_players))
        self._cut_off = np.zeros(table.num_games, np.bool_)
        self._noted: list[Rows] = []

    def decided(self, actions: Whole) -> None:
        """Before a step: who sees what, and does what."""
        table = self._table
        lanes = np.flatnonzero(table.seat >= 0)
        seats = table.seat[lanes].astype(np.uint8)
        row: Rows = {
            "game": lanes,
            "seat": seats,
            "action": actions[lanes].astype(np.uint16),
            "earned": self._earned[lanes, seats],
            "forced": table.num_legal[lanes] == 1,
        }
        if self._keep.features:
            row["features"] = table.observation[lanes]
        if self._keep.mask:
            row["mask"] = np.packbits(table.mask[lanes], axis=1)
        if self._keep.hands:
            row["hands"] = hands_around(table, lanes, seats)
        self._noted.append(row)

    def paid(self) -> None:
        """After it."""
        self._earned += self._table.reward
        self._cut_off |= self._table.truncated

    def rows(self, who: Whole) -> Rows:
        """All of it, game by game, each decision with what came of it."""
        rows = {name: np.concatenate([row[name] for row in self._noted]) for name in self._noted[0]}
        self._noted.clear()
        order = np.argsort(rows["game"], kind="stable")
        rows = {name: column[order] for name, column in rows.items()}
        lanes, seats = rows["game"], rows["seat"]
        rows["step"] = places_within(lanes).astype(np.uint16)
        rows["agent"] = who[lanes, seats].astype(np.uint8)
        self._settle(rows, rows.pop("earned"))
        return rows

    def _settle(self, rows: Rows, earned: npt.NDArray[np.float64]) -> None:
        """Rewards up to the seat's next decision, or to the end; and all that is still to come."""
        lanes, seats = rows["game"], rows["seat"].astype(np.int64)
        total = self._earned[lanes, seats]
        order = np.argsort(lanes * self._table.num_players + seats, kind="stable")
        line = (lanes * self._table.num_players + seats)[order]
        last = np.append(line[1:] != line[:-1], True)
        until = np.where(last, total[order], np.append(earned[order][1:], 0.0))
        rewards, ends = np.empty_like(earned), np.empty(len(last), np.bool_)
        rewards[order], ends[order] = until - earned[order], last
        rows["reward"] = rewards.astype(np.float32)
        rows["return"] = (total - earned).astype(np.float32)
        rows["done"] = ends & ~self._cut_off[lanes]
        rows["truncated"] = ends & self._cut_off[lanes]


def hands_around(
    table: Batch, lanes: Whole, seats: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint64]:
    """The tiles of every seat as bits, from the mover on, clockwise: uint64[N, P, words]."""
    words = (int(table.rules.num_tiles) + 63) // 64
    around = (seats[:, None] + np.arange(table.num_players)) % table.num_players
    hands: npt.NDArray[np.uint64] = table.games["hands"][lanes[:, None], around][:, :, :words]
    return hands


def places_within(numbers: Whole) -> Whole:
    """For each of some numbers in rising order, how many of the same stand before it."""
    starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    lengths = np.diff(np.append(starts, len(numbers)))
    places: Whole = np.arange(len(numbers)) - np.repeat(starts, lengths)
    return places
