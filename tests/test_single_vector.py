"""One-player games as a vector environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import domino_env
from domino_env.adapters.single import SingleVectorEnv
from domino_env.errors import BadAction, BadOption, IllegalMove, NotReset
from tests.games import ALONE
from tests.refusals import refused
from tests.single_games import SOON_CUT_OFF, as_text, every_variant, first, one, with_choices

STEPS = {"elimination": 1200, "solitaire": 450, "knock_out": 60}
"""Steps in which a few games of each are over."""


def many(variant: Any, num_envs: int, **options: Any) -> Any:
    """Games as Gymnasium makes a vector of them."""
    name = variant if isinstance(variant, str) else variant.id
    return gymnasium.make_vec(f"domino/{name}-v0", num_envs, **{"game": variant, **options})


@every_variant
def test_gymnasium_makes_a_vector_of_games(variant: str) -> None:
    env = many(variant, 5)
    assert isinstance(env, SingleVectorEnv)
    assert env.num_envs == env.batch.num_games == 5
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.single_observation_space == one(variant).observation_space
    assert env.single_action_space == one(variant).action_space
    observations, _ = env.reset(seed=0)
    assert env.observation_space.contains(observations)
    assert env.action_space.shape == (5,)


@every_variant
def test_lane_i_of_a_vector_is_the_game_of_seed_plus_i(variant: str) -> None:
    vector = many(variant, 4)
    observations, infos = vector.reset(seed=70)
    envs = [one(variant) for _ in range(4)]
    for lane, env in enumerate(envs):
        observation, info = env.reset(seed=70 + lane)
        assert np.array_equal(observations[lane], observation)
        assert np.array_equal(infos["action_mask"][lane], info["action_mask"])
    listed, _ = vector.reset(seed=[70, 5, 72, 5])
    assert np.array_equal(listed[[0, 2]], observations[[0, 2]])
    assert np.array_equal(listed[1], listed[3])


def pair(variant: Any, num_envs: int, **options: Any) -> tuple[Any, Any]:
    """Our vector, and Gymnasium's own of the single environments."""
    vector = many(variant, num_envs, **options)
    own = many(variant, num_envs, vectorization_mode="sync", **options)
    assert isinstance(own, SyncVectorEnv)
    assert own.metadata["autoreset_mode"] is vector.metadata["autoreset_mode"]
    return vector, own


