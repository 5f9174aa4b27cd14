"""Agents choose legal actions, for whole batches, in every game."""

import json
import pkgutil
import time
from collections import Counter
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import domino_env
from domino_env import agents, belief
from domino_env.agents.heuristic import USUAL, as_row, weights_of
from domino_env.agents.searching import world_search
from domino_env.errors import BadOption
from domino_env.evaluate.rollout import play_episodes
from domino_env.evaluate.statistics import ci95_half_width
from domino_env.evaluate.tournament import head_to_head, margins_by_deal
from domino_env.train.tune import duel, keep, tune
from tests.games import AT_A_TABLE

SLOW = {"pimc": {"worlds": 2}, "search": {"worlds": 2}}
"""Agents that think: with less of it, and in fewer games."""
SEARCHES = ("pimc", "search")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "variant"),
    [(name, variant) for variant in domino_env.variants() for name in agents.names(variant)],
)
def test_an_agent_chooses_a_legal_action_in_each_lane(name: str, variant: str) -> None:
    agent = agents.make(name, **SLOW.get(name, {}))
    assert isinstance(agent, agents.Agent)
    games = 8 if name in SLOW else 64
    for players in seats_of(name, variant):
        batch = domino_env.batch(variant, games, players, seed=1)
        batch.reset()
        for _ in range(100):
            lanes = np.arange(games)
            chosen = agent.act(batch, lanes)
            assert batch.mask[lanes, chosen].all()
            batch.step(chosen)


def seats_of(name: str, variant: str) -> tuple[int, ...]:
    """What an agent plays at: policies come for the usual number of seats only."""
    players = domino_env.rules(variant).players
    return players[:1] if name in ("net", "ppo") else players


@pytest.mark.slow
@pytest.mark.parametrize("name", agents.names())
def test_an_agent_answers_only_for_the_lanes_that_it_is_asked_for(name: str) -> None:
    game = next(game for game in domino_env.variants() if name in agents.names(game))
    batch = domino_env.batch(game, 32, seed=2)
    batch.reset()
    lanes = np.array([3, 17, 30])
    assert agents.make(name).act(batch, lanes).shape == (3,)


def test_who_plays_what() -> None:
    everybody = ["clairvoyant", "greedy_pip", "heuristic", "net", "pimc", "ppo", "random", "search"]
    assert agents.names("fours") == everybody
    assert agents.names("elimination") == ["random"]
    assert agents.names("knock_out") == ["optimal", "random"]
    assert agents.names("solitaire") == ["determinised", "random", "turn_first"]
    alone = ["determinised", "optimal", "random", "turn_first"]
    assert agents.names() == sorted({*alone, *agents.names("fours")})


def test_each_module_that_is_found_among_the_agents_is_one() -> None:
    found = [each for each in pkgutil.iter_modules(agents.__path__) if not each.ispkg]
    assert [each.name for each in found] == sorted([*agents.names(), *agents.names_with_options()])
    assert agents.names_with_options() == ["engine", "llm"]


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
        agent = agents.make_seeded(name, 5, **SLOW.get(name, {}))
        batch = domino_env.batch(game, 16, seed=1)
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
    returns = play_episodes(batch, [agents.make("greedy_pip")] * 3)
    assert (batch.seat == -1).all()
    for lane in range(100):
        assert returns[lane].tolist() == batch.position(lane).scores


def test_an_agent_against_itself_on_every_rotation_of_a_deal_is_even() -> None:
    margins = margins_by_deal("block_draw", "greedy_pip", "greedy_pip", 500, seed=6)
    assert np.allclose(margins, 0)


def test_greedy_pip_is_ahead_of_random_where_it_should_be() -> None:
    assert head_to_head("matador", "greedy_pip", "random", 1000, seed=7).verdict == "ahead"
    assert head_to_head("matador", "random", "greedy_pip", 1000, seed=7).verdict == "behind"


# Agents that judge -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "variant"),
    [
        (name, variant)
        for variant in AT_A_TABLE
        for name in agents.names(variant)
        if not agents.cheats(name)
    ],
)
def test_an_agent_looks_at_no_tile_that_it_has_not_seen(name: str, variant: str) -> None:
    """In a world that looks the same to the seat to move it does the same."""
    batch = domino_env.batch(variant, 6, seed=3, autoreset=False)
    batch.reset()
    for step in range(12):
        live = np.flatnonzero(batch.seat >= 0)
        if not len(live):
            break
        lane = live[:1]
        world = belief.sample(batch, int(lane[0]), int(batch.seat[lane[0]]), seed=step)
        own, other = (agents.make_seeded(name, step, **SLOW.get(name, {})) for _ in range(2))
        assert own.act(batch, lane) == other.act(world, np.array([0]))
        batch.step(np.where(batch.seat >= 0, batch.sample(), -1))


