"""One-player games in a batch: lanes and threads, deals, moves and actions."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import actions
from domino_env.actions import Move, Tile
from domino_env.errors import (
    BadAction,
    BadDeal,
    BadOption,
    BadRules,
    BadSave,
    GameOver,
    IllegalMove,
    NotReset,
)
from tests.games import ALONE
from tests.refusals import refused
from tests.solo_games import (
    COLUMNS,
    WHOLE_SET,
    at_the_end_of,
    every_variant,
    look,
    most_decisions,
    playing,
)
from tests.test_states import LANES, is_over, shown

# A batch and its lanes ----------------------------------------------------------------------------


@every_variant
def test_the_threads_that_share_the_lanes_make_no_difference(variant: str) -> None:
    one, three = (
        domino_env.batch(variant, 50, seed=5, threads=threads, reward="points")
        for threads in (1, 3)
    )
    for batch in (one, three):
        batch.reset()
    for _ in range(150):
        taken = one.sample()
        assert three.sample().tolist() == taken.tolist()
        one.step(taken)
        three.step(taken)
        assert one.reward.tobytes() == three.reward.tobytes()
        assert one.truncated.tolist() == three.truncated.tolist()
    for lane in range(50):
        assert shown(one, lane) == shown(three, lane)


@every_variant
def test_a_finished_lane_is_dealt_again_as_reset_would(variant: str) -> None:
    """With autoreset a lane goes on with its own generator, as without it after `reset`."""
    going = domino_env.batch(variant, 8, seed=11)
    alone = [domino_env.batch(variant, 1, seed=11 + lane, autoreset=False) for lane in range(8)]
    for batch in (going, *alone):
        batch.reset()
    episodes = 0
    for _ in range(700 if variant == "elimination" else 250):
        taken = going.sample()
        going.step(taken)
        for lane, game in enumerate(alone):
            game.step(taken[lane : lane + 1])
            assert going.reward[lane].tolist() == game.reward[0].tolist()
            assert going.done[lane] == game.done[0]
            assert going.truncated[lane] == game.truncated[0]
            if game.done[0]:
                episodes += 1
                game.reset()
            assert going.observation[lane].tobytes() == game.observation[0].tobytes()
            assert going.mask[lane].tobytes() == game.mask[0].tobytes()
    assert episodes >= 8


@every_variant
def test_a_finished_lane_stays_and_takes_only_minus_one(variant: str) -> None:
    batch = domino_env.batch(variant, 2, seed=0, autoreset=False)
    batch.reset()
    while not is_over(batch):
        ended = batch.done.copy()
        before = [shown(batch, lane) for lane in range(2)]
        batch.step(batch.sample())
        for lane in np.flatnonzero(ended).tolist():
            assert shown(batch, lane) == before[lane]
            assert batch.reward[lane, 0] == 0
    assert not batch.mask.any()
    assert batch.seat.tolist() == batch.sample().tolist() == [-1, -1]
    with refused(GameOver, "reset()", batch=batch):
        batch.step([0, 0])
    batch.restart(1)
    with refused(GameOver, "lane 0 is over", batch=batch):
        batch.step([0, int(batch.legal[1, 0])])


@every_variant
def test_the_win_is_paid_once_and_at_the_end(variant: str) -> None:
    batch = domino_env.batch(variant, 64, seed=3, reward="win", autoreset=False)
    batch.reset()
    paid = np.zeros(64)
    for _ in range(most_decisions(batch.rules)):
        if is_over(batch):
            break
        lasting = batch.seat >= 0
        batch.step(batch.sample())
        assert not batch.reward[lasting & ~batch.done].any()
        paid += batch.reward[:, 0]
    assert paid.tolist() == [1 if look(batch, lane).won else -1 for lane in range(64)]


@every_variant
def test_a_seed_gives_the_same_deal_and_another_seed_another(variant: str) -> None:
    deals = []
    for seed in (4, 4, 5):
        batch = domino_env.batch(variant, 1, seed=seed)
        batch.reset()
        deals.append(look(batch).deal)
    assert deals[0] == deals[1] != deals[2]
    batch.reset(seed=4)
    assert look(batch).deal == deals[0]
    batch.reset()
    assert look(batch).deal != deals[0]


@every_variant
def test_every_tile_is_dealt_everywhere_and_either_way(variant: str) -> None:
    batch = domino_env.batch(variant, 4000, seed=0)
    batch.reset()
    deals = batch.events[:, :28]
    for place in range(28):
        seen = Counter(deals[:, place].tolist())
        assert len(seen) == 56  # 28 tiles, either way
        assert max(seen.values()) < 4 * min(seen.values()) + 40


@pytest.mark.parametrize("variant", ["solitaire", "knock_out"])
def test_a_deal_with_nothing_to_do_is_dealt_again(variant: str) -> None:
    """About one deal of Knock-Out in 35 has no pair, and one of Solitaire in 1000 no move (G5)."""
    batch = domino_env.batch(variant, 3000, seed=2)
    batch.reset()
    assert (batch.num_legal > 0).all()


# Deals -------------------------------------------------------------------------------------------


WRITTEN = [
    lambda tile: tile,
    lambda tile: (int(tile[0]), int(tile[1])),
    list,
    lambda tile: f"{tile[0]}|{tile[1]}",
    lambda tile: f"{tile[0]}-{tile[1]}",
    lambda tile: f" [{tile[0]}|{tile[1]}] ",
]


@every_variant
@pytest.mark.parametrize("write", WRITTEN)
def test_a_deal_may_be_written_in_many_ways(variant: str, write: Any) -> None:
    batch = playing(variant, 0)
    deal = look(batch).deal
    again = domino_env.batch(variant, 1, seed=8)
    again.reset(options={"deal": [write(tile) for tile in deal]})
    assert look(again).deal == deal
    assert again.observation.tobytes() == batch.observation[0].tobytes()
    assert again.mask.tobytes() == batch.mask[0].tobytes()


@every_variant
def test_a_deal_may_be_an_array_and_each_lane_may_have_its_own(variant: str) -> None:
    batch = playing(variant, 0)
    deals = [look(batch, lane).deal for lane in range(LANES)]
    again = domino_env.batch(variant, LANES, seed=8)
    again.reset(options={"deals": [np.array(deal) for deal in reversed(deals)]})
    assert [look(again, lane).deal for lane in range(LANES)] == deals[::-1]
    again.reset(options={"deal": tuple(deals[0])})
    assert [look(again, lane).deal for lane in range(LANES)] == deals[:1] * LANES


def test_the_way_that_a_tile_is_dealt_is_the_way_that_it_lies() -> None:
    tiles = [(high, low) for low, high in reversed(WHOLE_SET)]
    tiles.remove((4, 3))
    tiles.insert(tiles.index((5, 4)), (3, 4))  # a pair for Knock-Out needs a tile the other way
    tiles[tiles.index((5, 4))] = (4, 5)
    for variant in ALONE:
        batch = domino_env.batch(variant, 1, seed=0)
        batch.reset(options={"deal": tiles})
        lying = look(batch).row or [tile for column in look(batch).columns for tile in column]
        assert lying == tiles


def test_elimination_is_the_same_with_other_tiles_of_as_many_pips() -> None:
    """Whichever way they lie (EL1)."""
    chance = random.Random(1)
    batch = playing("elimination", 0, autoreset=False)
    other = domino_env.batch("elimination", LANES, autoreset=False)
    deals = [look(batch, lane).deal for lane in range(LANES)]
    exchanged = [exchange_alike(deal, chance) for deal in deals]
    assert all(one != two for one, two in zip(deals, exchanged, strict=True))
    other.reset(options={"deals": exchanged})
    while not is_over(batch):
        assert batch.observation.tobytes() == other.observation.tobytes()
        taken = batch.sample()
        batch.step(taken)
        other.step(taken)
        assert batch.reward.tolist() == other.reward.tolist()
    assert is_over(other)


def exchange_alike(deal: list[Tile], chance: random.Random) -> list[Tile]:
    """The deal with its tiles put where others of as many pips were, and turned."""
    alike = {pips: [tile for tile in deal if tile.pips == pips] for pips in range(13)}
    for tiles in alike.values():
        chance.shuffle(tiles)
    return [Tile(*reversed(alike[tile.pips].pop())) for tile in deal]


SET = [f"{low}|{high}" for low, high in WHOLE_SET]


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        ([*SET[:-1], SET[0]], ["'0|0'", "twice"]),
        ([*SET[:-1], "1|0"], ["'1|0'", "twice"]),
        (SET[:-1], ["28 tiles", "27"]),
        ([*SET, "6|6"], ["twice"]),
        ([], ["28 tiles", "names 0"]),
        ([*SET[:-1], "6|7"], ["no tile", "'6|7'"]),
        ([*SET[:-1], (3,)], ["(3,)", "(3, 5)"]),
        ([*SET[:-1], None], ["None", "(3, 5)"]),
        ([*SET[:-1], "six"], ["'six'", "(3, 5)"]),
        ([*SET[:-1], 27], ["27", "one way or the other"]),
        (list(range(28)), ["one way or the other"]),
        (" ".join(SET), ["order of all tiles"]),
        ({"hands": [SET[:7]], "boneyard": SET[7:]}, ["order of all tiles"]),
        (None, ["order of all tiles", "None"]),
        (5, ["order of all tiles", "5"]),
    ],
)
@every_variant
def test_a_deal_that_is_none_is_refused(variant: str, deal: Any, words: list[str]) -> None:
    batch = playing(variant)
    with refused(BadDeal, *words, batch=batch):
        batch.reset(options={"deal": deal})


def test_a_deal_that_leaves_nothing_to_do_is_refused() -> None:
    """No tile of the row matches its neighbour; no lowest tile matches another (G5)."""
    first = [tile for low in range(7) for tile in SET if tile[0] == str(low) and tile[2] > tile[0]]
    row = first + [f"{number}|{number}" for number in range(7)]
    batch = playing("knock_out")
    with refused(BadDeal, "knock_out", "Give another deal", batch=batch):
        batch.reset(options={"deal": row})
    lowest = ["0|3", "0|4", "0|5", "0|6", "1|3", "1|4", "1|5"]
    rest = iter([tile for tile in SET if tile not in lowest])
    deal = []
    for tile, length in zip(lowest, range(COLUMNS, 0, -1), strict=True):
        deal += [*(next(rest) for _ in range(length - 1)), tile]
    batch = playing("solitaire")
    with refused(BadDeal, "solitaire", "Give another deal", batch=batch):
        batch.reset(options={"deal": deal})
    batch = playing("elimination")
    batch.reset(options={"deal": row})  # there is always something to count (EL1)


@every_variant
def test_deals_for_more_or_fewer_lanes_than_there_are_are_refused(variant: str) -> None:
    batch = playing(variant)
    with refused(BadDeal, "3 lanes", "2", batch=batch):
        batch.reset(options={"deals": [look(batch).deal] * 2})


# Moves and actions --------------------------------------------------------------------------------


@every_variant
def test_every_action_is_the_move_it_names_and_no_other(variant: str) -> None:
    size = actions.size(variant)
    assert size == playing(variant).num_actions
    moves = [actions.decode(variant, action) for action in range(size)]
    assert [actions.encode(variant, move) for move in moves] == [*range(size)]
    assert len({*map(str, moves)}) == size


@every_variant
def test_a_number_that_is_no_action_is_refused(variant: str) -> None:
    batch = playing(variant)
    last = batch.num_actions - 1
    for action in (-1, last + 1, 10**6):
        with refused(BadAction, f"0 to {last}", action):
            actions.decode(variant, action)
        with refused(BadAction, f"0 to {last}", action, batch=batch):
            batch.step([action] * LANES)
    for action in (0.0, "0", None, True):
        with refused(BadAction, repr(action)):
            actions.decode(variant, action)  # type: ignore[arg-type]
    for taken in ([0], [0.0] * LANES, ["0"] * LANES, 0, [[0] * LANES]):
        with pytest.raises(BadAction):
            batch.step(taken)


@pytest.mark.parametrize(
    ("variant", "move", "words"),
    [
        ("elimination", Move("knock", place=1), ["elimination", "'knock'", "go_on"]),
        ("elimination", Move("go on"), ["'go on'", "did you mean 'go_on'"]),
        ("knock_out", Move("stop"), ["knock_out", "'stop'"]),
        ("knock_out", Move("knock"), ["0 to 26", "None"]),
        ("knock_out", Move("knock", place=27), ["0 to 26", "27"]),
        ("knock_out", Move("knock", place=-1), ["0 to 26", "-1"]),
        ("solitaire", Move("go_on"), ["solitaire", "'go_on'"]),
        ("solitaire", Move("move", Tile(0, 1), place=7), ["0 to 6", "7"]),
        ("solitaire", Move("move", Tile(0, 1), place=True), ["0 to 6", "True"]),
        ("solitaire", Move("move", Tile(0, 7), place=1), ["no tile 0|7"]),
        ("solitaire", Move("move", place=1), ["uppermost tile"]),
        ("solitaire", Move("play", Tile(0, 1), 0, 0), ["'play'"]),
    ],
)
def test_a_move_that_a_game_has_not_is_refused(variant: str, move: Move, words: list[str]) -> None:
    with refused(BadAction, *words):
        actions.encode(variant, move)


def test_a_tile_of_a_move_may_be_named_either_half_first() -> None:
    one = actions.encode("solitaire", Move("move", Tile(5, 2), place=3))
    assert one == actions.encode("solitaire", Move("move", Tile(2, 5), place=3))
    assert actions.decode("solitaire", one).tile == (2, 5)


@pytest.mark.parametrize("variant", ["solitaire", "knock_out"])
def test_a_move_that_is_not_legal_is_refused_and_says_what_is(variant: str) -> None:
    batch = playing(variant, steps=1)
    illegal = int(np.flatnonzero(batch.mask[1] == 0)[0])
    taken = batch.sample()
    taken[1] = illegal
    position = look(batch, 1)
    words = [str(actions.decode(variant, illegal)), f"action {illegal}"]
    with refused(IllegalMove, "lane 1", *words, *position.legal, batch=batch):
        batch.step(taken)


def test_no_action_of_columns_but_the_legal_ones_is_taken() -> None:
    batch = at_the_end_of("solitaire/one_column_and_the_whole_bonus", before=3)
    for action in range(batch.num_actions):
        if not batch.mask[0, action]:
            with pytest.raises(IllegalMove):
                batch.step([action])
    assert look(batch).legal == look(at_the_end_of("solitaire/stopped_at_once", before=2)).legal


@every_variant
def test_options_that_a_game_for_one_has_not_are_refused(variant: str) -> None:
    for option, word in (
        ({"num_players": 2}, "1 players"),
        ({"episode": "match"}, "not played in matches"),
        ({"calls": "explicit"}, "nothing to call"),
        ({"reward": "pips"}, "margin, points, win"),
    ):
        with refused(BadOption, word):
            domino_env.batch(variant, 1, **option)
    with refused(NotReset, "reset()"):
        domino_env.batch(variant, 1).step([0])


def test_moves_limit_columns_and_nothing_else() -> None:
    for moves in (0, -1, 10_001, 2.5, "9", True, None):
        with refused(BadRules, "moves", repr(moves)):
            domino_env.rules("solitaire", moves=moves)
    for variant in ("elimination", "knock_out"):
        with refused(BadRules, "moves", "not 5"):
            domino_env.rules(variant, moves=5)
    assert domino_env.rules("solitaire", moves=10_000).moves == 10_000


@every_variant
def test_a_save_of_another_game_is_refused(variant: str) -> None:
    batch = playing(variant)
    for other in ALONE:
        if other != variant:
            with refused(BadSave, variant, batch=batch):
                batch.restore(0, playing(other).save(0))
    damaged = bytearray(batch.save(0))
    damaged[-1] ^= 1
    with refused(BadSave, "damaged", batch=batch):
        batch.restore(0, bytes(damaged))


def test_a_game_with_fewer_moves_has_other_saves() -> None:
    batch = playing("solitaire")
    with refused(BadSave, "solitaire", batch=batch):
        batch.restore(0, playing(domino_env.rules("solitaire", moves=100)).save(0))