def check_same(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> None:
    """Compares what two vectors have returned: values, types and infos."""
    for one_of_ours, one_of_theirs in zip(ours[:-1], theirs[:-1], strict=True):
        assert one_of_ours.dtype == one_of_theirs.dtype
        assert np.array_equal(one_of_ours, one_of_theirs)
    assert {*ours[-1]} == {*theirs[-1]}
    for name, value in theirs[-1].items():
        assert ours[-1][name].dtype == value.dtype
        assert np.array_equal(ours[-1][name], value)


@pytest.mark.parametrize("reward", ["points", "win"])
@pytest.mark.parametrize("variant", [*ALONE, SOON_CUT_OFF], ids=[*ALONE, "soon_cut_off"])
def test_a_vector_does_what_gymnasiums_own_does(variant: Any, reward: str) -> None:
    """Above all at the ends of games: what comes back of the last step, and of the next."""
    vector, own = pair(variant, 4, reward=reward)
    generator, ended, cut_off = np.random.default_rng(0), 0, 0
    check_same(vector.reset(seed=8), own.reset(seed=8))
    masks = vector.batch.mask.copy()
    for _ in range(STEPS[variant] if isinstance(variant, str) else 60):
        # A game that begins anew has an action too, which is not looked at.
        actions = np.array([generator.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks])
        found = vector.step(actions)
        check_same(found, own.step(actions))
        ended, cut_off = ended + found[2].sum(), cut_off + found[3].sum()
        masks = found[-1]["action_mask"].copy()
    assert ended + cut_off >= 8
    assert (cut_off > 0) == (variant not in ("elimination", "knock_out"))
    check_same(vector.reset(), own.reset())


def to_the_end(vector: Any) -> tuple[int, tuple[Any, ...]]:
    """Plays until a game is over; its lane, and what that step has returned."""
    while True:
        masks = vector.batch.mask
        found = vector.step(np.array([first(mask) for mask in masks]))
        if (found[2] | found[3]).any():
            return int(np.argmax(found[2] | found[3])), found


@every_variant
def test_a_game_that_has_ended_is_shown_at_its_end_and_begins_anew_in_the_next_step(
    variant: str,
) -> None:
    vector = many(variant, 3)
    vector.reset(seed=1)
    lane, (observations, _, _, _, infos) = to_the_end(vector)
    last = vector.batch.position(lane)
    assert last.over
    assert not infos["action_mask"][lane].any()
    actions = np.array([first(mask) for mask in vector.batch.mask])
    actions[lane] = -5  # whatever: it is not looked at
    seen, rewards, terminated, truncated, infos = vector.step(actions)
    assert (rewards[lane], terminated[lane], truncated[lane]) == (0.0, False, False)
    assert vector.batch.position(lane).events == []
    assert vector.batch.position(lane).deal != last.deal
    assert not np.array_equal(seen[lane], observations[lane])
    assert infos["action_mask"][lane].any()


@every_variant
def test_other_games_go_on_while_one_begins_anew(variant: str) -> None:
    """Lanes do not touch one another: each does what it does alone."""
    vector, alone = many(variant, 3), [many(variant, 1) for _ in range(3)]
    masks = vector.reset(seed=4)[1]["action_mask"]
    for lane, each in enumerate(alone):
        each.reset(seed=4 + lane)
    for _ in range(STEPS[variant] // 2):
        actions = np.array([first(mask) for mask in masks])
        found = vector.step(actions)
        for lane, each in enumerate(alone):
            theirs = each.step(actions[lane : lane + 1])
            for ours, his in zip(found[:4], theirs[:4], strict=True):
                assert np.array_equal(ours[lane], his[0])
        masks = found[4]["action_mask"]


def test_all_games_may_begin_anew_at_once() -> None:
    vector = many(domino_env.rules("solitaire", moves=1), 6)
    vector.reset(seed=0)
    for _ in range(5):
        found = vector.step(np.array([first(mask) for mask in vector.batch.mask]))
        assert (found[2] | found[3]).all()
        found = vector.step(np.full(6, 9))
        assert not np.array(found[1:4]).any()
        assert found[4]["action_mask"].any(1).all()


@every_variant
def test_a_reset_after_the_end_begins_every_game_at_once(variant: str) -> None:
    vector = many(variant, 3)
    vector.reset(seed=1)
    to_the_end(vector)
    start, _ = vector.reset(seed=1)
    assert np.array_equal(start, many(variant, 3).reset(seed=1)[0])
    seen, _, terminated, truncated, _ = vector.step([first(mask) for mask in vector.batch.mask])
    assert not np.array_equal(seen, start)
    assert (vector.batch.done == (terminated | truncated)).all()
    assert all(vector.batch.position(lane).events or variant == "elimination" for lane in range(3))


@every_variant
def test_what_a_vector_returns_stays_as_it_was(variant: str) -> None:
    vector = many(variant, 2)
    observations, infos = vector.reset(seed=2)
    kept = observations.copy(), infos["action_mask"].copy()
    found = vector.step(np.array([first(mask) for mask in infos["action_mask"]]))
    kept_too = [value.copy() for value in found[:4]]
    vector.step(np.array([first(mask) for mask in found[4]["action_mask"]]))
    assert np.array_equal(observations, kept[0])
    assert np.array_equal(infos["action_mask"], kept[1])
    assert all(map(np.array_equal, found[:4], kept_too))


@every_variant
def test_the_steps_of_a_vector_do_not_change_the_actions_given(variant: str) -> None:
    vector = many(variant, 3)
    vector.reset(seed=1)
    to_the_end(vector)
    actions = np.array([first(mask) for mask in vector.batch.mask])
    kept = actions.copy()
    vector.step(actions)
    assert np.array_equal(actions, kept)


@with_choices
def test_an_illegal_move_in_a_vector_raises_and_changes_nothing(variant: str) -> None:
    vector = many(variant, 3, illegal="raise")
    vector.reset(seed=0)
    actions = [first(mask) for mask in vector.batch.mask]
    actions[1] = int(np.argmin(vector.batch.mask[1]))
    with refused(IllegalMove, "lane 1", f"action {actions[1]}", batch=vector.batch):
        vector.step(np.array(actions))


@pytest.mark.parametrize(
    "actions",
    [
        [0],
        [0] * 4,
        0,
        [[0]] * 3,
        [0.7] * 3,
        ["0"] * 3,
        [None] * 3,
        [True] * 3,
        [-1] * 3,
        [10**6] * 3,
    ],
)
@every_variant
def test_what_are_no_actions_are_refused(variant: str, actions: Any) -> None:
    vector = many(variant, 3)
    vector.reset(seed=0)
    with refused(BadAction, "action", batch=vector.batch):
        vector.step(actions)


@every_variant
def test_too_few_actions_are_refused_where_a_game_begins_anew_too(variant: str) -> None:
    vector = many(variant, 3)
    vector.reset(seed=1)
    to_the_end(vector)
    for actions in ([], [0], [0] * 4):
        with refused(BadAction, "action", batch=vector.batch):
            vector.step(np.array(actions, np.int64))


@every_variant
def test_a_vector_is_rendered_as_texts_if_asked_for(variant: str) -> None:
    vector = many(variant, 2, render_mode="ansi")
    vector.reset(seed=0)
    assert vector.render() == tuple(as_text(vector.batch.position(lane)) for lane in range(2))
    assert many(variant, 2).render() is None


@every_variant
def test_wrong_options_of_a_vector_are_named(variant: str) -> None:
    with refused(BadOption, "reward", "'pips'"):
        SingleVectorEnv(variant, 2, reward="pips")
    with refused(BadOption, "render_mode", "'rgb'"):
        SingleVectorEnv(variant, 2, render_mode="rgb")
    with pytest.raises(BadOption, match="0"):
        SingleVectorEnv(variant, 0)
    with pytest.raises(NotReset, match="reset"):
        SingleVectorEnv(variant, 2).step(np.zeros(2, np.int64))
    with refused(BadOption, "2 lanes"):
        SingleVectorEnv(variant, 2).reset(seed=[1, 2, 3])


@every_variant
def test_seeds_of_a_vector_may_be_left_out_one_by_one(variant: str) -> None:
    """Gymnasium allows None in a list of seeds: that game goes on with its own chances."""
    vector, own = pair(variant, 3)
    check_same(vector.reset(seed=3), own.reset(seed=3))
    check_same(vector.reset(seed=[9, None, 9]), own.reset(seed=[9, None, 9]))


@every_variant
def test_a_vector_plays_given_deals(variant: str) -> None:
    vector, other = many(variant, 2), many(variant, 2)
    observations, _ = vector.reset(seed=1)
    deals = [vector.batch.position(lane).deal for lane in range(2)]
    seen, _ = other.reset(options={"deals": deals[::-1]})
    assert np.array_equal(seen, observations[::-1])