def test_heuristic_is_far_ahead_of_greed() -> None:
    """Points a round over greedy_pip, seven tiles each: greed itself is 1.6 ahead of chance."""
    rules = domino_env.rules("block_draw", hand_size=7)
    margins = margins_by_deal(rules, "heuristic", "greedy_pip", 3000, seed=1)
    assert margins.mean() - ci95_half_width(margins) > 8


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHES)
def test_search_is_ahead_of_heuristic(name: str) -> None:
    rules = domino_env.rules("block_draw", hand_size=7)
    margins = margins_by_deal(rules, name, "heuristic", 300, seed=2)
    assert margins.mean() > ci95_half_width(margins)


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_keeps_to_its_time(name: str) -> None:
    """By the time of the processor: others may be at work on this machine."""
    batch = domino_env.batch("all_fives", 40, seed=3)
    batch.reset()
    agent = agents.make(name, seconds=0.01, seed=0)
    lanes = np.flatnonzero(batch.num_legal > 1)
    agent.act(batch, lanes[:1])
    began = time.thread_time()
    agent.act(batch, lanes)
    assert (time.thread_time() - began) / len(lanes) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_goes_on_until_its_time_is_over(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that ticks whenever it is read, which is once for each chunk of worlds."""
    kind = world_search.WorldSearch
    clock, try_moves, tried = count(), kind.try_moves, Counter[int]()

    def noted(search: world_search.WorldSearch, most: int) -> bool:
        tried[search._lane] += 1
        return try_moves(search, most)

    monkeypatch.setattr(world_search, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    monkeypatch.setattr(kind, "try_moves", noted)
    batch = domino_env.batch("all_fives", 40, seed=3)
    batch.reset()
    lanes = np.flatnonzero(batch.num_legal > 1)
    agents.make(name, seconds=10, seed=0).act(batch, lanes)
    assert {*tried} == {*lanes.tolist()}
    assert max(tried.values()) == 10  # less where all is clear


def test_what_agents_cannot_be_made_of() -> None:
    with pytest.raises(BadOption, match="did you mean 'pips'"):
        agents.make("heuristic", weights={"pip": 1})
    with pytest.raises(BadOption, match="the weight of 'pips' must be a number, not nan"):
        agents.make("clairvoyant", weights={"pips": float("nan")})
    with pytest.raises(BadOption, match="weights are named"):
        agents.make("pimc", weights=5)
    with pytest.raises(BadOption, match="file must be the path"):
        agents.make("ppo", file=5)
    with pytest.raises(BadOption, match="worlds"):
        agents.make("pimc", worlds=0)
    with pytest.raises(BadOption, match="seconds"):
        agents.make("pimc", seconds=-1)


@pytest.mark.slow
def test_weights_are_found_and_kept(tmp_path: Path) -> None:
    """A short search from the usual weights is ahead of them, and the same again."""
    rules = domino_env.rules("matador")
    found = [[*tune(rules, generations=6, deals=300, seed=4)][-1].weights for _ in range(2)]
    assert np.array_equal(*found)
    ahead = duel(rules, found[0][None], weights_of(USUAL), 4000, seed=1 << 50)[0]
    assert ahead.mean() > ci95_half_width(ahead)
    file = tmp_path / "weights.json"
    keep(file, "matador", found[0])
    keep(file, "bergen", 2 * found[0])
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert [*kept] == ["bergen", "matador"]
    assert np.allclose(as_row(kept["matador"]), found[0], atol=0.001)
    with pytest.raises(BadOption, match="cannot be written"):
        keep(tmp_path / "nowhere" / "weights.json", "matador", found[0])
    file.write_text("not JSON", encoding="utf-8")
    with pytest.raises(BadOption, match="holds no weights"):
        keep(file, "matador", found[0])
    with pytest.raises(BadOption, match="one player"):
        next(tune("solitaire"))


def test_a_former_version_is_made_by_its_name_but_not_listed() -> None:
    assert agents.former_versions() == ["heuristic@1", "ppo@1"]
    assert "ppo@1" not in agents.names()
    assert agents.plays("ppo@1", domino_env.rules("matador"))
    batch = domino_env.batch("matador", 64, seed=2)
    batch.reset()
    for _ in range(5):
        chosen = agents.make("ppo@1").act(batch, np.arange(64))
        assert batch.mask[np.arange(64), chosen].all()
        batch.step(chosen)
