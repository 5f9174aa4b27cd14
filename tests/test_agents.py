"""Agents choose legal actions, for whole batches, in every game."""

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.errors import BadOption
from domino_env.train.play import play_out
from domino_env.train.tournament import margins_by_deal, stand


@pytest.mark.parametrize(
    ("name", "variant"),
    [(name, variant) for variant in domino_env.variants() for name in agents.names(variant)],
)
def test_an_agent_chooses_a_legal_action_in_each_lane(name: str, variant: str) -> None:
    agent = agents.make(name)
    assert isinstance(agent, agents.Agent)
    for players in domino_env.rules(variant).players:
        batch = domino_env.batch(variant, 64, players, seed=1)
        batch.reset()
        for _ in range(100):
            lanes = np.arange(64)
            chosen = agent.act(batch, lanes)
            assert batch.mask[lanes, chosen].all()
            batch.step(chosen)


@pytest.mark.parametrize("name", agents.names())
def test_an_agent_answers_only_for_the_lanes_that_it_is_asked_for(name: str) -> None:
    game = next(game for game in domino_env.variants() if name in agents.names(game))
    batch = domino_env.batch(game, 32, seed=2)
    batch.reset()
    lanes = np.array([3, 17, 30])
    assert agents.make(name).act(batch, lanes).shape == (3,)


def test_who_plays_what() -> None:
    assert agents.names("fours") == ["greedy_pip", "random"]
    assert agents.names("elimination") == ["random"]
    assert agents.names("knock_out") == ["optimal", "random"]
    assert agents.names("solitaire") == ["determinised", "random", "turn_first"]
    assert agents.names() == ["determinised", "greedy_pip", "optimal", "random", "turn_first"]


@pytest.mark.parametrize("name", agents.names())
def test_an_agent_refuses_the_games_that_it_does_not_play(name: str) -> None:
    for game in domino_env.variants():
        if name not in agents.names(game):
            batch = domino_env.batch(game, 1, seed=0)
            batch.reset()
            with pytest.raises(BadOption, match=f"{name} does not play {game}.*random"):
                agents.make(name).act(batch, np.array([0]))


@pytest.mark.parametrize("name", agents.names())
def test_an_agent_of_the_same_seed_does_the_same(name: str) -> None:
    game = [game for game in domino_env.variants() if name in agents.names(game)][-1]
    told = []
    for _ in range(2):
        agent, batch = agents.make_seeded(name, 5), domino_env.batch(game, 16, seed=1)
        batch.reset()
        for _ in range(40):
            chosen = agent.act(batch, np.arange(16))
            told.append(chosen.tolist())
            batch.step(chosen)
    assert told[:40] == told[40:]


def test_greedy_pip_plays_the_heaviest_legal_tile() -> None:
    batch = domino_env.batch("matador", 200, seed=3)
    batch.reset()
    greedy = agents.make("greedy_pip")
    for _ in range(30):
        chosen = greedy.act(batch, np.arange(200))
        for lane in range(200):
            legal = batch.position(lane).legal
            heaviest = max((move.tile.pips for move in legal if move.tile), default=-1)
            move = domino_env.actions.decode(batch.rules, int(chosen[lane]))
            assert move.tile is not None
            assert move.tile.pips == heaviest
        batch.step(batch.sample())


def test_greedy_pip_calls_what_it_can_call() -> None:
    batch = domino_env.batch("all_fives", 100, seed=4, calls="explicit")
    batch.reset()
    greedy = agents.make("greedy_pip")
    call = domino_env.actions.encode(batch.rules, domino_env.Move("call"), "explicit")
    called = 0
    for _ in range(50):
        chosen = greedy.act(batch, np.arange(100))
        can = batch.mask[:, call] == 1
        assert (chosen[can] == call).all()
        called += int(can.sum())
        batch.step(batch.sample())
    assert called > 50


def test_random_is_uniform_over_the_legal_actions() -> None:
    batch = domino_env.batch("block_draw", 1, seed=8)
    batch.reset()
    while batch.num_legal[0] < 4:
        batch.step(batch.sample())
    legal = batch.position(0).legal_actions
    random = agents.make("random", seed=0)
    many = np.concatenate([random.act(batch, np.array([0])) for _ in range(8000)])
    counts = np.array([(many == action).sum() for action in legal])
    assert counts.sum() == 8000
    expected = 8000 / len(legal)
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert chi_square < 30  # one in a hundred thousand for up to eight moves


def test_sample_is_uniform_over_the_legal_actions() -> None:
    batch = domino_env.batch("block_draw", 1, seed=8)
    batch.reset()
    while batch.num_legal[0] < 4:
        batch.step(batch.sample())
    legal = batch.position(0).legal_actions
    many = np.concatenate([batch.sample() for _ in range(8000)])
    counts = np.array([(many == action).sum() for action in legal])
    expected = 8000 / len(legal)
    assert ((counts - expected) ** 2 / expected).sum() < 30


def test_an_unknown_agent_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(BadOption, match="did you mean 'greedy_pip'"):
        agents.make("greedypip")


def test_playing_out_ends_every_lane_and_adds_up_its_rewards() -> None:
    batch = domino_env.batch("bergen", 100, 3, seed=5, autoreset=False, reward="points")
    batch.reset()
    returns = play_out(batch, [agents.make("greedy_pip")] * 3)
    assert (batch.seat == -1).all()
    for lane in range(100):
        assert returns[lane].tolist() == batch.position(lane).scores


def test_an_agent_against_itself_on_every_rotation_of_a_deal_is_even() -> None:
    margins = margins_by_deal("block_draw", "greedy_pip", "greedy_pip", 500, seed=6)
    assert np.allclose(margins, 0)


def test_greedy_pip_is_ahead_of_random_where_it_should_be() -> None:
    assert stand("matador", "greedy_pip", "random", 1000, seed=7).verdict == "ahead"
    assert stand("matador", "random", "greedy_pip", 1000, seed=7).verdict == "behind"
