"""Bad input: each kind has its own error, which says what to do, and nothing has changed by it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import actions
from domino_env.actions import Move, Tile
from domino_env.batches import Batch
from domino_env.errors import (
    BadAction,
    BadDeal,
    BadOption,
    BadRules,
    BadSave,
    DominoError,
    GameOver,
    IllegalMove,
    NotReset,
    UnknownVariant,
)
from domino_env.ruleset import TWISTS, Draw, Layout, Opening, Rules
from tests.games import ALONE, AT_A_TABLE

LANES = 3


def picture(batch: Batch) -> list[bytes]:
    """All that a batch is and shows: states, events, generators, moves, observations, rewards."""
    events = batch._games["log_size"].tolist()
    counts = batch.num_legal.tolist()
    return [
        batch._games.tobytes(),
        *(batch._logs[lane, :count].tobytes() for lane, count in enumerate(events)),
        batch._samplers.tobytes(),
        batch.mask.tobytes(),
        *(batch.legal[lane, :count].tobytes() for lane, count in enumerate(counts)),
        batch.num_legal.tobytes(),
        batch.observation.tobytes(),
        batch.seat.tobytes(),
        batch.reward.tobytes(),
        batch.done.tobytes(),
        bytes([batch._ready]),
    ]


@contextmanager
def refused(error: type[DominoError], *words: object, batch: Batch | None = None) -> Iterator[None]:
    """Expects this very error, with these words in it, and no trace of it in the batch."""
    before = picture(batch) if batch is not None else []
    with pytest.raises(error) as refusal:
        yield
    message = str(refusal.value)
    missing = [str(word) for word in words if str(word) not in message]
    assert refusal.type is error
    assert not missing, f"{message!r} does not say {missing}"
    assert (picture(batch) if batch is not None else []) == before, f"changed by: {message}"


TWISTED = domino_env.rules("fundomino", **dict.fromkeys(TWISTS, True))


def playing(variant: str | Rules = "block_draw", steps: int = 7, **options: Any) -> Batch:
    """A batch in the middle of its games."""
    batch = domino_env.batch(variant, LANES, **{"seed": 3, **options})
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


@pytest.fixture
def batch() -> Batch:
    return playing()


@pytest.fixture
def finished() -> Batch:
    """A batch whose games are all over."""
    batch = playing(autoreset=False, steps=0)
    while (batch.seat >= 0).any():
        batch.step(batch.sample())
    return batch


# Building a batch --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["all_five", "", "Block_Draw", None, 5, ["block_draw"], Batch])
def test_an_unknown_game_is_an_unknown_variant(game: Any) -> None:
    with refused(UnknownVariant, repr(game)):
        domino_env.batch(game, 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("num_games", value) for value in (0, -1, 1.5, 2.0, "4", True, None, [4], np.array([4]))),
        *(("num_players", value) for value in (0, 1, 5, 2.5, 2.0, "2", True, [2], np.arange(2))),
        *(("threads", value) for value in (0, -1, 1.5, "2", True, None, [2])),
        *(("seed", value) for value in (-1, 1.5, "7", True, [1], np.array([1]))),
        *(("episode", value) for value in ("rounds", "", None, 5, ["round"], np.arange(2))),
        *(("reward", value) for value in ("wins", "", None, 5, ["points"])),
        *(("calls", value) for value in ("yes", "", None, True, ["explicit"])),
        *(("autoreset", value) for value in ("no", None, 2, [])),
    ],
)
def test_an_option_out_of_its_range_is_a_bad_option(name: str, value: Any) -> None:
    options = {"num_games": 2, name: value}
    words = {"num_players": "players"}
    with refused(BadOption, words.get(name, name), repr(value)):
        domino_env.batch("all_fives", **options)


def test_a_wrong_word_is_answered_with_the_nearest() -> None:
    with refused(BadOption, "did you mean 'round'"):
        domino_env.batch("block_draw", 1, episode="rounds")
    with refused(BadOption, "did you mean 'margin'"):
        domino_env.batch("block_draw", 1, reward="margins")


# Points that nobody has to call are no calls (BN5).
@pytest.mark.parametrize("variant", ["bergen", "five_up", "bendomino", "bendomino_all_five"])
def test_a_game_without_calls_cannot_have_them_explicit(variant: str) -> None:
    with refused(BadOption, variant, "nothing to call", "automatic"):
        domino_env.batch(variant, 1, calls="explicit")


@pytest.mark.parametrize("twist", TWISTS)
@pytest.mark.parametrize("variant", ["block_draw", "all_fives", "bendomino", "bendomino_teams"])
def test_a_twist_of_another_game_is_refused_by_name(variant: str, twist: str) -> None:
    with refused(BadRules, f"{twist}=True", "listed", "double_6"):
        domino_env.rules(variant, **{twist: True})


@pytest.mark.parametrize("value", [None, 1, 0, "yes", [True]])
@pytest.mark.parametrize("switch", [*TWISTS, "teams"])
def test_a_twist_is_on_or_off(switch: str, value: Any) -> None:
    with refused(BadRules, switch, "True or False", repr(value)):
        domino_env.rules("fundomino", **{switch: value})


@pytest.mark.parametrize("twist", ["double_backs", "doublestakes", "perfect_tens", "reverse"])
def test_an_unknown_twist_is_answered_with_the_nearest(twist: str) -> None:
    with refused(BadRules, f"fundomino has no option {twist!r}"):
        domino_env.rules("fundomino", **{twist: True})


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        (None, ["tiles", "None"]),
        ("1|5", ["tiles", "'1|5'"]),
        ([], ["tiles", "()"]),
        (["1|1", "1|5", "x|5"], ["tiles", "'x|5'"]),
        (["1|1", "1|5", (1, 6)], ["tiles", "(1, 6)"]),
        (["1|1", "1|5", "5|1"], ["tiles", "'5|1'", "twice"]),
        (["1|1", "1|5", ">5|1", "1|>5"], ["tiles", "'1|>5'", "twice"]),
    ],
)
def test_a_list_that_is_no_set_of_tiles_is_refused_by_name(tiles: Any, words: list[str]) -> None:
    with refused(BadRules, *words):
        domino_env.rules("fundomino", tiles=tiles)


def test_impossible_rules_never_get_as_far_as_a_batch() -> None:
    with refused(BadRules, "opening.tile", "any"):
        domino_env.rules("block_draw", layout=Layout(arms="four"), opening=Opening(tile="any"))
    with refused(BadRules, "block_draw", "double_9"):
        domino_env.rules("block_draw", set="double_9", sets=("double_6",))
    with refused(BadRules, "no option 'handsize'", "did you mean 'hand_size'"):
        domino_env.rules("block_draw", handsize=5)
    with refused(BadRules, "draw.forced", "until_playable", "never"):
        Draw(forced="never")  # type: ignore[arg-type]


# Before the first reset, and after the end -------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("step", ([0] * LANES,)),
        ("sample", ()),
        ("position", (0,)),
        ("save", (0,)),
        ("restore", (0, b"")),
        ("observe", (0, 0)),
        ("state", ()),
    ],
)
def test_nothing_can_be_asked_before_the_first_reset(name: str, arguments: tuple[Any, ...]) -> None:
    batch = domino_env.batch("block_draw", LANES, seed=0)
    with refused(NotReset, name, "reset()", batch=batch):
        getattr(batch, name)(*arguments)


def test_a_finished_batch_takes_no_step(finished: Batch) -> None:
    for taken in ([-1] * LANES, [0] * LANES):
        with refused(GameOver, "over", "reset()", batch=finished):
            finished.step(taken)


def test_a_finished_lane_takes_only_minus_one() -> None:
    batch = playing(autoreset=False, steps=0)
    while not (batch.seat < 0).any():
        batch.step(batch.sample())
    lane = int((batch.seat < 0).argmax())
    taken = batch.sample()
    taken[lane] = 0
    with refused(GameOver, f"lane {lane}", "-1", "reset()", batch=batch):
        batch.step(taken)


# Actions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "taken",
    [
        *(None, 0, [], [0, 0], [0] * 4, [[0] * 3], np.zeros((3, 1), int), {}, {0: 1}, "abc"),
        *([[0], [0, 1], [2]], [0.0] * 3, [1.5, 0, 0], [float("nan")] * 3, np.zeros(3, np.float32)),
        *([True] * 3, ["0"] * 3, [None] * 3, [2**70] * 3, [0j] * 3, [Move("draw")] * 3),
    ],
)
def test_actions_of_the_wrong_shape_or_type_are_bad_actions(batch: Batch, taken: Any) -> None:
    with refused(BadAction, "action", batch=batch):
        batch.step(taken)


@pytest.mark.parametrize("number", [-1, -2, 112, 113, 10**9, -(2**63), 2**63 - 1])
def test_an_action_outside_the_action_space_is_a_bad_action(batch: Batch, number: int) -> None:
    assert batch.num_actions == 112
    taken = batch.sample()
    taken[1] = number
    with refused(BadAction, "lane 1", "0 to 111", f"not {number}", batch=batch):
        batch.step(taken)


def test_an_unsigned_action_too_large_is_a_bad_action(batch: Batch) -> None:
    taken = batch.sample().astype(np.uint64)
    taken[2] = 2**64 - 1
    with refused(BadAction, "lane 2", batch=batch):
        batch.step(taken)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", ["block_draw", "bendomino_all_five", TWISTED])
def test_an_illegal_move_says_the_move_the_ends_and_the_legal_moves(
    game: str | Rules, threads: int
) -> None:
    batch = playing(game, threads=threads)
    taken = batch.sample()
    taken[1] = int((batch.mask[1] == 0).argmax())
    position = batch.position(1)
    words = [
        f"lane 1: {actions.decode(game, int(taken[1]))} (action {taken[1]})",
        f"seat {position.to_move}",
        *position.ends,
        *position.legal,
    ]
    with refused(IllegalMove, *words, batch=batch):
        batch.step(taken)


def test_an_extra_that_is_not_legal_now_is_an_illegal_move() -> None:
    batch = playing("one_arm_joe")
    stop = actions.encode("one_arm_joe", Move("end_turn"))
    lane = int((batch.mask[:, stop] == 0).argmax())
    taken = batch.sample()
    taken[lane] = stop
    with refused(IllegalMove, f"lane {lane}", "END TURN", batch=batch):
        batch.step(taken)


def test_a_play_while_something_is_asked_is_an_illegal_move() -> None:
    batch = playing(TWISTED, num_players=3, calls="explicit", steps=0)
    position = batch.position(0)
    assert position.question is not None
    seat = position.to_move
    assert seat is not None
    taken = batch.sample()
    taken[0] = actions.encode(TWISTED, Move("play", position.hands[seat][0], 0, 0), "explicit")
    with refused(IllegalMove, f"legal: {position.legal[0]}, {position.legal[1]}", batch=batch):
        batch.step(taken)


@pytest.mark.parametrize("number", [-1, 112, 10**30, None, "5", 1.5, 5.0, True, [5]])
def test_a_number_that_is_no_action_cannot_be_decoded(number: Any) -> None:
    with refused(BadAction, number):
        actions.decode("block_draw", number)


@pytest.mark.parametrize(
    "move",
    [
        *(Move("draw"), Move("reverse"), Move("play"), Move("play", Tile(0, 1), 0)),
        *(Move("play", Tile(0, 1), 0, 2), Move("play", Tile(0, 1), 2, 0), Move("play", Tile(0, 7))),
        *(Move("play", Tile(0, 7), 0, 0), Move("play", Tile(-1, 3), 0, 0)),
        *(Move("play", Tile(0, 1), -1, 0), Move("play", Tile(0, 1), 0.5, 0)),  # type: ignore[arg-type]
        *(None, "draw", 5, Move(None)),  # type: ignore[arg-type]
    ],
)
def test_a_move_that_the_game_does_not_know_cannot_be_encoded(move: Any) -> None:
    with refused(BadAction):
        actions.encode("block_draw", move)


def test_a_tile_written_higher_half_first_never_joins_by_its_other_half() -> None:
    """Half 0 of a 3|1 is its 3: it is that half, or refused, but not the 1."""
    try:
        number = actions.encode("block_draw", Move("play", Tile(3, 1), 0, 0))
    except BadAction:
        return
    move = actions.decode("block_draw", number)
    assert move.tile is not None
    assert move.half is not None
    assert move.tile[move.half] == 3


@pytest.mark.parametrize("calls", ["automatic", "explicit"])
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_every_action_is_one_move_and_back(variant: str, calls: str) -> None:
    rules = TWISTED if variant == "fundomino" else domino_env.rules(variant)
    if calls == "explicit" and not rules.has_calls:
        return
    straight = rules.layout.tiles == "straight"
    for action in range(actions.size(rules, calls)):
        move = actions.decode(rules, action, calls)
        if move.tile is not None and move.tile.is_double and move.half and straight:
            assert actions.encode(rules, move, calls) == action - 1  # both halves are alike
        else:
            assert actions.encode(rules, move, calls) == action


@pytest.mark.parametrize("variant", ALONE)
def test_every_action_of_a_game_for_one_is_one_move_and_back(variant: str) -> None:
    moves = [actions.decode(variant, action) for action in range(actions.size(variant))]
    assert len({*map(str, moves)}) == len(moves)
    assert [actions.encode(variant, move) for move in moves] == [*range(len(moves))]


def test_a_curved_double_may_turn_either_way() -> None:
    right, left = (
        actions.encode("bendomino", Move("play", Tile(3, 3), 1, half)) for half in (0, 1)
    )
    assert left == right + 1
    assert str(actions.decode("bendomino", right)) == "[3|3] → end 1"
    assert str(actions.decode("bendomino", left)) == "[3|3] turning left → end 1"


@pytest.mark.parametrize("tile", [(">6", 1), ("+3", 6), ("*", 5), (1, 4)])
@pytest.mark.parametrize("half", [0, 1])
def test_a_tile_given_the_other_way_round_joins_by_the_half_that_is_named(
    tile: tuple[Any, Any], half: int
) -> None:
    written = actions.encode("fundomino", Move("play", Tile(*tile), 1, half))
    turned = actions.encode("fundomino", Move("play", Tile(*tile[::-1]), 1, 1 - half))
    assert turned == written
    move = actions.decode("fundomino", written)
    assert move.tile == tile
    assert move.tile[half] == tile[half]


@pytest.mark.parametrize("kind", ["draw", "clockwise", "counter"])
def test_what_a_game_can_answer_can_be_encoded(kind: str) -> None:
    number = actions.encode("fundomino", Move(kind))
    assert actions.decode("fundomino", number) == Move(kind)


@pytest.mark.parametrize(
    "kind", ["call", "silent", "reverse", "keep", "raise", "hold", "accept", "refuse", "pass"]
)
def test_what_a_game_cannot_answer_cannot_be_encoded(kind: str) -> None:
    with refused(BadAction, "fundomino", repr(kind)):
        actions.encode("fundomino", Move(kind))


@pytest.mark.parametrize(
    "tile",
    [
        *((">7", 1), (">6", 2), (">6", "1"), ("6>", 1), (">", 6), ("*", 1), ("*", "*")),
        *((0, 1), (7, 7), ("1", "4"), ("*",), (">6", 1, 1), (None, "*"), (1.0, "*"), (True, ">6")),
    ],
)
def test_a_tile_that_is_not_listed_cannot_be_encoded(tile: tuple[Any, ...]) -> None:
    with refused(BadAction):
        actions.encode("fundomino", Move("play", tile, 0, 0))  # type: ignore[arg-type]


# Lanes and seats ---------------------------------------------------------------------------------

NO_NUMBERS = [None, "0", 0.0, 1.5, True, [0], float("nan")]


@pytest.mark.parametrize("lane", [-1, LANES, 10**30, *NO_NUMBERS])
def test_a_lane_that_is_not_there_is_a_bad_option(batch: Batch, lane: Any) -> None:
    saved = batch.save(0)
    calls: list[Callable[[], Any]] = [
        lambda: batch.position(lane),
        lambda: batch.save(lane),
        lambda: batch.observe(lane, 0),
        lambda: batch.restore(lane, saved),
    ]
    for call in calls:
        with refused(BadOption, "lane", repr(lane), batch=batch):
            call()


@pytest.mark.parametrize("seat", [-1, 2, 10**30, *NO_NUMBERS])
def test_a_seat_that_is_not_there_is_a_bad_option(batch: Batch, seat: Any) -> None:
    with refused(BadOption, "seat", repr(seat), batch=batch):
        batch.observe(0, seat)


# Seeds and options of a reset --------------------------------------------------------------------


@pytest.mark.parametrize(
    "seed",
    [
        *(-1, 1.5, "7", "123", True, {}, np.float64(3.0), np.array(3.5), [1], [1, 2, 3, 4], []),
        *([1, -1, 2], [1, 2.5, 3], [1, "2", 3], [1, {}, 3], [1, True, 3], [[1], [2], [3]]),
        *(np.zeros((3, 2), int), np.zeros(3), np.array([True] * 3)),
    ],
)
def test_a_seed_that_is_none_is_a_bad_option(batch: Batch, seed: Any) -> None:
    with refused(BadOption, "seed", batch=batch):
        batch.reset(seed=seed)


@pytest.mark.parametrize("options", [5, "deal", ["deal"], [], 0, "", np.arange(2), {5: None}])
def test_options_that_are_none_are_bad_options(batch: Batch, options: Any) -> None:
    with refused(BadOption, "option", batch=batch):
        batch.reset(options=options)


def test_an_unknown_option_of_a_reset_is_answered_with_the_nearest(batch: Batch) -> None:
    with refused(BadOption, "unknown option 'dael'", "did you mean 'deal'", batch=batch):
        batch.reset(options={"dael": []})
    with refused(BadOption, "'deal'", "'deals'", "not both", batch=batch):
        batch.reset(options={"deal": list(range(28)), "deals": []})


# Deals -------------------------------------------------------------------------------------------


def a_deal(batch: Batch, lane: int = 0) -> dict[str, Any]:
    """A deal that is right, to be spoilt."""
    deal = batch.position(lane).deal
    hands = [list(hand) for hand in deal["hands"]]
    return {**deal, "hands": hands, "boneyard": list(deal["boneyard"])}


def twice(deal: dict[str, Any]) -> None:
    deal["boneyard"][0] = deal["hands"][0][0]


def one_more(deal: dict[str, Any]) -> None:
    deal["hands"][1].append(deal["boneyard"].pop())


def one_fewer(deal: dict[str, Any]) -> None:
    deal["boneyard"].append(deal["hands"][1].pop())


def missing(deal: dict[str, Any]) -> None:
    deal["boneyard"].pop()


def too_many_hands(deal: dict[str, Any]) -> None:
    deal["hands"].append([deal["boneyard"].pop() for _ in range(5)])


def too_few_hands(deal: dict[str, Any]) -> None:
    deal["boneyard"] += deal["hands"].pop()


def no_hands(deal: dict[str, Any]) -> None:
    del deal["hands"]


def starter(deal: dict[str, Any]) -> None:
    deal["starter"] = 0


def unknown_key(deal: dict[str, Any]) -> None:
    deal["hand"] = deal["hands"]


def put(name: str, value: Any, deal: dict[str, Any]) -> None:
    deal[name] = value


def put_tile(tile: Any, deal: dict[str, Any]) -> None:
    deal["boneyard"][3] = tile


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (twice, ["twice", "Tile("]),
        (one_more, ["5 tiles", "seat 1 has 6"]),
        (one_fewer, ["5 tiles", "seat 1 has 4"]),
        (missing, ["28 tiles", "names 27"]),
        (too_many_hands, ["2 players", "3"]),
        (too_few_hands, ["2 players", "1"]),
        (no_hands, ["needs 'hands'"]),
        (starter, ["block_draw", "leave 'starter' out"]),
        (unknown_key, ["'hand'", "did you mean 'hands'"]),
        *((partial(put, "hands", value), ["hands"]) for value in (None, 5, [None, None], [1, 2])),
        *((partial(put, "boneyard", value), ["boneyard"]) for value in (None, 5, 1.5)),
        *(
            (partial(put_tile, tile), [repr(tile)])
            for tile in (None, "", "7|7", "0|7", "3", "a|b", (7, 7), (0, -1), (1,), (1, 2, 3), 28)
        ),
        *(
            (partial(put_tile, tile), [repr(tile)])
            for tile in (-1, 1.0, True, (3.5, 5), (True, 1), (None, 1), (1, "x"), {}, b"1|2")
        ),
        *(
            (partial(put_tile, tile), ["tile"])
            for tile in ((float("inf"), 1), (float("nan"), 1), "9" * 5000 + "|1", 10**30)
        ),
    ],
)
def test_a_malformed_deal_is_a_bad_deal(
    batch: Batch, spoil: Callable[[dict[str, Any]], None], words: list[str]
) -> None:
    deal = a_deal(batch)
    spoil(deal)
    with refused(BadDeal, *words, batch=batch):
        batch.reset(options={"deal": deal})
    right = a_deal(batch)
    with refused(BadDeal, *words, batch=batch):
        batch.reset(seed=5, options={"deals": [right, deal, right]})


SYMBOLS = [(">6", 1), (">5", 2), ("+3", 6), ("*", 3), (2, 5)]
WAYS_TO_WRITE: list[Callable[[Any, Any], Any]] = [
    lambda first, second: (first, second),
    lambda first, second: [second, first],
    lambda first, second: Tile(first, second),
    lambda first, second: f"{first}|{second}",
    lambda first, second: f"{second}|{first}",
    lambda first, second: f" [{first} | {second}] ",
    lambda first, second: f"{first}-{second}",
    lambda first, second: actions.tile_number(TWISTED, (first, second)),
]


@pytest.mark.parametrize("write", WAYS_TO_WRITE)
def test_a_tile_with_a_symbol_may_be_written_in_many_ways(write: Callable[[Any, Any], Any]) -> None:
    batch = playing(TWISTED)
    deal = a_deal(batch)
    batch.reset(options={"deal": deal})
    before = batch.position()
    for pile in (*deal["hands"], deal["boneyard"]):
        pile[:] = [write(*tile) if tile in SYMBOLS else tile for tile in pile]
    batch.reset(options={"deal": deal})
    assert batch.position() == before


@pytest.mark.parametrize(
    "tile",
    [
        *(">7|1", ">6|2", ">6", ">6|", "|>6", "6>|1", ">|6", ">>6|1", "x6|1", "*|1", "*|*", "**|3"),
        *("*3|3", "+|3", "-3|6", ">6|1|1", "> 6|1", "0|1", "7|1"),
        *((">7", 1), (">6", "1"), ("6>", 1), ("*", 1), ("*",), ("*", 3, 3), (None, "*"), (1, 7)),
        *((True, ">6"), (1.0, ">6"), (b">6", 1), {">6", 1}, b">6|1", 32, -1),
    ],
)
def test_a_tile_that_is_not_listed_is_a_bad_deal(tile: Any) -> None:
    batch = playing(TWISTED)
    deal = a_deal(batch)
    put_tile(tile, deal)
    with refused(BadDeal, repr(tile), batch=batch):
        batch.reset(options={"deal": deal})


def test_a_deal_that_names_a_symbol_twice_is_a_bad_deal() -> None:
    batch = playing(TWISTED)
    deal = a_deal(batch)
    deal["boneyard"][:2] = ["*|3", (3, "*")]
    with refused(BadDeal, "twice", batch=batch):
        batch.reset(options={"deal": deal})


def test_a_tile_of_another_set_is_a_bad_deal() -> None:
    batch = playing("bendomino")
    deal = a_deal(batch)
    put_tile(">6|1", deal)
    with refused(BadDeal, "double_6", "'>6|1'", batch=batch):
        batch.reset(options={"deal": deal})


@pytest.mark.parametrize("variant", ["bendomino_all_five", "fundomino"])
def test_the_tiles_say_who_starts_a_curved_game(variant: str) -> None:
    batch = playing(variant)
    with refused(BadDeal, variant, "leave 'starter' out", batch=batch):
        batch.reset(options={"deal": {**a_deal(batch), "starter": 0}})


@pytest.mark.parametrize(
    "deal",
    [None, 5, "0|1", {}, [], [5], range(27), range(29), [0] * 28, np.arange(27), np.array(3)],
)
def test_what_is_no_deal_is_a_bad_deal(batch: Batch, deal: Any) -> None:
    with refused(BadDeal, batch=batch):
        batch.reset(options={"deal": deal})


@pytest.mark.parametrize("deals", [None, 5, [], [range(28)] * 2, [range(28)] * 4, "abc", {}])
def test_there_must_be_a_deal_for_each_lane(batch: Batch, deals: Any) -> None:
    with refused(BadDeal, "deal", batch=batch):
        batch.reset(options={"deals": deals})


@pytest.mark.parametrize("seat", [-1, 2, "0", True, 1.0, [0]])
def test_a_starter_who_does_not_sit_there_is_a_bad_deal(seat: Any) -> None:
    batch = playing("five_up", num_players=2)
    with refused(BadDeal, "starter", repr(seat), batch=batch):
        batch.reset(options={"deal": {**a_deal(batch), "starter": seat}})


NO_DOUBLE = sorted(
    domino_env.rules("block_draw").tile_set.faces, key=lambda tile: tile[0] == tile[1]
)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_deal_without_the_opening_double_is_a_bad_deal(threads: int) -> None:
    batch = playing(threads=threads)
    with refused(BadDeal, "block_draw", "again", "G3", batch=batch):
        batch.reset(options={"deal": NO_DOUBLE})
    right = a_deal(batch)
    for deals in ([NO_DOUBLE, right, right], [right, right, NO_DOUBLE], [right, NO_DOUBLE, right]):
        with refused(BadDeal, "block_draw", "again", batch=batch):
            batch.reset(seed=9, options={"deals": deals})


def nobody_can_follow() -> list[tuple[int, int]]:
    """Two hands in which nothing follows the 6|6, and a boneyard that is left alone."""
    tiles = domino_env.rules("block_draw").tile_set.faces
    without = [tile for tile in tiles if 6 not in tile]
    hands = [(6, 6), *without[:9]]
    return hands + [tile for tile in tiles if tile not in hands]


def test_a_deal_that_leaves_nobody_a_decision_is_a_bad_deal() -> None:
    rules = domino_env.rules("block_draw", draw=Draw(forced="none"))
    batch = domino_env.batch(rules, LANES, seed=0)
    batch.reset()
    batch.step(batch.sample())
    with refused(BadDeal, "block_draw", "again", "G5", batch=batch):
        batch.reset(options={"deal": nobody_can_follow()})


def test_a_refused_deal_is_no_first_reset() -> None:
    batch = domino_env.batch("block_draw", LANES, seed=0)
    with refused(BadDeal, batch=batch):
        batch.reset(options={"deals": [range(28), NO_DOUBLE, range(28)]})
    with refused(NotReset, batch=batch):
        batch.sample()
    fresh = domino_env.batch("block_draw", LANES, seed=0)
    batch.reset()
    fresh.reset()
    assert picture(batch) == picture(fresh)


# Saves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("saved", [None, "", "abc", 5, 1.5, [1, 2], True, np.arange(3), object()])
def test_what_is_no_bytes_is_a_bad_save(batch: Batch, saved: Any) -> None:
    with refused(BadSave, "bytes", type(saved).__name__, batch=batch):
        batch.restore(0, saved)


def test_a_save_that_has_been_cut_or_lengthened_is_a_bad_save(batch: Batch) -> None:
    saved = batch.save(0)
    for wrong in (b"", saved[:1], saved[:-1], saved[: len(saved) // 2], saved[4:], saved + b"\0"):
        with refused(BadSave, batch=batch):
            batch.restore(0, wrong)


def test_zeros_and_noise_of_the_right_length_are_bad_saves(batch: Batch) -> None:
    length, chance = len(batch.save(0)), random.Random(1)
    record = batch.state().dtype.itemsize
    for wrong in (bytes(length), bytes(record), chance.randbytes(length), chance.randbytes(record)):
        with refused(BadSave, batch=batch):
            batch.restore(0, wrong)


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("all_fives", {"num_players": 2}),
        ("bergen", {"num_players": 2}),
        ("fours", {"num_players": 4}),
        ("block_draw", {"num_players": 3}),
        ("block_draw", {"num_players": 4}),
    ],
)
def test_the_save_of_another_game_is_a_bad_save(
    batch: Batch, variant: str, options: dict[str, Any]
) -> None:
    other = playing(variant, **options)
    with refused(BadSave, batch=batch):
        batch.restore(0, other.save(0))


def test_the_save_of_a_house_rule_is_a_bad_save(batch: Batch) -> None:
    for changes in ({"hand_size": 6}, {"target": 50}):
        house = domino_env.batch(domino_env.rules("block_draw", **changes), LANES, seed=3)
        house.reset()
        with refused(BadSave, batch=batch):
            batch.restore(0, house.save(0))


def test_a_save_with_calls_is_a_bad_save_where_there_are_none() -> None:
    automatic, explicit = playing("all_fives"), playing("all_fives", calls="explicit")
    with refused(BadSave, batch=automatic):
        automatic.restore(0, explicit.save(0))


@pytest.mark.parametrize(
    "change", [{"calls": "explicit"}, {"game": "fundomino"}, {"num_players": 3}]
)
def test_a_save_of_other_twists_calls_or_seats_is_a_bad_save(change: dict[str, Any]) -> None:
    batch = playing(TWISTED)
    options: dict[str, Any] = {"game": TWISTED, **change}
    other = playing(options.pop("game"), **options)
    with refused(BadSave, batch=batch):
        batch.restore(0, other.save(0))


@pytest.mark.parametrize("place", [0, 7, -1])
def test_a_save_with_a_byte_changed_is_a_bad_save(batch: Batch, place: int) -> None:
    wrong = bytearray(batch.save(0))
    wrong[place] ^= 1
    with refused(BadSave, batch=batch):
        batch.restore(0, bytes(wrong))


# Ten thousand at random --------------------------------------------------------------------------

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
