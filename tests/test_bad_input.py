"""Bad input: each kind has its own error, which says what to do, and nothing has changed by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import actions
from domino_env.actions import Move, Tile
from domino_env.batches import Batch
from domino_env.errors import (
    BadAction,
    BadOption,
    BadRules,
    GameOver,
    IllegalMove,
    NotReset,
    UnknownVariant,
)
from domino_env.ruleset import Draw, Layout, Opening, Rules
from tests.games import ALONE, AT_A_TABLE, TWISTS
from tests.refusals import LANES, TWISTED, playing, refused


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
def test_a_twist_of_another_game_is_answered_with_the_settings_that_it_names(
    variant: str, twist: str
) -> None:
    setting = "plays.by" if twist == "perfect_ten" else "turn."
    with refused(BadRules, f"{twist}=True", "is now", setting):
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
