"""`RLCardEnv` has the shape that RLCard's agents and helpers use; RLCard itself is not needed.

That real agents learn with it is shown in `tests/clients/test_rlcard.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.adapters.rlcard import RLCardEnv
from domino_env.errors import BadAction, BadOption, GameOver, IllegalMove, NotReset


class Last:
    """Plays the last legal action, as RLCard's agents do."""

    use_raw = False

    def __init__(self) -> None:
        self.asked = 0

    def step(self, state: dict[str, Any]) -> int:
        self.asked += 1
        return list(state["legal_actions"])[-1]

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.step(state), {}


class LastByName(Last):
    """The same, by its name."""

    use_raw = True

    def step(self, state: dict[str, Any]) -> Any:
        return state["raw_legal_actions"][-1]


def seated(game: Any = "all_fives", kind: Any = Last, **options: Any) -> RLCardEnv:
    env = RLCardEnv(game, **options)
    env.set_agents([kind() for _ in range(env.num_players)])
    return env


@pytest.mark.parametrize("variant", domino_env.variants())
def test_a_game_is_that_of_the_aec_environment(variant: str) -> None:
    """Every state, whose turn it is, and every point; in the next game too."""
    env, aec = RLCardEnv(variant, seed=3), domino_env.raw_aec(variant)
    aec.reset(seed=3)
    for _ in range(2):
        state, player = env.reset()
        earned = np.zeros(env.num_players)
        while not env.is_over():
            assert aec.agent_selection == f"player_{player}"
            seen = aec.observe(aec.agent_selection)
            assert np.array_equal(state["obs"], seen["observation"])
            legal = np.flatnonzero(seen["action_mask"]).tolist()
            assert list(state["legal_actions"]) == legal
            state, player = env.step(legal[-1])
            aec.step(legal[-1])
            earned += list(aec.rewards.values())
        assert env.get_payoffs().tolist() == earned.tolist()
        aec.reset()


@pytest.mark.parametrize("variant", domino_env.variants())
def test_states_tell_what_rlcard_asks_for(variant: str) -> None:
    env = RLCardEnv(variant, seed=1)
    state, player = env.reset()
    assert list(state) == ["obs", "legal_actions", "raw_obs", "raw_legal_actions", "action_record"]
    assert env.state_shape == [list(state["obs"].shape)] * env.num_players
    assert env.action_shape == [None] * env.num_players
    assert np.array_equal(np.concatenate([*state["raw_obs"].values()]), state["obs"])
    moves = [domino_env.actions.decode(variant, action) for action in state["legal_actions"]]
    assert state["raw_legal_actions"] == moves
    for other in range(env.num_players):
        seen = env.get_state(other)
        assert np.array_equal(seen["obs"], env.batch.observe(0, other))
        assert bool(seen["legal_actions"]) == bool(seen["raw_legal_actions"]) == (other == player)
    assert env.get_action_feature(3 % env.num_actions).sum() == 1
    position = env.batch.position(0)
    assert env.get_perfect_information()["legal"] == position.legal
    assert env.get_perfect_information()["hands"] == position.hands


def test_run_gives_the_trajectories_that_rlcard_reorganizes() -> None:
    """States and actions in turn, a state after the end; payoffs are all points of the round."""
    env = seated(num_players=3, reward="points", seed=5)
    for training in (False, True):
        trajectories, payoffs = env.run(is_training=training)
        assert env.is_over()
        assert isinstance(payoffs, np.ndarray)  # a list would be the payoffs of several games
        assert payoffs.tolist() == env.batch.position(0).scores
        assert payoffs.sum() > 0
        record = env.action_recorder
        for player, trajectory in enumerate(trajectories):
            actions, states = trajectory[1::2], trajectory[::2]
            assert len(states) == len(actions) + 1
            mine = [move for mover, move in record if mover == player]
            assert [domino_env.actions.decode("all_fives", each) for each in actions] == mine
            for state, action in zip(states, actions, strict=False):
                assert action in state["legal_actions"]
            assert not states[-1]["legal_actions"]
            assert states[-1]["action_record"] == record
    assert env.timestep > len(env.action_recorder)


def test_margins_of_a_game_sum_to_nothing() -> None:
    env = seated("five_up", seed=2)
    for _ in range(20):
        _, payoffs = env.run()
        assert payoffs.sum() == pytest.approx(0)


def test_agents_may_give_moves_by_name() -> None:
    by_number, by_name = seated(seed=9), seated(kind=LastByName, seed=9)
    assert by_number.run()[1].tolist() == by_name.run()[1].tolist()
    assert by_number.action_recorder == by_name.action_recorder


@pytest.mark.parametrize("variant", ["all_fives", "fundomino", "knock_out"])
def test_steps_can_be_taken_back(variant: str) -> None:
    """To the very start, with the same states, points and future."""
    env = seated(variant, allow_step_back=True, seed=4)
    state, player = env.reset()
    told = [(state["obs"].tolist(), player, env.get_payoffs().tolist())]
    while not env.is_over():
        state, player = env.step([*state["legal_actions"]][-1])
        told.append((state["obs"].tolist(), player, env.get_payoffs().tolist()))
    for obs, mover, payoffs in reversed(told[:-1]):
        back = env.step_back()
        assert isinstance(back, tuple)
        assert (back[0]["obs"].tolist(), back[1]) == (obs, mover)
        assert env.get_payoffs().tolist() == payoffs
    assert env.step_back() is False
    assert env.timestep == 0
    assert env.action_recorder == []
    for obs, mover, payoffs in told[1:]:
        state, player = env.step([*env.get_state(env.get_player_id())["legal_actions"]][-1])
        assert (state["obs"].tolist(), player) == (obs, mover)
        assert env.get_payoffs().tolist() == payoffs


def test_a_seed_gives_the_same_games() -> None:
    env, other = seated("bergen", seed=8), seated("bergen")
    assert other.seed(8) == 8
    first, second = env.run()[1].tolist(), env.run()[1].tolist()
    assert other.run()[1].tolist() == first
    assert other.run()[1].tolist() == second
    env.seed(8)
    assert env.run()[1].tolist() == first


def test_it_says_what_is_wrong() -> None:
    env = RLCardEnv("matador")
    with pytest.raises(NotReset):
        env.step(0)
    with pytest.raises(BadOption, match="set_agents"):
        env.run()
    with pytest.raises(BadOption, match="2 seats, not 3"):
        env.set_agents([Last()] * 3)
    state, _ = env.reset()
    illegal = next(each for each in range(env.num_actions) if each not in state["legal_actions"])
    with pytest.raises(IllegalMove):
        env.step(illegal)
    with pytest.raises(BadAction, match="Move"):
        env.step("draw", raw_action=True)
    with pytest.raises(BadOption, match="allow_step_back"):
        env.step_back()
    env.set_agents([Last(), Last()])
    env.run()
    with pytest.raises(GameOver):
        env.step(0)
