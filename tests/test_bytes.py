"""Observations as bytes: the same games, seen in whole numbers that are floats once scaled."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.batches import Batch
from domino_env.belief import Belief
from domino_env.compiling import kernels
from domino_env.errors import BadOption
from domino_env.record import Recorder, replay, to_batch
from tests.games import ALONE, AT_A_TABLE
from tests.refusals import refused
from tests.solo_games import ways_to_play
from tests.test_observations import every_setting, permute_hidden, random_states

BYTES: dict[str, Any] = {"observation_dtype": "uint8"}
ROUNDING = 1e-6  # more than floats near 1 are apart (1.2e-7), and far less than two bytes
every_variant = pytest.mark.parametrize("variant", domino_env.variants())


def pair(game: Any, num_games: int = 16, **options: Any) -> tuple[Batch, Batch]:
    """The same games twice, seen as floats and as bytes."""
    given = {"seed": 5, **options}
    floats, as_bytes = Batch(game, num_games, **given), Batch(game, num_games, **given, **BYTES)
    floats.reset()
    as_bytes.reset()
    return floats, as_bytes


def playing(game: Any, steps: int, **options: Any) -> Iterator[tuple[Batch, Batch]]:
    """Both at every decision of random play."""
    both = pair(game, **options)
    for _ in range(steps):
        yield both
        actions = both[0].sample()
        for batch in both:
            batch.step(actions)


def check_alike(floats: Batch, as_bytes: Batch) -> None:
    """Bytes, scaled, are the floats wherever a byte can hold them; elsewhere the nearest byte."""
    seen, scale = as_bytes.observation, as_bytes.observation_scale
    exact = floats.observation / scale + as_bytes.observation_offset
    fits = (exact >= 0) & (exact <= 255)
    whole = fits & (np.abs(exact - np.rint(exact)) < 0.01)  # a step can be several points
    assert np.allclose(as_bytes.as_floats(seen)[whole], floats.observation[whole], 0, ROUNDING)
    assert (np.abs(seen[fits] - exact[fits]) < 0.51).all()
    assert (seen[~fits] == np.where(exact[~fits] < 0, 0, 255)).all()


def options_of(rules: Any) -> list[dict[str, Any]]:
    """Every number of players, and the ways in which a game is played."""
    ways: list[dict[str, Any]] = [{"num_players": players} for players in rules.players]
    if rules.has_matches:
        ways += [{**way, "episode": "match"} for way in ways]
    if rules.has_calls:
        ways += [{**way, "calls": "explicit"} for way in ways]
    return ways


# What they are ------------------------------------------------------------------------------------


@every_variant
def test_bytes_scaled_are_the_floats(variant: str) -> None:
    for options in options_of(domino_env.rules(variant)):
        for floats, as_bytes in playing(variant, 120, **options):
            assert as_bytes.observation.dtype == np.uint8
            check_alike(floats, as_bytes)
            for name in ("seat", "mask", "legal", "num_legal", "reward", "done"):
                assert np.array_equal(getattr(floats, name), getattr(as_bytes, name)), name


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_bytes_scaled_are_the_floats_with_other_sets_and_twists(variant: str) -> None:
    for setting in every_setting(variant):
        rules = domino_env.rules(variant, set=setting.set, **dict(setting.changes))
        options = {"num_players": setting.players, "episode": setting.episode}
        for both in playing(rules, 60, num_games=8, calls=setting.calls, **options):
            check_alike(*both)


@pytest.mark.parametrize("variant", ALONE)
def test_one_player_games_too_however_they_end(variant: str) -> None:
    for rules in ways_to_play(variant):
        for both in playing(rules, 250, num_games=8):
            check_alike(*both)


@every_variant
def test_what_is_0_or_1_has_a_scale_of_1(variant: str) -> None:
    floats, as_bytes = pair(variant)
    assert np.array_equal(floats.observation_scale, np.ones(floats.num_features))
    assert not floats.observation_offset.any()
    start = 0
    for field in as_bytes.fields:
        place = slice(start, start + field.size)
        start += field.size
        assert (as_bytes.observation_scale[place] == np.float32(field.scale)).all()
        assert (as_bytes.observation_offset[place] == field.offset).all()
        if " / " not in field.meaning and "unknown tiles" not in field.meaning:
            assert (field.scale, field.offset) == (1, 0), field
        else:
            assert 0 < field.scale <= 1, field


@every_variant
def test_any_seat_of_any_lane_sees_the_same(variant: str) -> None:
    floats, as_bytes = pair(variant, 4)
    for seat in range(floats.num_players):
        seen = as_bytes.observe(2, seat)
        assert seen.dtype == np.uint8
        assert np.allclose(as_bytes.as_floats(seen), floats.observe(2, seat), 0, ROUNDING)
        several = as_bytes.observe_some([2, 0], [seat, seat])
        assert several.dtype == np.uint8
        assert several[0].tobytes() == seen.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_hidden_tiles_permuted_leave_bytes_alone(variant: str) -> None:
    chance = random.Random(variant)
    moved = 0
    for setting in every_setting(variant):
        for batch in random_states(setting, 4, looks=2, seed=chance.randrange(2**32), **BYTES):
            for lane in range(batch.num_games):
                kept = batch._games[lane : lane + 1].copy()
                for seat in range(batch.num_players):
                    before = batch.observe(lane, seat)
                    moved += permute_hidden(batch, lane, seat, chance)
                    assert batch.observe(lane, seat).tobytes() == before.tobytes()
                    batch._games[lane : lane + 1] = kept
    assert moved > 300


def test_as_floats_of_floats_is_the_same_array() -> None:
    floats, as_bytes = pair("block_draw")
    assert floats.as_floats(floats.observation) is floats.observation
    seen = as_bytes.observation.copy()
    assert as_bytes.as_floats(as_bytes.observation).dtype == np.float32
    assert as_bytes.observation.tobytes() == seen.tobytes(), "and bytes stay as they are"


@pytest.mark.parametrize("given", [None, [1, 2], np.zeros(126), np.zeros(125, np.uint8), "uint8"])
def test_only_observations_of_a_batch_are_scaled(given: Any) -> None:
    batch = pair("block_draw", 1)[1]
    with refused(BadOption, "an array of uint8 with 126 in its last axis", batch=batch):
        batch.as_floats(given)


# What does not fit --------------------------------------------------------------------------------


def with_scores(game: Any, scores: list[int], **options: Any) -> tuple[Batch, Any]:
    """A batch of one as bytes, after its scores have been changed; and the scores it shows."""
    batch = Batch(game, 1, 2, seed=0, episode="match", **options, **BYTES)
    batch.reset()
    batch._games["scores"][0, :2] = scores
    batch._show_anew()
    places, start = [], 0
    for field in batch.fields:
        if field.name.endswith(".score"):
            places.append(start)
        start += field.size
    order = [0, 1] if batch.seat[0] == 0 else [1, 0]
    return batch, batch.observation[0][places][order].tolist()


@pytest.mark.parametrize(
    ("scores", "shown"),
    [([0, 1], [0, 1]), ([254, 255], [254, 255]), ([256, 100_000], [255, 255]), ([-1, 9], [0, 9])],
)
def test_points_stop_at_the_last_byte_and_never_wrap(scores: list[int], shown: list[int]) -> None:
    assert with_scores("block_draw", scores)[1] == shown


def test_points_that_are_only_lost_count_down_from_the_last_byte() -> None:
    assert with_scores("yourturnmyturn", [0, -1])[1] == [255, 254]
    assert with_scores("yourturnmyturn", [-255, -256])[1] == [0, 0]
    assert with_scores("yourturnmyturn", [-100_000, 3])[1] == [0, 255]


def test_a_higher_target_has_larger_steps_and_points_go_to_the_nearest() -> None:
    house = domino_env.rules("block_draw", target=500)
    batch, shown = with_scores(house, [3, 500])
    assert shown == [2, 250]
    scale = next(field.scale for field in batch.fields if field.name == "own.score")
    assert scale == pytest.approx(2 / 500)
    assert with_scores(house, [510, 511])[1] == [255, 255]


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_every_match_fits_until_its_target_is_reached(variant: str) -> None:
    """So saturation is for what hardly matters any more: points past the target."""
    rules = domino_env.rules(variant)
    batch = Batch(variant, 256, seed=1, episode="match", **BYTES)
    batch.reset()
    field = next(field for field in batch.fields if field.name == "own.score")
    rounds = (rules.most_rounds or 1) if rules.has_round_doubles else 0
    step = max(1, -(-10 * rules.max_pip * rounds // 255), -(-(rules.target or 0) // 255))
    point = step * batch.rule_table["per_point"][0]
    assert field.scale == pytest.approx(point), "a byte is a point, or a few"
    for _ in range(400):
        batch.step(batch.sample())
        scores = batch.games["scores"][:, : batch.num_players]
        least, most = -field.offset * step, (255 - field.offset) * step
        kept = np.clip(scores, least, most)
        assert ((kept == scores) | (scores > (rules.target or np.inf))).all()


def test_rounds_and_moves_stop_at_the_last_byte() -> None:
    batch = Batch("block_draw", 1, seed=0, episode="match", **BYTES)
    batch.reset()
    for number, shown in ((1, 0), (256, 255), (257, 255), (2**30, 255)):
        batch._games["round_number"] = number
        batch._show_anew()
        assert batch.observation[0, -1] == shown
    alone = Batch(domino_env.rules("solitaire", moves=1000), 1, seed=0, **BYTES)
    alone.reset()
    for number in (255, 256, 999):
        alone._games["moves"] = number
        alone._show_anew()
        assert alone.observation[0, -1] == 255


# Options, copies, saves ---------------------------------------------------------------------------


@pytest.mark.parametrize("given", ["uint8", np.uint8, np.dtype(np.uint8)])
def test_the_dtype_is_named_as_numpy_names_it(given: Any) -> None:
    batch = Batch("block_draw", 2, observation_dtype=given)
    assert batch.observation_dtype == np.uint8
    assert "126 features as bytes; step: " in repr(batch)
    assert "features; step: " in repr(Batch("block_draw", 2))


@pytest.mark.parametrize(
    "given", ["float64", "uint", "int8", "bfloat16", "", None, 8, float, [np.uint8], "uint8,uint8"]
)
def test_other_dtypes_are_refused_in_a_line(given: Any) -> None:
    with refused(BadOption, f"observation_dtype must be one of float32, uint8, not {given!r}"):
        Batch("block_draw", 2, observation_dtype=given)


def test_the_dtype_stays() -> None:
    batch = Batch("block_draw", 2, **BYTES)
    with pytest.raises(AttributeError, match="keeps its observation_dtype"):
        batch.observation_dtype = np.dtype(np.float32)


@every_variant
def test_copies_are_bytes_with_the_same_future(variant: str) -> None:
    batch = pair(variant, 4)[1]
    copies = [
        batch.clone(),
        pickle.loads(pickle.dumps(batch)),
        copy.deepcopy(batch),
        copy.copy(batch),
    ]
    batch.as_floats(batch.observation)  # and then with the scales that it keeps
    copies.append(pickle.loads(pickle.dumps(batch)))
    for _ in range(10):
        actions = batch.sample()
        for each in (batch, *copies):
            each.step(actions)
            assert each.observation.tobytes() == batch.observation.tobytes()
            assert each.observation.dtype == np.uint8


@every_variant
def test_saves_are_of_the_game_and_go_between_both(variant: str) -> None:
    floats, as_bytes = pair(variant, 2)
    assert floats.save(0) == as_bytes.save(0)
    actions = floats.sample()
    floats.step(actions)
    as_bytes.restore(1, floats.save(0))
    check_alike_rows(floats, 0, as_bytes, 1)
    floats.restore(0, as_bytes.save(0))
    check_alike_rows(floats, 0, as_bytes, 0)


def check_alike_rows(floats: Batch, one: int, as_bytes: Batch, other: int) -> None:
    scaled = as_bytes.as_floats(as_bytes.observation[other])
    assert np.allclose(scaled, floats.observation[one], 0, ROUNDING)


@pytest.mark.parametrize("variant", ["block_draw", "solitaire"])
def test_threads_deals_and_autoreset_are_alike(variant: str) -> None:
    for options in ({"threads": 2}, {"autoreset": False}):
        for floats, as_bytes in playing(variant, 30, **options):
            if (floats.seat >= 0).any():
                check_alike(floats, as_bytes)
            if not floats.autoreset and (floats.seat < 0).any():
                break
    floats, as_bytes = pair(variant, 1)
    deal = floats.position(0).deal
    as_bytes.reset(options={"deal": deal})
    floats.reset(options={"deal": deal})
    check_alike(floats, as_bytes)


@pytest.mark.slow
def test_specialised_code_is_made_for_bytes_too() -> None:
    rules = domino_env.rules("block_draw", hand_size=4)
    own, general = (
        Batch(rules, 8, seed=0, specialize=special, **BYTES) for special in (True, False)
    )
    own.reset()
    general.reset()
    if not kernels.UNCOMPILED and "object code" in repr(general):
        assert "compiled here for these rules" in repr(own)
    for _ in range(100):
        actions = own.sample()
        own.step(actions)
        general.step(actions)
        assert own.observation.tobytes() == general.observation.tobytes()


# Agents, beliefs, records -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", agents.names())
def test_every_agent_plays_on_bytes_as_it_does_on_floats(name: str) -> None:
    options: dict[str, Any] = {"worlds": 8} if name in ("pimc", "search") else {}
    game = next(
        each
        for each in domino_env.variants()
        if agents.plays(agents.make(name, **options), domino_env.rules(each))
    )
    one, other = (agents.make_seeded(name, seed=1, **options) for _ in range(2))
    floats, as_bytes = pair(game, 4)
    lanes = np.arange(4)
    for _ in range(12):
        actions = one.act(floats, lanes)
        assert np.array_equal(other.act(as_bytes, lanes), actions)
        floats.step(actions)
        as_bytes.step(actions)


def test_worlds_of_bytes_are_bytes() -> None:
    floats, as_bytes = pair("all_fives", 2)
    worlds = [Belief(batch, seed=3).new_worlds(4) for batch in (floats, as_bytes)]
    for batch, each in zip((floats, as_bytes), worlds, strict=True):
        Belief(batch, seed=3).fill(each, np.arange(2), batch.seat)
    assert worlds[1].observation.dtype == np.uint8
    check_alike(*worlds)


def test_a_record_is_replayed_in_bytes() -> None:
    batch = Batch("five_up", 1, seed=0, autoreset=False, **BYTES)
    batch.reset()
    recorder = Recorder(batch)
    while batch.seat[0] >= 0:
        action = int(batch.sample()[0])
        batch.step_one(action)
        recorder.note(action)
    for step in replay(recorder.record, **BYTES):
        assert step.batch.observation.dtype == np.uint8
    ended = to_batch(recorder.record, **BYTES)
    assert ended.observation.tobytes() == batch.observation.tobytes()
    assert to_batch(recorder.record).observation.dtype == np.float32


def test_warm_up_takes_the_dtype() -> None:
    domino_env.warm_up("block_draw", **BYTES)
    with refused(BadOption, "observation_dtype must be one of float32, uint8, not 'int8'"):
        domino_env.warm_up("block_draw", observation_dtype="int8")
