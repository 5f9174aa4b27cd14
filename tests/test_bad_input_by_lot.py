"""Ten thousand bad inputs drawn by lot: all are refused by name, and nothing has changed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import domino_env
from domino_env import actions
from domino_env.actions import Move, Tile
from domino_env.batches import Batch
from domino_env.errors import DominoError
from domino_env.ruleset import Draw
from tests.games import TWISTS
from tests.refusals import LANES, TWISTED, a_deal, picture, playing

JUNK: list[Any] = [
    *(
        None,
        "",
        "x",
        "0",
        b"",
        -1,
        -7,
        1.5,
        float("nan"),
        float("inf"),
        True,
        False,
        2**70,
        -(2**70),
    ),
    *(
        [],
        {},
        (),
        [None],
        ["x"],
        {"x": 1},
        {1},
        object(),
        1j,
        np.array(1.5),
        np.arange(2),
        np.zeros(3),
    ),
    *(Batch, Move("draw"), Tile(0, 1), Draw(), np.float32(2), np.bool_(True), range(2)),
]
Bad = Callable[[], Any]


def whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def empty(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and not value


def nothing(value: Any) -> bool:
    return False


class Mischief:
    """Bad input of every kind, for a batch in the middle of its games."""

    def __init__(self, chance: random.Random, batch: Batch) -> None:
        self.chance, self.batch = chance, batch
        self.saved = [batch.save(lane) for lane in range(LANES)]

    def junk(self, accepted: Callable[[Any], bool]) -> Any:
        """A value that is not what is asked for."""
        while accepted(value := self.chance.choice(JUNK)):
            pass
        return value

    def wrong_actions(self) -> Bad:
        size = self.chance.choice([0, 1, 2, 4, 5])
        taken: Any = [
            [self.chance.randrange(self.batch.num_actions) for _ in range(size)],
            [[0] * LANES],
            [self.junk(whole) for _ in range(LANES)],
            [0.5] * LANES,
            self.junk(lambda value: False),
            self.batch.sample().astype(self.chance.choice([float, bool, str, complex, object])),
        ]
        return partial(self.batch.step, self.chance.choice(taken))

    def illegal_action(self) -> Bad:
        lane, taken = self.chance.randrange(LANES), self.batch.sample()
        if self.batch.seat[lane] >= 0:
            illegal = (self.batch.mask[lane] == 0).nonzero()[0].tolist()
            outside = [-1, -2, self.batch.num_actions, 2**40, -(2**40)]
            taken[lane] = self.chance.choice([self.chance.choice(illegal), *outside])
        else:
            taken[lane] = self.chance.choice([0, -2, self.batch.num_actions])
        return partial(self.batch.step, taken)

    def wrong_lane(self) -> Bad:
        lane = self.junk(lambda value: whole(value) and 0 <= value < LANES)
        name = self.chance.choice(["position", "save", "observe", "restore"])
        more = {"observe": [0], "restore": [self.saved[0]]}.get(name, [])
        return partial(getattr(self.batch, name), lane, *more)

    def wrong_seat(self) -> Bad:
        seats = self.batch.num_players
        return partial(
            self.batch.observe, 0, self.junk(lambda value: whole(value) and 0 <= value < seats)
        )

    def wrong_seed(self) -> Bad:
        def is_seed(value: Any) -> bool:
            return value is None or (whole(value) and value >= 0)

        if self.chance.random() < 0.5:
            return partial(self.batch.reset, seed=self.junk(is_seed))
        seeds: list[Any] = [1, 2, 3]
        seeds[self.chance.randrange(LANES)] = self.junk(is_seed)
        return partial(self.batch.reset, seed=self.chance.choice([seeds, tuple(seeds), [1, 2]]))

    def wrong_options(self) -> Bad:
        name = self.chance.choice(["dael", "seed", "", "deal ", 5, None])
        options = [
            {name: 1},
            {"deal": 1, "deals": 2},
            self.junk(lambda value: value is None or isinstance(value, dict)),
        ]
        return partial(self.batch.reset, options=self.chance.choice(options))

    def wrong_deal(self) -> Bad:
        deal: Any = self.chance.choice([self.spoilt_deal, self.spoilt_order])()
        if self.chance.random() < 0.2:
            deal = self.junk(lambda value: False)
        if self.chance.random() < 0.5:
            return partial(self.batch.reset, options={"deal": deal})
        deals: list[Any] = [a_deal(self.batch, lane) for lane in range(LANES)]
        deals[self.chance.randrange(LANES)] = deal
        if self.chance.random() < 0.2:
            deals = self.chance.choice([deals[1:], deals * 2, self.junk(lambda value: False)])
        return partial(self.batch.reset, seed=1, options={"deals": deals})

    def spoilt_deal(self) -> dict[str, Any]:
        deal = a_deal(self.batch, self.chance.randrange(LANES))
        hand = self.chance.choice(deal["hands"])
        seats = self.batch.num_players
        spoils: list[Callable[[], Any]] = [
            lambda: hand.append(hand[0]),
            lambda: hand.pop(),
            lambda: hand.__setitem__(0, deal["hands"][hand is deal["hands"][0]][1]),
            lambda: hand.__setitem__(
                0, self.chance.choice(["7|7", "16|3", (99, 0), (1, 2, 3), 136])
            ),
            lambda: hand.__setitem__(0, self.junk(lambda v: isinstance(v, Tile))),
            lambda: deal["hands"].append([]),
            lambda: deal["hands"].pop(),
            lambda: deal.pop("hands"),
            lambda: deal.update(hands=self.junk(lambda value: False)),
            lambda: deal.update(boneyard=self.junk(empty if not deal["boneyard"] else nothing)),
            lambda: deal.update(
                starter=self.junk(lambda v: v is None or (whole(v) and 0 <= v < seats))
            ),
            lambda: deal.update(hand=[]),
        ]
        self.chance.choice(spoils)()
        return deal

    def spoilt_order(self) -> list[Any]:
        order: list[Any] = list(range(self.batch.rules.num_tiles))
        self.chance.shuffle(order)
        spoils: list[Callable[[], Any]] = [
            lambda: order.pop(),
            lambda: order.append(0),
            lambda: order.__setitem__(0, order[1]),
            lambda: order.__setitem__(0, len(order)),
            lambda: order.__setitem__(0, self.junk(whole)),
        ]
        self.chance.choice(spoils)()
        return order

    def wrong_save(self) -> Bad:
        saved = self.chance.choice(self.saved)
        cut = self.chance.randrange(len(saved))
        wrong = [
            saved[:cut],
            saved[cut:] if cut else b"",
            saved + self.chance.randbytes(self.chance.randrange(1, 9)),
            self.chance.randbytes(len(saved)),
            self.chance.randbytes(cut),
            bytes(len(saved)),
            bytes(self.batch.state().dtype.itemsize),
            bytes([saved[0] ^ self.chance.randrange(1, 256)]) + saved[1:],
            self.junk(lambda value: False),
        ]
        return partial(self.batch.restore, self.chance.randrange(LANES), self.chance.choice(wrong))

    def wrong_batch(self) -> Bad:
        def is_whole(value: Any) -> bool:
            return whole(value) and value >= 1

        right: dict[str, Callable[[Any], bool]] = {
            "game": lambda value: False,
            "num_games": is_whole,
            "num_players": lambda value: value is None,
            "threads": is_whole,
            "seed": lambda value: value is None or (whole(value) and value >= 0),
            "episode": lambda value: False,
            "reward": lambda value: False,
            "calls": lambda value: False,
        }
        name = self.chance.choice([*right])
        usual = {"game": self.batch.rules, "num_games": 2}
        return partial(domino_env.batch, **{**usual, name: self.junk(right[name])})

    def wrong_rules(self) -> Bad:
        accepted: dict[str, Callable[[Any], bool]] = {
            **dict.fromkeys(["hand_size", "players", "set", "sets"], lambda value: False),
            **dict.fromkeys(["rows", "teams", *TWISTS], lambda value: value is False),
            "target": lambda value: value is None,
            "tiles": empty,
            "draw": lambda value: isinstance(value, Draw),
        }
        name = self.chance.choice([*accepted])
        changes: Any = self.chance.choice([{name: self.junk(accepted[name])}, {f"{name}s_": 1}])
        variant = self.chance.choice(["block_draw", "block_draws", "", None, 5])
        return partial(domino_env.rules, variant, **changes)

    def wrong_move(self) -> Bad:
        size = self.batch.num_actions
        if self.chance.random() < 0.5:
            number = self.junk(lambda value: whole(value) and 0 <= value < size)
            return partial(actions.decode, self.batch.rules, number)
        move = Move(
            self.chance.choice(["plays", "", "play"]), Tile(0, 1), self.chance.choice([-1, 99]), 0
        )
        return partial(
            actions.encode, self.batch.rules, self.chance.choice([move, None, "draw", 5])
        )

    def anything(self) -> tuple[str, Bad]:
        """Some bad input, and what kind it is."""
        kinds = [name for name in vars(Mischief) if name.startswith(("wrong_", "illegal_"))]
        kind = self.chance.choice(kinds)
        return kind, getattr(self, kind)()


def too_early(chance: random.Random, batch: Batch) -> Bad:
    """Something that is asked before the first reset."""
    calls: list[Bad] = [
        partial(batch.step, [0] * LANES),
        batch.sample,
        batch.state,
        partial(batch.save, 0),
        partial(batch.position, 0),
        partial(batch.observe, 0, 0),
        partial(batch.restore, 0, b""),
    ]
    return chance.choice(calls)


def how_it_fails(bad: Bad, batch: Batch) -> str:
    """What is wrong with the answer to a bad input; nothing if it is as it should be."""
    before = picture(batch)
    try:
        bad()
    except DominoError as error:
        if not str(error):
            return f"{type(error).__name__} without a message"
        return "" if picture(batch) == before else f"{type(error).__name__} that changed something"
    except Exception as error:
        return type(error).__name__
    return "accepted"


def described(bad: Any) -> str:
    """A bad call, in short."""
    arguments = [repr(each)[:200] for each in (*bad.args, *bad.keywords.items())]
    return f"{getattr(bad.func, '__name__', bad.func)}({', '.join(arguments)})"


def test_ten_thousand_bad_inputs_are_refused_by_name_and_change_nothing() -> None:
    chance = random.Random(2026)
    batches = [
        playing("block_draw"),
        playing("all_fives", calls="explicit", threads=2),
        playing("blind", num_players=3),
        playing("five_up", num_players=4, episode="match"),
        playing("one_arm_joe", autoreset=False, steps=20),
        playing("yourturnmyturn"),
        playing("fruitominoes", num_players=3),
        playing("bendomino_all_five", num_players=3),
        playing("bendomino_teams", autoreset=False, steps=20),
        playing(TWISTED, num_players=4, calls="explicit", threads=2),
        playing("fundomino_caribbean", episode="match"),
    ]
    fresh = domino_env.batch("block_draw", LANES, seed=0)
    wrong: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for _ in range(10_000):
        number = chance.randrange(len(batches))
        batch = batches[number]
        kind, bad = Mischief(chance, batch).anything()
        if chance.random() < 0.02:
            kind, bad, batch = "too_early", too_early(chance, fresh), fresh
        kept = batch.clone()
        failure = how_it_fails(bad, batch)
        if failure:
            name = f"{kind}: {failure}"
            wrong[name] += 1
            examples[name] = min(examples.get(name, described(bad)), described(bad), key=len)
            if batch is not fresh:
                batches[number] = kept
        elif chance.random() < 0.01 and (batch.seat >= 0).all() and batch is not fresh:
            batch.step(batch.sample())
    assert not wrong, "\n" + "\n".join(
        f"{count} × {name}\n    {examples[name]}" for name, count in wrong.most_common()
    )
