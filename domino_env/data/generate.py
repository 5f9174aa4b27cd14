"""Generates the games of a data set: a file at a time, a row for each decision.

A file is a task for an executor: its games, its agents and their random numbers depend on the
settings and on the file's number, and on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.batches import CALLS, EPISODES, REWARDS, Batch
from domino_env.config.game_settings import house_rules, must_seat
from domino_env.config.loader import check, setting
from domino_env.config.yaml_source import BadSetting, about
from domino_env.data.reader import Rows, Shape, to_parquet
from domino_env.data.splits import splits_of
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant, as_entrants, derive_seed
from domino_env.evaluate.rollout import choose_actions
from domino_env.evaluate.watchdog import checked
from domino_env.games import DEFAULT_GAME, mark_of, variants
from domino_env.ruleset import MAX_SEATS

Whole = npt.NDArray[np.int64]

TRIAL_GAMES = 32  # are played to estimate how many decisions a game has
MAX_GAMES = 2**32  # their numbers are kept in 32 bits


@dataclass(frozen=True)
class Keep:
    """What is kept of each decision, and which decisions are."""

    features: bool = setting(True, "what the seat sees")
    mask: bool = setting(True, "which actions are legal")
    hands: bool = setting(False, "the tiles of all seats, hidden ones too, for belief learning")
    split: bool = setting(False, "which split its deal belongs to: see data.splits")
    forced: bool = setting(True, "decisions with one legal action, too")
    only: tuple[str, ...] | None = setting(None, "names of agents: only what these decide")


@dataclass(frozen=True)
class DatasetSettings:
    """Who plays which game, how many of them, and what is kept."""

    game: str = setting(DEFAULT_GAME, "the id of a game", choices=variants)
    rules: dict[str, Any] = setting({}, "house rules, like {hand_size: 7}")
    num_players: int | None = setting(
        None, "seats; null: the game's usual number", low=1, high=MAX_SEATS
    )
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
    games: int = setting(10_000, "how many are played", low=1, high=MAX_GAMES)
    seed: int = setting(0, "the first game has this one, the next the next", low=0, high=10**15)
    rows: int = setting(100_000, "decisions in a file, about", low=1, high=1_000_000)
    keep: Keep = setting(Keep(), "what is kept of each decision, and which decisions are")
    threads: int = setting(1, "files that are made at once", low=1, high=256)
    out: str | None = setting(None, "the folder; null: runs/, by the config's name")

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", as_entrants(self.agents))
        check(self)
        with about("num_players"):
            must_seat(self.game_rules, self.num_players)
        with about("agents"):
            self._check_agents()
        with about("keep"):
            self._check_kept()
        self.make_batch(1)  # refuses whatever a batch refuses

    def _check_agents(self) -> None:
        names = self.names
        for entrant in self.agents:
            entrant.must_play(self.game_rules)
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
        if self.keep.hands and not self.game_rules.has_hands:
            raise BadSetting("keep.hands", f"{self.game} has no hands")

    @cached_property
    def game_rules(self) -> Any:
        """The rules of the game, house rules included."""
        return house_rules(self.game, self.rules)

    @property
    def names(self) -> list[str]:
        """The names of the agents."""
        return [entrant.name for entrant in self.agents]

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.num_players or int(self.game_rules.players[0])

    def make_batch(self, games: int) -> Batch:
        """A batch of so many games, not yet dealt."""
        return Batch(
            self.game_rules,
            games,
            self.seats,
            episode=self.episode,
            reward=self.reward,
            calls=self.calls,
            autoreset=False,
        )

    def packed(self) -> DatasetSettings:
        """The same with the content of all files that agents read."""
        return replace(self, agents=tuple(entrant.packed for entrant in self.agents))


def shape_of(settings: DatasetSettings) -> Shape:
    """The sizes that the vector columns depend on."""
    batch = settings.make_batch(1)
    tiles = settings.game_rules.num_tiles
    return Shape(batch.num_features, batch.num_actions, batch.num_players, tiles)


def games_per_file(settings: DatasetSettings) -> int:
    """How many games make a file of about as many rows as the settings say."""
    trial = min(TRIAL_GAMES, settings.games)
    narrow = replace(settings, keep=Keep(features=False, mask=False))
    decisions = len(play_games(narrow, 0, trial)["step"]) / trial
    return max(1, round(settings.rows / decisions))


class GeneratedFile(NamedTuple):
    """A file of a data set, before it is written."""

    content: bytes
    rows: int


def generate_file(settings: DatasetSettings, games: int, number: int) -> GeneratedFile:
    """Plays the games of file `number`, where every file has so many games."""
    first = number * games
    rows = play_games(settings, first, min(games, settings.games - first))
    told = {"game": settings.game, "mark": mark_of(settings.game_rules), "agents": settings.names}
    return GeneratedFile(to_parquet(rows, shape_of(settings), told), len(rows["step"]))


def play_games(settings: DatasetSettings, first: int, games: int) -> Rows:
    """Plays games from number `first` on as one batch; a row for each decision, game by game."""
    batch = settings.make_batch(games)
    batch.reset(seed=settings.seed + first + np.arange(games))
    agent_seats = seating(settings, first, games)
    players = [
        checked(
            entrant.make(derive_seed(settings.seed, settings.game, entrant.name, first, number))
        )
        for number, entrant in enumerate(settings.agents)
    ]
    splits = splits_of(batch) if settings.keep.split else None
    recorder = _DecisionRecorder(batch, settings.keep)
    while (batch.seat >= 0).any():
        actions = choose_actions(batch, players, agent_seats)
        recorder.before_step(actions)
        batch.step(actions)
        recorder.after_step()
    rows = recorder.rows(agent_seats)
    if splits is not None:
        rows["split"] = splits[rows["game"]]
    return _kept(rows, settings, first)


def seating(settings: DatasetSettings, first: int, games: int) -> Whole:
    """Which agent sits where, int[N, P]; by lot it depends on the number of the game alone."""
    if settings.seating == "in_order":
        return np.tile(np.arange(settings.seats), (games, 1))
    lots = [
        np.random.default_rng(derive_seed(settings.seed, "seats", game)).integers(
            0, len(settings.agents), settings.seats
        )
        for game in range(first, first + games)
    ]
    return np.stack(lots)


def _kept(rows: Rows, settings: DatasetSettings, first: int) -> Rows:
    """The rows that are kept, with games by their numbers in the data set."""
    rows["game"] = (rows["game"] + first).astype(np.uint32)
    chosen = np.ones(len(rows["game"]), np.bool_)
    if not settings.keep.forced:
        chosen &= ~rows["forced"]
    if settings.keep.only is not None:
        numbers = [settings.names.index(name) for name in settings.keep.only]
        chosen &= np.isin(rows["agent"], numbers)
    del rows["forced"]
    return rows if chosen.all() else {name: column[chosen] for name, column in rows.items()}


class _DecisionRecorder:
    """Records every decision of all lanes, and the rewards of each seat."""

    def __init__(self, batch: Batch, keep: Keep) -> None:
        self._batch, self._keep = batch, keep
        self._earned = np.zeros((batch.num_games, batch.num_players))
        self._cut_off = np.zeros(batch.num_games, np.bool_)
        self._recorded: list[Rows] = []

    def before_step(self, actions: Whole) -> None:
        """Records what the seats to move observe, and their actions."""
        batch = self._batch
        lanes = np.flatnonzero(batch.seat >= 0)
        seats = batch.seat[lanes].astype(np.uint8)
        row: Rows = {
            "game": lanes,
            "seat": seats,
            "action": actions[lanes].astype(np.uint16),
            "earned": self._earned[lanes, seats],
            "forced": batch.num_legal[lanes] == 1,
        }
        if self._keep.features:
            row["features"] = batch.observation[lanes]
        if self._keep.mask:
            row["mask"] = np.packbits(batch.mask[lanes], axis=1)
        if self._keep.hands:
            row["hands"] = hands_around(batch, lanes, seats)
        self._recorded.append(row)

    def after_step(self) -> None:
        """Adds up the rewards."""
        self._earned += self._batch.reward
        self._cut_off |= self._batch.truncated

    def rows(self, agent_seats: Whole) -> Rows:
        """All decisions, game by game, each with its reward and return."""
        rows = {
            name: np.concatenate([row[name] for row in self._recorded])
            for name in self._recorded[0]
        }
        self._recorded.clear()
        order = np.argsort(rows["game"], kind="stable")
        rows = {name: column[order] for name, column in rows.items()}
        lanes, seats = rows["game"], rows["seat"]
        rows["step"] = positions_in_group(lanes).astype(np.uint16)
        rows["agent"] = agent_seats[lanes, seats].astype(np.uint8)
        self._add_returns(rows, rows.pop("earned"))
        return rows

    def _add_returns(self, rows: Rows, earned: npt.NDArray[np.float64]) -> None:
        """Adds rewards, up to the seat's next decision or the end, and undiscounted returns."""
        lanes, seats = rows["game"], rows["seat"].astype(np.int64)
        total = self._earned[lanes, seats]
        order = np.argsort(lanes * self._batch.num_players + seats, kind="stable")
        line = (lanes * self._batch.num_players + seats)[order]
        last = np.append(line[1:] != line[:-1], True)
        until = np.where(last, total[order], np.append(earned[order][1:], 0.0))
        rewards, ends = np.empty_like(earned), np.empty(len(last), np.bool_)
        rewards[order], ends[order] = until - earned[order], last
        rows["reward"] = rewards.astype(np.float32)
        rows["return"] = (total - earned).astype(np.float32)
        rows["done"] = ends & ~self._cut_off[lanes]
        rows["truncated"] = ends & self._cut_off[lanes]


def hands_around(
    batch: Batch, lanes: Whole, seats: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint64]:
    """The tiles of every seat as bits, from the seat to move on, clockwise: uint64[N, P, words]."""
    words = (int(batch.rules.num_tiles) + 63) // 64
    around = (seats[:, None] + np.arange(batch.num_players)) % batch.num_players
    hands: npt.NDArray[np.uint64] = batch.games["hands"][lanes[:, None], around][:, :, :words]
    return hands


def positions_in_group(numbers: Whole) -> Whole:
    """For each of some numbers in rising order, how many equal ones precede it."""
    starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    lengths = np.diff(np.append(starts, len(numbers)))
    places: Whole = np.arange(len(numbers)) - np.repeat(starts, lengths)
    return places
