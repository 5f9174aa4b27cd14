"""`Batch` does what its manual says: small games, worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.actions import Move, Tile, encode
from domino_env.batches import Batch
from domino_env.errors import BadAction, BadOption, IllegalMove
from tests.small_deals import SIX_OPENS, SMALL, action, deal, openings, play, small

# Arrays ------------------------------------------------------------------------------------------


def test_arrays_have_the_shapes_and_types_of_the_manual() -> None:
    batch = domino_env.batch("block_draw", 5, 3, seed=0)
    assert batch.num_actions == 28 * 2 * 2
    assert (batch.observation.shape, batch.observation.dtype) == ((5, batch.num_features), "f4")
    assert (batch.mask.shape, batch.mask.dtype) == ((5, 112), np.int8)
    assert (batch.seat.shape, batch.seat.dtype) == ((5,), np.int16)
    assert (batch.reward.shape, batch.reward.dtype) == ((5, 3), np.float32)
    assert (batch.done.shape, batch.done.dtype) == ((5,), np.bool_)
    assert (batch.legal.shape[0], batch.legal.dtype) == (5, np.int16)
    assert batch.legal.shape[1] == 16  # two ends with seven tiles each, and one to write beyond
    assert (batch.num_legal.shape, batch.num_legal.dtype) == ((5,), np.int32)
    assert (batch.num_games, batch.num_players) == (5, 3)
    assert batch.sample.__self__ is batch


def test_arrays_are_written_in_place() -> None:
    batch = domino_env.batch("block_draw", 4, seed=0)
    names = ("observation", "mask", "legal", "num_legal", "seat", "reward", "done")
    held = [getattr(batch, name) for name in names]
    batch.reset()
    first = batch.mask.copy()
    for _ in range(50):
        batch.step(batch.sample())
    batch.restore(1, batch.save(0))
    batch.reset()
    for name, array in zip(names, held, strict=True):
        assert getattr(batch, name) is array
    assert not np.array_equal(held[1], first)
    assert held[4].min() >= 0


def test_before_the_first_reset_nobody_is_to_move() -> None:
    batch = domino_env.batch("block_draw", 2, seed=0)
    assert batch.seat.tolist() == [-1, -1]
    assert not batch.mask.any()
    assert not batch.done.any()


def test_the_usual_number_of_players_is_the_first() -> None:
    assert domino_env.batch("block_draw", 1).num_players == 2
    assert domino_env.batch("fours", 1).num_players == 4


def test_a_batch_introduces_itself() -> None:
    batch = domino_env.batch("bergen", 4, 3)
    what, _, step = repr(batch).partition("; step: ")
    assert what == (
        f"<Batch of 4 games of bergen, 3 players, 112 actions, {batch.num_features} features"
    )
    assert step in ("object code for all rules>", "compiled here>", "plain Python>")


def test_mask_and_list_name_the_legal_moves() -> None:
    batch = small()
    expected = sorted([action(batch, "1|6", 0)])
    assert batch.seat.tolist() == [1]
    assert batch.mask[0].nonzero()[0].tolist() == expected
    assert batch.num_legal.tolist() == [1]
    assert batch.legal[0, :1].tolist() == expected
    assert expected == [encode(SMALL, Move("play", Tile(1, 6), 0, 1))]


# Sampling ----------------------------------------------------------------------------------------


def test_each_legal_move_is_as_likely() -> None:
    batch = Batch(domino_env.rules("block_draw", hand_size=4), 3000, 2, seed=1)
    hands = [["6|6", "0|0", "0|1", "0|2"], ["1|6", "2|6", "3|6", "1|1"]]
    batch.reset(options={"deal": deal(hands)})
    counts = np.unique(batch.sample(), return_counts=True)[1]
    assert len(counts) == 3
    assert abs(counts - 1000).max() < 5 * np.sqrt(3000 * 1 / 3 * 2 / 3)  # five deviations


def test_sampling_leaves_the_games_alone() -> None:
    one, two = (domino_env.batch("bergen", 3, seed=8) for _ in range(2))
    one.reset()
    two.reset()
    samples = [one.sample().tolist() for _ in range(20)]
    assert len({*map(tuple, samples)}) > 1
    one.reset()
    two.reset()
    assert openings(one) == openings(two)


def test_a_finished_lane_samples_minus_one() -> None:
    batch = small(autoreset=False)
    play(batch, ("1|6", 0), ("0|6", 1))
    assert batch.sample().tolist() == [-1]


# Autoreset ---------------------------------------------------------------------------------------


def two_lanes(**options: Any) -> Batch:
    """A batch whose lane 0 ends with its second move; lane 1 goes on."""
    batch = Batch(SMALL, 2, 2, **{"seed": 0, **options})
    longer = [["6|6", "0|0"], ["1|6", "5|5"]]
    batch.reset(options={"deals": [deal(SIX_OPENS), deal(longer)]})
    batch.step([action(batch, "1|6", 0)] * 2)
    other = int(batch.sample()[1])
    batch.step([action(batch, "0|6", 1), other])
    return batch


def test_with_autoreset_a_finished_lane_shows_its_next_game() -> None:
    batch = two_lanes()
    position = batch.position(0)
    assert batch.done.tolist() == [True, False]
    assert batch.reward.tolist() == [[10, -10], [0, 0]]
    assert batch.seat[0] >= 0
    assert batch.mask[0].any()
    assert not position.over
    assert (position.round, position.scores) == (1, [0, 0])
    batch.step(batch.sample())
    assert not batch.done[0] or batch.position(0).deal != position.deal


def test_the_next_game_of_a_lane_is_of_its_own_chances() -> None:
    alone = small()
    play(alone, ("1|6", 0), ("0|6", 1))
    assert str(two_lanes().position(0)) == str(alone.position())


def test_without_autoreset_a_finished_lane_takes_minus_one_and_stays() -> None:
    batch = two_lanes(autoreset=False)
    assert batch.done.tolist() == [True, False]
    assert batch.reward.tolist() == [[10, -10], [0, 0]]
    assert batch.seat[0] == -1
    before = batch.save(0)
    assert batch.sample()[0] == -1
    batch.step(batch.sample())
    assert batch.save(0) == before
    assert batch.reward[0].tolist() == [0, 0]
    assert batch.seat[0] == -1
    assert not batch.mask[0].any()


def test_a_reset_begins_every_lane_anew() -> None:
    batch = two_lanes(autoreset=False)
    batch.reset()
    assert not batch.done.any()
    assert not batch.reward.any()
    assert (batch.seat >= 0).all()


# Copies ------------------------------------------------------------------------------------------


def test_a_clone_goes_its_own_way() -> None:
    batch = small()
    twin = batch.clone()
    play(twin, ("1|6", 0))
    assert batch.position().played == [((6, 6), 0)]
    assert str(batch.position()) == str(small().position())
    play(batch, ("1|6", 0))
    assert twin.save(0) == batch.save(0)
    assert twin.observation.tobytes() == batch.observation.tobytes()


def test_a_clone_before_the_first_reset_is_a_batch_of_the_same_seed() -> None:
    batch = domino_env.batch("bergen", 2, seed=8)
    twin = batch.clone()
    batch.reset()
    twin.reset()
    assert openings(batch) == openings(twin)


def test_a_clone_keeps_all_options() -> None:
    batch = domino_env.batch(
        "all_fives", 2, 3, 5, 2, episode="match", reward="win", calls="explicit", autoreset=False
    )
    twin = batch.clone()
    assert (twin.setup, twin.num_games, twin.threads) == (batch.setup, 2, 2)
    assert twin.autoreset is False


def test_a_save_takes_a_game_back() -> None:
    batch = small()
    saved, seen = batch.save(0), batch.observation.copy()
    play(batch, ("1|6", 0), ("0|6", 1))
    batch.restore(0, saved)
    assert batch.save(0) == saved
    assert batch.observation.tobytes() == seen.tobytes()
    assert batch.done.tolist() == [False]
    assert batch.reward.tolist() == [[0, 0]]
    play(batch, ("1|6", 0), ("0|6", 1))
    assert batch.reward.tolist() == [[10, -10]]


def test_a_save_of_a_finished_game_is_a_finished_game() -> None:
    batch = small(autoreset=False)
    play(batch, ("1|6", 0), ("0|6", 1))
    saved = batch.save(0)
    batch.reset()
    batch.restore(0, saved)
    assert batch.seat.tolist() == [-1]
    assert batch.done.tolist() == [True]
    assert batch.position().winners == [0]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_a_save_goes_into_any_batch_of_the_same_rules_and_seats(kind: type[Any]) -> None:
    batch, other = small(), Batch(SMALL, 3, 2, seed=7, reward="win", threads=2)
    other.reset()
    other.restore(2, kind(batch.save(0)))
    assert str(other.position(2)) == str(batch.position())
    assert other.save(2) == batch.save(0)


def test_copies_of_the_state_are_equal_to_the_last_byte() -> None:
    """Also where the record has gaps: what lay in memory before must not show."""
    batch = domino_env.batch("block_draw", 3, seed=0)
    batch.reset()
    copies = []
    for filling in (90, 17):
        litter = np.full(batch.state().nbytes, filling, np.uint8)
        del litter
        copies.append(batch.state().tobytes())
    assert copies[0] == copies[1]


def test_a_copy_of_the_state_is_nobodys_state() -> None:
    batch = small()
    copy = batch.state()
    copy["hands"] = 0
    assert batch.position().hands == small().position().hands


# Looking -----------------------------------------------------------------------------------------


def test_a_position_is_a_snapshot() -> None:
    batch = small()
    position = batch.position()
    text = str(position)
    play(batch, ("1|6", 0))
    assert str(position) == text
    assert position.events != batch.position().events


def test_a_position_reads_as_a_table() -> None:
    batch = small()
    lines = str(batch.position()).splitlines()
    assert lines[0] == "Block & Draw, round 1"
    assert lines[2].split() == ["→", "seat", "1", "0", "points", "[1|6]", "[5|5]"]
    assert lines[-1].split("legal")[1].strip() == "[1|6] by 6 → end 0"


def test_any_seat_can_look_at_any_time() -> None:
    batch = small()
    start = next(
        sum(field.size for field in batch.fields[:number])
        for number, field in enumerate(batch.fields)
        if field.name == "hand"
    )
    for seat, hand in enumerate(batch.position().hands):
        held = batch.observe(0, seat)[start : start + 28].nonzero()[0].tolist()
        assert [tile for tile, _ in zip(held, hand, strict=True)] == [
            low * 7 - low * (low - 1) // 2 + high - low for low, high in hand
        ]
    assert batch.observe(0, 1).tobytes() == batch.observation[0].tobytes()


def test_what_is_observed_is_a_copy() -> None:
    batch = small()
    batch.observe(0, 1)[:] = 7
    assert batch.observation.max() <= 1


# Some lanes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["five_up", "fundomino", "solitaire"])
def test_a_step_of_some_lanes_leaves_the_others_as_they_are(variant: str) -> None:
    batch, alone = (domino_env.batch(variant, 8, seed=4) for _ in range(2))
    batch.reset()
    alone.reset()
    some = np.array([6, 1, 3])
    others = np.setdiff1d(np.arange(8), some)
    kept = [batch.save(lane) for lane in others]
    for _ in range(30):
        actions = batch.sample_some(some)
        batch.step(actions, some)
        taken = alone.sample()
        taken[some] = actions
        alone.step(taken)
        for lane in some:
            assert batch.save(lane) == alone.save(lane)
            assert np.array_equal(batch.observation[lane], alone.observation[lane])
            assert np.array_equal(batch.reward[lane], alone.reward[lane])
        assert [batch.save(lane) for lane in others] == kept
        assert not batch.reward[others].any()


def test_some_lanes_that_are_none_are_refused_and_nothing_has_changed() -> None:
    batch = domino_env.batch("block_draw", 4, seed=0)
    batch.reset()
    before = batch.state().tobytes()
    legal = batch.legal[:, 0].astype(np.int64)
    for lanes in ([4], [-1], ["a"], [0.5], [[0]]):
        with pytest.raises(BadOption, match="lanes are"):
            batch.step(legal[:1], lanes)  # type: ignore[arg-type]
    for actions in (legal, legal[:1], [0.5, 0.5], [-2, -2]):
        with pytest.raises(BadAction):
            batch.step(actions, np.array([1, 2]))
    with pytest.raises(BadAction):
        batch.step([-2] * 4)  # holding is not an action
    with pytest.raises(IllegalMove, match="lane 2"):
        batch.step([legal[1], int(np.argmin(batch.mask[2]))], np.array([1, 2]))
    assert batch.state().tobytes() == before


def test_lanes_can_be_restarted_and_observed_together() -> None:
    batch, twin = (domino_env.batch("matador", 6, seed=3, autoreset=False) for _ in range(2))
    batch.reset()
    twin.reset()
    lanes, seats = np.array([5, 0, 2]), np.array([0, 1, 1])
    seen = batch.observe_some(lanes, seats)
    for place in range(3):
        assert np.array_equal(seen[place], batch.observe(int(lanes[place]), int(seats[place])))
    batch.restart(lanes)
    for lane in lanes.tolist():
        twin.restart(lane)
    assert batch.state().tobytes() == twin.state().tobytes()
    batch.restart(np.array([], np.int64))
    assert batch.state().tobytes() == twin.state().tobytes()


def test_a_deal_given_in_the_middle_of_a_match_begins_with_nothing_banked() -> None:
    """The bonus of a round goes to who scored most in it (BN6), whatever was played before."""
    fresh, used = (
        domino_env.batch("bendomino_all_five", 1, 2, seed=0, episode="match", autoreset=False)
        for _ in range(2)
    )
    used.reset()
    while used.position(0).round < 4:
        used.step(used.sample())
    deal = np.random.default_rng(1).permutation(28).tolist()
    for batch in (fresh, used):
        batch.reset(options={"deal": deal})
    assert used.games["banked"][0].tolist() == fresh.games["banked"][0].tolist()
    while not fresh.done[0] and fresh.position(0).round == 1:
        assert str(used.position(0)) == str(fresh.position(0))
        action = int(fresh.legal[0, 0])
        for batch in (fresh, used):
            batch.step([action])
        assert used.reward.tolist() == fresh.reward.tolist()
