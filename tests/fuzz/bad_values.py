"""What a call is given: for each parameter, by its name, values as they should be; and bad ones."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import domino_env
from domino_env.actions import Move, Tile
from domino_env.ruleset import Draw
from tests.games import TWISTS

NUMBERS: list[Any] = [
    *(0, 1, 2, 3, -1, -2, 7, 63, 64, 65, 127, 128, 255, 256, 4096, 10**7, 2**31, 2**63 - 1),
    *(2**63, 2**64, -(2**31), -(2**63), -(10**30), 10**30, True, False, 0.0, 1.0, 1.5, -0.5),
    *(float("nan"), float("inf"), 1j, np.int8(-1), np.int16(1), np.uint64(2**64 - 1)),
    *(np.float64(2), np.bool_(True), np.int64(0), np.datetime64("2026-01-01")),
]
THINGS: list[Any] = [
    *(None, "", "0", "²", "a" * 5000, "all", "nobody", "points", b"", b"\0" * 64, bytearray(9)),
    *([], {}, (), set(), [None], [[]], [0, [1]], {"deal": None}, {"deals": []}, {0: 1}, ...),
    *(Tile(0, 1), Tile(9, 9), ("*", ">4"), Move("play"), Move("play", Tile(99, -1), 10**9, 7)),
    *(Move("draw"), Move("play", Tile(0, 0), 0, 0), int, object, Draw(), memoryview(b"abc")),
]
DTYPES = [np.int64, np.int32, np.int8, np.uint8, np.uint64, np.float64, np.float32, np.bool_, "U3"]
AS_THEY_SHOULD_BE = ("path", "file", "attr_name", "method_name", "wanted", "indices")
"""Parameters that are never bad: a number for a path would be an open file of this process, and the
others are what only libraries ask for."""
MOST_LANES = 5_000  # of a batch that a call may make: more would be slow, not wrong


def number(chance: Random) -> Any:
    """A number, of Python's or of NumPy's."""
    return chance.choice(NUMBERS)


def array(chance: Random) -> Any:
    """An array of any type, shape and content."""
    sizes = (0, 1, 1, 2, 3, 4, 64, 65)
    shape = tuple(chance.choice(sizes) for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 3))))
    dtype = chance.choice(DTYPES)
    if dtype == np.bool_ or isinstance(dtype, str):
        return np.zeros(shape, dtype)
    low, high = chance.choice(((0, 4), (-1, 2), (0, 200), (-(10**9), 10**9), (10**6, 10**7)))
    whole = np.random.default_rng(chance.getrandbits(32)).integers(low, high, shape)
    made = whole.astype(dtype)
    return made[::-1] if made.ndim and chance.random() < 0.2 else made


def junk(chance: Random) -> Any:
    """Anything at all."""
    kind = chance.randrange(10)
    if kind < 4:
        return number(chance)
    if kind < 7:
        return array(chance)
    if kind < 8:
        return [number(chance) for _ in range(chance.choice((1, 2, 3, 64)))]
    return chance.choice(THINGS)


class Values:
    """The values for the parameters of calls around a batch."""

    def __init__(self, chance: Random, batch: Any, others: dict[str, Any]) -> None:
        self.chance, self.batch, self.others = chance, batch, others

    def of(self, name: str) -> Any:
        """A value for a parameter of this name; more often a bad one than it would be in life."""
        if self.chance.random() < 0.4 and name not in AS_THEY_SHOULD_BE:
            return self.bad(name)
        maker = getattr(self, f"_{name}", None)
        if maker is not None:
            return maker()
        return self.others[name] if name in self.others else junk(self.chance)

    def bad(self, name: str) -> Any:
        """A value that may be anything; sizes are kept from being only large."""
        value = junk(self.chance)
        large = isinstance(value, (int, np.integer)) and MOST_LANES < value < 2**62
        return MOST_LANES if large and name in ("num_games", "num_envs", "count") else value

    # As it should be, by name --------------------------------------------------------------------

    def _lane(self) -> int:
        return self.chance.randrange(self.batch.num_games)

    def _lanes(self) -> Any:
        every = range(self.batch.num_games)
        some = self.chance.sample(every, self.chance.randint(0, len(every)))
        if some and self.chance.random() < 0.2:
            some[-1] = self.chance.choice((some[0], len(every), -1))
        return np.array(some, np.int64) if self.chance.random() < 0.8 else some

    def _indices(self) -> Any:
        return self.chance.choice((None, 0, [0, 1], [2]))

    def _seat(self) -> Any:
        return self.chance.choice([*range(self.batch.num_players), "random", "in_turn"])

    _viewer = _player = _seat

    def _seats(self) -> Any:
        size = self.chance.choice((1, self.batch.num_games))
        return np.array([self.chance.randrange(self.batch.num_players) for _ in range(size)])

    def _learner(self) -> Any:
        return np.full(self.batch.num_games, self.chance.randrange(self.batch.num_players))

    def _owed(self) -> Any:
        return np.zeros(self.batch.num_games)

    def _agent(self) -> Any:
        return self.chance.choice(["player_0", "player_0", "player_1", "player_9"])

    def _action(self) -> Any:
        return self.chance.randrange(-1, self.batch.num_actions + 2)

    def _actions(self) -> Any:
        size = self.chance.choice((1, self.batch.num_games, self.batch.num_games))
        return np.array([self._action() for _ in range(size)])

    def _wanted(self) -> int:
        return self.batch.num_games

    def _seed(self) -> Any:
        return self.chance.choice((None, 0, 7, 2**64 - 1, [1] * self.batch.num_games))

    def _saved(self) -> bytes:
        saved: bytes = self.others["saved"]
        kind = self.chance.randrange(4)
        if kind == 0:
            return saved[: self.chance.randrange(len(saved))]
        if kind == 1:
            place = self.chance.randrange(len(saved))
            return saved[:place] + bytes([saved[place] ^ 64]) + saved[place + 1 :]
        return saved if kind == 2 else saved + saved

    def _options(self) -> Any:
        if self.chance.random() < 0.3:
            return None
        deals = [self._deal()] * self.batch.num_games
        return self.chance.choice(({"deal": deals[0]}, {"deals": deals}, {"deal": deals[0][1:]}))

    def _deal(self) -> Any:
        order = list(range(self.batch.rules.num_tiles))
        self.chance.shuffle(order)
        return [junk(self.chance) if self.chance.random() < 0.01 else tile for tile in order]

    def _game(self) -> Any:
        return self.chance.choice((self.batch.rules, self.batch.rules.id, "all_fives", "blind"))

    _variant = _game

    def _name(self) -> Any:
        return self.chance.choice(("random", "greedy_pip", "heuristic", "optimal", "rondam"))

    def _opponents(self) -> Any:
        several = ["random"] * self.chance.randrange(4)
        return self.chance.choice(("random", "self", "greedy_pip", {"agent": "random"}, several))

    def _num_games(self) -> int:
        return self.chance.choice((1, 3, 64))

    _num_envs = _count = _num_games

    def _num_players(self) -> Any:
        return self.chance.choice((None, *self.batch.rules.players, 9))

    _players = _num_players

    def _threads(self) -> int:
        return self.chance.choice((1, 1, 2))

    def _episode(self) -> str:
        return self.chance.choice(("round", "round", "match"))

    def _reward(self) -> str:
        return self.chance.choice(("margin", "points", "win"))

    def _calls(self) -> str:
        return self.chance.choice(("automatic", "automatic", "explicit"))

    def _autoreset(self) -> bool:
        return self.chance.random() < 0.5

    def _observation_dtype(self) -> Any:
        return self.chance.choice(("float32", "float32", "uint8", np.uint8, "int8"))

    def _illegal(self) -> str:
        return self.chance.choice(("raise", "terminate"))

    def _observation(self) -> str:
        return self.chance.choice(("features", "history"))

    def _action_mask(self) -> str:
        return self.chance.choice(("both", "info"))

    def _render_mode(self) -> Any:
        return self.chance.choice((None, "ansi", "rgb_array"))  # no windows

    def _parts(self) -> str:
        return self.chance.choice(("all", "table"))

    def _content(self) -> str:
        return self._text()

    def _text(self) -> str:
        """A record, mostly with something wrong in it."""
        text: str = self.others["text"]
        kind, place = self.chance.randrange(4), self.chance.randrange(len(text))
        if kind == 0:
            return text[:place]
        if kind == 1:
            return text[:place] + self.chance.choice('0²"}]x9') + text[place + 1 :]
        return text if kind == 2 else text.replace('"', self.chance.choice("'\0"), 4)

    def _path(self) -> Any:
        return self.chance.choice((Path("nowhere"), "nowhere", "", Path(__file__).parent))

    _file = _path

    def _attr_name(self) -> str:
        return self.chance.choice(("render_mode", "action_masks", "batch", "nothing", "__class__"))

    _method_name = _attr_name

    def changes(self) -> dict[str, Any]:
        """A change of some rules, as `rules` takes it."""
        known = {
            "hand_size": (1, 2, 5, 7, "all", (6, 5, 4)),
            "set": ("double_6", "double_9", "listed", "double_1"),
            "target": (None, 1, 60, np.int64(60)),
            "players": ((2,), (2, 3), (9,), ()),
            "tiles": (["1|1", "1|2", "*|3"], ["1|5"] * 9),
            "draw": ({"forced": "none"}, {"forced": "never"}, {"reserve": 200}),
            **dict.fromkeys(TWISTS, (True, False)),
        }
        names = self.chance.sample(list(known), self.chance.choice((0, 1, 1, 2)))
        return {
            name: self.chance.choice(known[name]) if self.chance.random() < 0.7 else self.bad(name)
            for name in names
        }


def table_of(chance: Random, variant: str) -> Any:
    """A batch of a game in the middle of its rounds, with options of any kind."""
    rules = domino_env.rules(variant)
    alone = rules.players == (1,)
    batch = domino_env.batch(
        rules,
        chance.choice((1, 3, 3, 64)),
        chance.choice(rules.players),
        seed=chance.getrandbits(30),
        threads=chance.choice((1, 1, 1, 2)),
        episode="round" if alone else chance.choice(("round", "match")),
        reward=chance.choice(("margin", "points", "win")),
        calls=chance.choice(("automatic", "explicit")) if rules.has_calls else "automatic",
        autoreset=chance.random() < 0.6,
    )
    batch.reset()
    for _ in range(chance.randrange(30)):
        if (batch.seat >= 0).any():
            batch.step(batch.sample())
    return batch
