"""The PettingZoo environment: its own checkers, and what they do not look at."""

import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

import domino_env
from domino_env.actions import tile_number
from domino_env.engine.log import NAMES
from domino_env.engine.recall import DEALT
from domino_env.engine.state import ANSWERS
from domino_env.errors import BadOption, GameOver, IllegalMove, NotReset
from domino_env.position import Event, Position
from domino_env.ruleset import LISTED
from tests.games import AT_A_TABLE, TWISTS

VARIANTS = AT_A_TABLE

# PettingZoo warns about every dict observation, and about negative numbers in what could be a
# picture: penalties are points below zero.
EXPECTED_WARNINGS = (
    "Observation space for each agent probably should be gymnasium.spaces.box",
    "Observation is not a NumPy array",
    "The observation contains negative numbers and is in the shape of a graphical observation",
)


def play(env: Any, seed: int, choose: Any = None) -> list[tuple[str, int, dict[str, float]]]:
    """One episode of random play: who moved, what, and the rewards of that step."""
    generator = np.random.default_rng(seed)
    env.reset(seed=seed)
    told = []
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        action = int(generator.choice(legal))
        env.step(action)
        told.append((agent, action, dict(env.rewards)))
    return told


@pytest.mark.slow
@pytest.mark.parametrize("observation", ["features", "history"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_finds_nothing_wrong(variant: str, observation: str, capsys: Any) -> None:
    for players in domino_env.rules(variant).players:
        env = domino_env.aec(variant, num_players=players, observation=observation)
        with warnings.catch_warnings():
            for expected in EXPECTED_WARNINGS:
                warnings.filterwarnings("ignore", message=expected)
            api_test(env, num_cycles=100)


@pytest.mark.parametrize("observation", ["features", "history"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_finds_nothing_wrong_with_masks_in_info_alone(
    variant: str, observation: str, capsys: Any
) -> None:
    env = domino_env.aec(variant, observation=observation, action_mask="info")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=EXPECTED_WARNINGS[-1])
        api_test(env, num_cycles=100)


@pytest.mark.parametrize("observation", ["features", "history"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_with_masks_in_info_alone_all_else_is_the_same(variant: str, observation: str) -> None:
    both = domino_env.raw_aec(variant, observation=observation)
    info = domino_env.raw_aec(variant, observation=observation, action_mask="info")
    for env in (both, info):
        env.reset(seed=4)
    while both.agents:
        assert info.agent_selection == both.agent_selection
        assert info.rewards == both.rewards
        for agent in both.agents:
            seen, told = both.observe(agent), info.infos[agent]
            assert np.array_equal(info.observe(agent), seen["observation"])
            assert info.observation_space(agent).contains(info.observe(agent))
            assert np.array_equal(told["action_mask"], seen["action_mask"])
        over = both.terminations[both.agent_selection]
        legal = np.flatnonzero(both.observe(both.agent_selection)["action_mask"])
        for env in (both, info):
            env.step(None if over else int(legal[-1]))
    assert not info.agents


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_seed_gives_the_same_game(variant: str) -> None:
    seed_test(lambda: domino_env.aec(variant), num_cycles=50)
    assert play(domino_env.aec(variant), 3) == play(domino_env.aec(variant), 3)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("episode", ["round", "match"])
def test_the_mask_is_the_legal_moves_of_who_is_to_move_and_nobody_else(
    variant: str, episode: str
) -> None:
    env = domino_env.raw_aec(variant, episode=episode)
    generator = np.random.default_rng(1)
    for seed in range(5):
        env.reset(seed=seed)
        for _ in range(300):
            if env.terminations[env.agent_selection]:
                break
            position = env.batch.position(0)
            assert env.agent_selection == f"player_{position.to_move}"
            for agent in env.agents:
                mask = env.observe(agent)["action_mask"]
                expected = position.legal_actions if agent == env.agent_selection else []
                assert mask.dtype == np.int8
                assert np.flatnonzero(mask).tolist() == expected
                assert np.array_equal(mask, env.infos[agent]["action_mask"])
            env.step(generator.choice(position.legal_actions))


@pytest.mark.parametrize("variant", VARIANTS)
def test_lane_i_of_a_batch_is_the_game_of_seed_plus_i(variant: str) -> None:
    batch = domino_env.batch(variant, 8, seed=40)
    batch.reset()
    envs = [domino_env.raw_aec(variant) for _ in range(8)]
    for lane, env in enumerate(envs):
        env.reset(seed=40 + lane)
    for _ in range(60):
        actions = batch.sample()
        for lane, env in enumerate(envs):
            seen = env.observe(env.agent_selection)
            assert env.agent_selection == f"player_{batch.seat[lane]}"
            assert np.array_equal(seen["observation"], batch.observation[lane])
            assert np.array_equal(seen["action_mask"], batch.mask[lane])
            env.step(actions[lane])
        batch.step(actions)
        for lane, env in enumerate(envs):
            assert list(env.rewards.values()) == batch.reward[lane].tolist()
            if batch.done[lane]:
                env.reset()  # goes on with the lane's generator, as autoreset does


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_reward_reaches_every_agent(variant: str) -> None:
    env = domino_env.aec(variant, reward="points")
    for seed in range(20):
        env.reset(seed=seed)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, _, _ = env.last()
            paid[agent] += reward
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if terminated else int(legal[0]))
        scores = env.unwrapped.batch.position(0).scores
        assert list(paid.values()) == scores


def test_rewards_go_to_those_who_did_not_move_too() -> None:
    env = domino_env.aec("block_draw")
    last = play(env, 5)[-1][2]
    assert sum(last.values()) == 0
    assert all(last.values())


def test_terminations_are_plain_booleans_and_keys_are_the_agents() -> None:
    env = domino_env.raw_aec("all_fives", num_players=3)
    env.reset(seed=0)
    for held in (env.terminations, env.truncations, env.rewards, env.infos):
        assert list(held) == env.agents
    assert {type(flag) for flag in env.terminations.values()} == {bool}


def test_each_agent_has_one_space_object() -> None:
    env = domino_env.aec("five_up")
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)


def test_any_agent_can_be_observed_dead_or_alive() -> None:
    env = domino_env.raw_aec("block_draw", num_players=3)
    env.reset(seed=0)
    while not env.terminations[env.agent_selection]:
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert not seen["action_mask"].any()


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_is_registered_on_import(variant: str) -> None:
    if not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no registry")
    env = pettingzoo.make("aec", f"domino/{variant}-v0", episode="match")
    assert str(env) == f"{variant}_v0"
    assert play(env, 1)


def test_a_house_rule_goes_wherever_a_game_is_asked_for() -> None:
    env = domino_env.aec(domino_env.rules("block_draw", hand_size=9, set="double_9"))
    env.reset(seed=0)
    assert env.action_space("player_0").n == 55 * 2 * 2


def test_an_illegal_move_raises_and_changes_nothing() -> None:
    env = domino_env.raw_aec("block_draw")
    env.reset(seed=0)
    before = env.batch.save(0)
    illegal = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove, match=r"not legal for seat .*open ends: .*legal: "):
        env.step(illegal)
    assert env.batch.save(0) == before


def test_an_illegal_move_can_end_the_game_instead() -> None:
    env = domino_env.aec("block_draw", illegal="terminate")
    env.reset(seed=0)
    mover = env.agent_selection
    illegal = int(np.flatnonzero(env.observe(mover)["action_mask"] == 0)[0])
    env.step(illegal)
    assert all(env.terminations.values())
    assert env.rewards[mover] == -1
    env.reset(seed=0)
    assert play(env, 2)


def test_stepping_at_the_wrong_time_says_so() -> None:
    env = domino_env.raw_aec("block_draw")
    with pytest.raises(NotReset, match="reset"):
        env.step(0)
    with pytest.raises(NotReset, match="reset"):
        env.observe("player_0")
    play(env, 0)
    with pytest.raises(GameOver, match="reset"):
        env.step(0)


@pytest.mark.parametrize(
    "option",
    [
        {"observation": "featurs"},
        {"render_mode": "rgb"},
        {"illegal": "rais"},
        {"action_mask": "infos"},
        {"episode": "rond"},
        {"reward": "margn"},
        {"calls": "explict"},
        {"num_players": 9},
    ],
)
def test_a_wrong_option_is_named_with_what_is_allowed(option: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=str(next(iter(option.values())))):
        domino_env.aec("all_fives", **option)


def test_a_given_deal_is_played() -> None:
    env = domino_env.raw_aec("block_draw", render_mode="ansi")
    env.reset(seed=0)
    deal = env.batch.position(0).deal
    other = domino_env.raw_aec("block_draw")
    other.reset(seed=99, options={"deal": deal})
    assert other.batch.position(0).hands == env.batch.position(0).hands
    assert "Block & Draw" in str(env.render())


def test_the_state_holds_what_every_seat_sees_and_the_boneyard() -> None:
    env = domino_env.raw_aec("block_draw")
    env.reset(seed=4)
    state = env.state()
    assert env.state_space.contains(state)
    first = env.observe("player_0")["observation"]
    assert np.array_equal(state[: len(first)], first)
    boneyard = env.batch.position(0).boneyard
    order = state[-28:]
    assert np.count_nonzero(order) == len(boneyard)
    assert domino_env.actions.tile_number(env.batch.rules, boneyard[0]) == int(
        np.argmin(np.where(order > 0, order, 2))
    )


def test_an_environment_can_be_pickled_in_the_middle_of_a_game() -> None:
    env = domino_env.raw_aec("all_fives")
    env.reset(seed=6)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    twin = pickle.loads(pickle.dumps(env))
    assert twin.batch.save(0) == env.batch.save(0)
    assert twin.agent_selection == env.agent_selection
    twin.step(int(np.flatnonzero(twin.observe(twin.agent_selection)["action_mask"])[0]))


# Histories ---------------------------------------------------------------------------------------


KINDS = {name: kind for kind, name in NAMES.items() if name not in ("call", "silent")}
"""The kind of a row by the name of its event; a call is of points or of "Domino!"."""


def expected_row(env: Any, event: Event, seat: int) -> tuple[int, ...]:
    """What a seat reads of an event: who, and then the tile, the end and the half, or zeros."""

    def relative(who: int | None) -> int:
        return 0 if who is None else (who - seat) % env.batch.num_players + 1

    number = 0 if event.tile is None else tile_number(env.batch.rules, event.tile) + 1
    if event.kind in ("draw", "take") and seat not in (event.seat, event.giver):
        number = 0
    end = relative(event.giver) if event.end is None else event.end + 1
    half = 0 if event.half is None else event.half + 1
    return relative(event.seat), number, end, half


def check_rows(env: Any, rows: Any, position: Position, seat: int) -> None:
    """A history is the events, as its observer has seen them."""
    happened = rows[rows[:, 0] != DEALT].tolist()
    assert len(happened) == len(position.events)
    for row, event in zip(happened, position.events, strict=True):
        if event.kind in KINDS:
            assert row[0] == KINDS[event.kind]
        else:
            assert NAMES[row[0]] == event.kind
        assert tuple(row[1:5]) == expected_row(env, event, seat)
        assert not any(row[5:])  # points of many players take more columns


def ways_to_play(variant: str) -> Iterator[dict[str, Any]]:
    """Each number of players, way of calling, and all the twists there are."""
    rules = domino_env.rules(variant)
    twists = dict.fromkeys(TWISTS, True) if rules.set == LISTED else {}
    for players in rules.players:
        yield {"game": rules, "num_players": players}
        if rules.has_calls:
            game = domino_env.rules(variant, **twists)
            yield {"game": game, "num_players": players, "calls": "explicit"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_history_only_grows_and_hides_what_others_drew(variant: str) -> None:
    generator = np.random.default_rng(0)
    for options in ways_to_play(variant):
        env = domino_env.raw_aec(**options, observation="history")
        for seed in range(3):
            env.reset(seed=seed)
            before: dict[str, Any] = {}
            while not env.terminations[env.agent_selection]:
                position = env.batch.position(0)
                for seat, agent in enumerate(env.agents):
                    rows = env.observe(agent)["observation"][1:]
                    used = rows[rows[:, 0] > 0]
                    assert not rows[len(used) :].any()
                    earlier = before.get(agent, used[:0])
                    assert np.array_equal(used[: len(earlier)], earlier)
                    before[agent] = used
                    check_rows(env, used, position, seat)
                env.step(generator.choice(position.legal_actions))


def after(kind: str, **options: Any) -> Any:
    """An environment in which an event of that kind has just come up."""
    env = domino_env.raw_aec(**options, observation="history")
    generator = np.random.default_rng(0)
    for seed in range(200):
        env.reset(seed=seed)
        while kind not in [event.kind for event in env.batch.position(0).events]:
            if env.terminations[env.agent_selection]:
                break
            env.step(generator.choice(env.batch.position(0).legal_actions))
        else:
            return env
    raise AssertionError(f"no {kind} in 200 rounds")


def rows_of(env: Any, kind: str) -> list[list[int]]:
    """For each seat the last row of a kind in its history."""
    kinds = [number for number, name in NAMES.items() if name == kind]
    seen = [env.observe(agent)["observation"][1:] for agent in env.possible_agents]
    return [rows[np.isin(rows[:, 0], kinds)][-1].tolist() for rows in seen]


def test_a_tile_taken_out_of_a_hand_is_known_to_who_took_and_who_gave_it() -> None:
    env = after("take", game="fundomino_caribbean")  # no boneyard: a plus takes from the mover
    taken = [event for event in env.batch.position(0).events if event.kind == "take"][-1]
    assert taken.tile is not None
    assert taken.giver is not None
    number = tile_number(env.batch.rules, taken.tile) + 1
    for seat, row in enumerate(rows_of(env, "take")):
        _, who, tile, end, half = row
        assert tile == (number if seat in (taken.seat, taken.giver) else 0)
        assert (who - 1 + seat) % 4 == taken.seat
        assert (end - 1 + seat) % 4 == taken.giver
        assert half == 0
    assert {taken.seat, taken.giver} < {0, 1, 2, 3}


@pytest.mark.parametrize("word", [*(word for words in ANSWERS[1:] for word in words if word)])
def test_an_answer_stands_in_every_history_with_who_gave_it(word: str) -> None:
    if word in ("lead", "yield"):
        game, seats = domino_env.rules("jamaican_partner", lead="team"), 4
        env = after(word, game=game, episode="match")
    else:
        game, seats = domino_env.rules("fundomino", **dict.fromkeys(TWISTS, True)), 3
        env = after(word, game=game, num_players=3, calls="explicit")
    given = [event for event in env.batch.position(0).events if event.kind == word][-1]
    for seat, row in enumerate(rows_of(env, word)):
        assert row[1:] == [(given.seat - seat) % seats + 1, 0, 0, 0]


def test_a_history_names_the_seat_from_the_observers_side() -> None:
    env = domino_env.raw_aec("block_draw", num_players=3, observation="history")
    env.reset(seed=1)
    opener = env.batch.position(0).events[0].seat
    assert opener is not None
    for seat in range(3):
        rows = env.observe(f"player_{seat}")["observation"][1:]
        opening = rows[(rows[:, 0] > 0) & (rows[:, 0] != DEALT)][0]
        assert opening[1] == (opener - seat) % 3 + 1
