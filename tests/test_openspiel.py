"""The games in OpenSpiel: its own checks, chance told exactly, and its algorithms at work."""

from __future__ import annotations

import itertools
import pickle
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.games import block_dominoes
from open_spiel.python.observation import make_observation

import domino_env
from domino_env.actions import decode
from domino_env.adapters.openspiel import DominoGame, DominoState, load
from domino_env.adapters.openspiel.transitions import TransitionModel
from domino_env.errors import BadDeal, BadOption, BadRules, UnknownVariant
from domino_env.ruleset import Blocked, Draw, Opening, Rules
from tests.clients.searching import margin_of_search

pytestmark = pytest.mark.slow

GAMES = [name for name in domino_env.variants() if domino_env.rules(name).has_opponents]
MINI = {"set": "double_2", "players": (2,)}
LESS_MINI = {"set": "double_3", "players": (2,)}
NO_DRAW = Draw(forced="none")
BY_TILE = Opening(without_double="highest_tile")


def generator(seed: int) -> Any:
    return np.random.default_rng(seed)


def chance(state: Any, rng: Any) -> int:
    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choice(outcomes, p=chances))


def states(game: DominoGame, rng: Any) -> Iterator[DominoState]:
    """The states of a random game, each before the next move is made in it."""
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        move = chance(state, rng) if state.is_chance_node() else rng.choice(state.legal_actions())
        state.apply_action(int(move))
    yield state


def tree(game: DominoGame) -> Iterator[tuple[Any, float]]:
    """All states of a game, and how likely chance leads to each."""
    waiting: list[tuple[Any, float]] = [(game.new_initial_state(), 1.0)]
    while waiting:
        state, likely = waiting.pop()
        yield state, likely
        if state.is_chance_node():
            waiting += [(state.child(a), likely * p) for a, p in state.chance_outcomes()]
        else:
            waiting += [(state.child(a), likely) for a in state.legal_actions()]


# What OpenSpiel demands ---------------------------------------------------------------------------


def tables() -> list[str]:
    """Every game with every number of players, and as matches, and with calls."""
    found = []
    for name in GAMES:
        rules = domino_env.rules(name)
        found += [f"domino(variant={name},players={players})" for players in rules.players]
        found.append(f"domino(variant={name},episode=match,reward=points)")
        if rules.has_calls:
            found.append(f"domino(variant={name},calls=explicit,reward=win)")
    return found


@pytest.mark.parametrize("table", tables())
def test_openspiels_own_simulations_find_nothing_wrong(table: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(table), 1, serialize=True, verbose=False)


def test_states_can_be_copied_pickled_and_read() -> None:
    game = load(domino_env.rules("block_draw", hand_size=7), num_players=3)
    for state in states(game, generator(0)):
        for twin in (state.clone(), pickle.loads(pickle.dumps(state))):
            assert str(twin) == str(state)
            assert twin.history() == state.history()
            assert twin.returns() == state.returns()
            if not state.is_terminal():
                twin.apply_action(twin.legal_actions()[0])
                assert str(twin) != str(state)


def test_states_and_actions_read_as_a_player_would_say_them() -> None:
    game = pyspiel.load_game("domino(max_pip=3,hand_size=3)")
    state = game.new_initial_state()
    for tile in ([0, 2], [0, 3], [1, 1], [0, 0], [2, 2], [3, 3]):
        move = next(a for a in state.legal_actions() if text(state, a) == f"[{tile[0]}|{tile[1]}]")
        state.apply_action(move)
    assert "seat 0     0 points  [0|2] [0|3] [1|1]" in str(state)
    assert [text(state, action) for action in state.legal_actions()] == ["[0|3] by 3 → end 0"]
    assert state.information_state_string(0).splitlines() == [
        "Block & Draw, a single round. You are seat 0 of 2.",
        "Table: opened with [3|3]",
        "  end 0 (left) shows 3, on [3|3]",
        "  end 1 (right) shows 3, on [3|3], the same as end 0",
        "Boneyard: 4 tiles",
        "Your hand: [0|2] [0|3] [1|1]",
        "You (seat 0): 3 tiles, 0 points",
        "Seat 1: 2 tiles, 0 points",
        "Since your last decision: seat 1 plays [3|3] → end 0",
        "Seat 0 is to decide.",
    ]
    assert "Since" not in state.observation_string(0)
    assert state.observation_string(1).splitlines()[5] == "Your hand: [0|0] [2|2]"


def text(state: Any, action: int) -> str:
    return state.action_to_string(state.current_player(), action)


# Parameters ---------------------------------------------------------------------------------------


def test_kaggle_is_told_of_teams_and_to_hide_states() -> None:
    partners = load("partnership_block").new_initial_state()
    assert [partners.team_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert partners.hides_state_from_agents()
    assert load("block_draw").new_initial_state().team_of(0) is None


def test_a_hand_is_the_games_own_or_the_largest_that_leaves_a_boneyard() -> None:
    def hand(params: str) -> int:
        batch = pyspiel.load_game(f"domino({params})").model.batch
        return batch.rules.hand_size_for(batch.num_players)

    assert hand("variant=block_draw") == hand("variant=block_draw,max_pip=9") == 5
    assert hand("variant=all_fives,players=3") == 5
    assert hand("variant=block_draw,max_pip=3") == 4  # of ten tiles two are left
    assert hand("variant=block_draw,max_pip=2,players=2") == 2
    assert hand("variant=yourturnmyturn,max_pip=3") == 2  # a start tile and a reserve as well
    assert hand("variant=blind,max_pip=3") == 5  # all, as ever
    assert hand("variant=cross,max_pip=6,hand_size=3") == 3


def test_what_cannot_be_played_is_refused_with_a_reason() -> None:
    with pytest.raises(UnknownVariant, match="did you mean 'block_draw'"):
        pyspiel.load_game("domino(variant=block_drew)")
    with pytest.raises(BadOption, match="one player"):
        pyspiel.load_game("domino(variant=solitaire)")
    with pytest.raises(BadOption, match="one player"):
        load("solitaire")
    with pytest.raises(BadRules, match="double_7"):
        pyspiel.load_game("domino(max_pip=7)")
    with pytest.raises(BadRules, match="takes more than"):
        pyspiel.load_game("domino(max_pip=2,hand_size=5)")
    with pytest.raises(BadRules, match="not written by"):
        pyspiel.load_game("domino(rules=eggs)")


@pytest.mark.parametrize("name", GAMES)
def test_the_text_of_a_game_tells_its_house_rules(name: str) -> None:
    usual = domino_env.rules(name)
    house = replace(usual, title="At home", draw=replace(usual.draw, reserve=0), rounds=7)
    again = pyspiel.load_game(str(load(house)))
    assert again.model.batch.rules == house
    assert load(usual).get_parameters()["rules"] == ""


def test_what_sums_to_zero_is_said_to() -> None:
    zero, general = pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.GENERAL_SUM
    assert load("block_draw").get_type().utility == zero
    assert load("block_draw", reward="points").get_type().utility == general
    assert load("block_draw", reward="win").get_type().utility == zero
    assert load("block_draw", num_players=3, reward="win").get_type().utility == general
    assert load("bendomino_teams", reward="win").get_type().utility == zero
    assert load("fundomino", reward="win").get_type().utility == general  # a first place is shared


# Chance -------------------------------------------------------------------------------------------

SMALL = {
    "draws": domino_env.rules("block_draw", hand_size=2, **MINI),
    "no_draw": domino_env.rules("block_draw", hand_size=2, draw=NO_DRAW, **MINI),
    "by_tile": domino_env.rules("block_draw", hand_size=2, draw=NO_DRAW, opening=BY_TILE, **MINI),
    "lowest": domino_env.rules("bergen", hand_size=2, draw=NO_DRAW, **MINI),
    "one_arm": domino_env.rules("one_arm_joe", hand_size=2, draw=NO_DRAW, opening=BY_TILE, **MINI),
    "sums": domino_env.rules("matador", hand_size=2, draw=NO_DRAW, **MINI),
    "lot": domino_env.rules("fours", hand_size=2, **MINI),
    "rows": domino_env.rules("blind", hand_size=2, **MINI),
    "start_tile": domino_env.rules("yourturnmyturn", hand_size=1, **MINI),
    "reserve": domino_env.rules("block_draw", hand_size=2, draw=Draw(reserve=2), **MINI),
    "forks": domino_env.rules("fruitominoes", hand_size=2, draw=NO_DRAW, **MINI),
    "no_draw_of_ten": domino_env.rules("block_draw", hand_size=2, draw=NO_DRAW, **LESS_MINI),
    "by_tile_of_ten": domino_env.rules(
        "block_draw", hand_size=2, draw=NO_DRAW, opening=BY_TILE, **LESS_MINI
    ),
    "lowest_of_ten": domino_env.rules("bergen", hand_size=3, draw=NO_DRAW, **LESS_MINI),
}


def decks(rules: Rules) -> Iterator[tuple[int, ...]]:
    """All decks; where nothing is drawn, one for each way to deal the hands. A start tile, which is
    taken before the hands are dealt (YT1), lies after them."""
    tiles, size = range(rules.num_tiles), rules.hand_size_for(2)
    if rules.opening.tile == "from_boneyard":
        for start in (tile for tile in tiles if not rules.tile_set.is_double(tile)):
            for rest in itertools.permutations(tile for tile in tiles if tile != start):
                yield (*rest[: 2 * size], start, *rest[2 * size :])
        return
    if rules.draws or rules.rows:
        yield from itertools.permutations(tiles)
        return
    for first in itertools.combinations(tiles, size):
        others = [tile for tile in tiles if tile not in first]
        for second in itertools.combinations(others, size):
            yield (*first, *second, *(tile for tile in others if tile not in second))


def dealt_by_the_rules(rules: Rules) -> tuple[dict[Any, float], float]:
    """How likely each opening position is among all decks that the rules do not deal again, and how
    many of all they do."""
    batch = domino_env.batch(rules, 1, seed=0)
    lots = rules.opening.starter in ("lot", "in_turn")
    size, found, refused = rules.hand_size_for(2), Counter[Any](), 0
    for deck in decks(rules):
        hands = [[*deck[:size]], [*deck[size : 2 * size]]]
        deal: dict[str, Any] = {"hands": hands, "boneyard": [*deck[2 * size :]]}
        for starter in (0, 1) if lots else (None,):
            try:
                batch.reset(options={"deal": {**deal, "starter": starter}})
                found[position(batch)] += 1
            except BadDeal:
                refused += 1
    every = sum(found.values())
    return {key: number / every for key, number in found.items()}, refused / (every + refused)


def position(batch: Any) -> Any:
    """What the first decision is taken in, but for the order of the boneyard."""
    now = batch.position(0)
    return now.to_move, str(now.hands), str(now.played), len(now.boneyard)


@pytest.mark.parametrize("name", SMALL)
def test_deals_are_as_likely_as_the_rules_make_them(name: str) -> None:
    wanted, refused = dealt_by_the_rules(SMALL[name])
    assert (refused > 0) == (name not in ("draws", "sums", "lot", "start_tile"))
    model = TransitionModel(SMALL[name], 2, "round", "margin", "automatic")
    found: Counter[Any] = Counter()
    waiting = [(model.first, 1.0)]
    while waiting:
        now, likely = waiting.pop()
        if now.is_dealing:
            outcomes = model.outcomes(now)
            assert sum(p for _, p in outcomes) == pytest.approx(1)
            waiting += [(model.apply_outcome(now, outcome), likely * p) for outcome, p in outcomes]
        else:
            found[position(model.show(now))] += likely
    assert found == pytest.approx(wanted)


def test_a_round_that_can_come_to_nothing_ends_the_game_or_is_dealt_again() -> None:
    house = domino_env.rules("block_draw", hand_size=2, draw=Draw(reserve=4), **LESS_MINI)
    game, match = load(house), load(house, episode="match")
    void = [
        state for seed in range(400) for state in states(game, generator(seed)) if is_void(state)
    ]
    assert len(void) > 2
    assert all(state.returns() == [0, 0] and "nobody can begin" in str(state) for state in void)
    again = 0
    for seed in range(100):
        rounds = [state.situation for state in states(match, generator(seed))]
        assert not rounds[-1].is_dealing
        again += sum(
            then.round == now.round and len(then.dealt) < len(now.dealt)
            for now, then in pairwise(rounds)
        )
    assert again > 2


def is_void(state: DominoState) -> bool:
    return state.is_terminal() and state.situation.is_dealing


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_the_engines_own_for_the_same_deal_and_moves(name: str) -> None:
    """Games in which tiles are taken out of hands are left out: the generator picks those."""
    game = load(name, num_players=domino_env.rules(name).players[-1])
    for seed in range(6):
        state = [*states(game, generator(seed))][-1]
        batch = game.model.show(state.situation)
        order = batch.position(0).deal
        if any(event.kind == "take" for event in batch.position(0).events):
            continue
        twin = domino_env.batch(game.model.batch.rules, 1, game.num_players(), autoreset=False)
        twin.reset(options={"deal": order})
        earned = np.zeros(game.num_players())
        for move in state.full_history():
            if move.player >= 0:
                assert twin.seat[0] == move.player
                twin.step_one(move.action)
                earned += twin.reward[0]
        assert state.returns() == pytest.approx(earned, abs=1e-4)
        assert str(twin.position(0)) == str(state)


@pytest.mark.parametrize("name", GAMES)
def test_a_round_of_a_match_begins_with_the_points_of_those_before(name: str) -> None:
    game, longest = load(name, episode="match", reward="points"), 0
    wiped = domino_env.rules(name).tally.wiped != "never"  # returns are not
    for seed in range(3):
        begun = 0
        for state in states(game, generator(seed)):
            now = state.situation
            if now.is_dealing or state.is_chance_node():
                continue
            batch = game.model.show(now)
            position = batch.position(0)
            assert position.round == now.round
            if position.round != begun:  # what an opening has made is paid by the first step
                begun = position.round
                assert wiped or state.returns() == [*now.points]
                assert batch.games["banked"][0, : game.num_players()].tolist() == [*now.points]
        longest = max(longest, begun)
        assert wiped or state.returns() == position.scores
    assert longest > 1 or name == "blind"  # of one round


def test_a_boneyard_is_determined_no_sooner_than_it_is_drawn() -> None:
    game = load("block_draw")
    for state in states(game, generator(4)):
        now = state.situation
        if not now.is_dealing and not state.is_chance_node():
            assert len(now.dealt) == game.model.show(now).games["next"][0]


def test_a_tile_taken_out_of_a_hand_is_a_chance_node() -> None:
    game = load("fundomino_caribbean", calls="explicit")
    seen = 0
    for seed in range(12):
        for state in states(game, generator(seed)):
            now = state.situation
            if now.asks != "take":
                continue
            outcomes = dict(state.chance_outcomes())
            assert set(outcomes.values()) == {1 / len(outcomes)}
            for tile in outcomes:
                child = state.child(tile)
                if not child.is_chance_node():
                    last = [e for e in events(child) if e.kind == "take"][-1]
                    assert str(last.tile) == text(state, tile).strip("[]")
                    seen += 1
    assert seen > 50


def events(state: DominoState) -> Any:
    return state.get_game().model.show(state.situation).position(0).events


# What seats know ----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["block_draw", "matador", "fours"])
def test_players_recall_what_they_have_seen_and_done(variant: str) -> None:
    house = domino_env.rules(variant, hand_size=2, **MINI)
    legal: dict[str, list[int]] = {}
    before: dict[str, Any] = {}
    tensors: defaultdict[str, set[bytes]] = defaultdict(set)
    last: dict[str, tuple[Any, ...]] = {}
    for state, _ in tree(load(house)):
        player = state.current_player()
        if player < 0:
            continue
        told = state.information_state_string()
        assert legal.setdefault(told, state.legal_actions()) == state.legal_actions()
        tensors[told].add(np.array(state.information_state_tensor()).tobytes())
        own = own_moves(state, player)
        assert before.setdefault(told, own) == own
        last[told] = own
    assert all(len(each) == 1 for each in tensors.values())
    assert len({each for some in tensors.values() for each in some}) == len(tensors)
    assert max(len(own) for own in last.values()) > 1


def own_moves(state: Any, player: int) -> tuple[int, ...]:
    return tuple(move.action for move in state.full_history() if move.player == player)


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_cannot_tell_a_resampled_state_from_the_real_one(name: str) -> None:
    rules = domino_env.rules(name)
    calls = "explicit" if rules.has_calls else "automatic"
    game = load(name, num_players=rules.players[-1], calls=calls)
    rng, others = generator(5), 0
    for state in states(game, rng):
        if state.current_player() < 0:
            continue
        seat = int(rng.integers(game.num_players()))
        twin = state.resample_from_infostate(seat, rng.random)
        assert twin.information_state_string(seat) == state.information_state_string(seat)
        assert twin.information_state_tensor(seat) == state.information_state_tensor(seat)
        assert twin.observation_tensor(seat) == state.observation_tensor(seat)
        assert twin.current_player() == state.current_player()
        if seat == state.current_player():
            assert twin.legal_actions() == state.legal_actions()
        others += str(twin) != str(state)
    assert others > 0


def test_a_resampled_state_of_a_match_has_its_earlier_rounds() -> None:
    game, rng = load("yourturnmyturn", episode="match"), generator(1)
    later = [
        state.resample_from_infostate(0, rng.random)
        for state in states(game, rng)
        if state.current_player() >= 0 and state.situation.round == 3
    ]
    told = later[-1].information_state_string(0)
    begun = [line.partition(",")[0] for line in told.split("\n") if ", begun at" in line]
    assert begun == ["Round 1", "Round 2"]
    assert "YourTurnMyTurn, round 3 of a match. You are seat 0 of 2." in told
    assert later[-1].returns() == later[0].returns()


def test_the_same_luck_resamples_the_same_state() -> None:
    game = load("bergen")
    state = next(state for state in states(game, generator(0)) if state.current_player() >= 0)
    twins = [str(state.resample_from_infostate(0, lambda: 0.25)) for _ in range(2)]
    assert twins[0] == twins[1]
    with pytest.raises(BadOption, match="where a player is to move"):
        game.new_initial_state().resample_from_infostate(0, lambda: 0.25)


@pytest.mark.parametrize("recall", [True, False])
def test_public_and_private_parts_make_up_what_a_seat_sees(recall: bool) -> None:
    game = load("all_fives", num_players=3)
    kinds = pyspiel.PrivateInfoType
    parts = (True, kinds.SINGLE_PLAYER), (True, kinds.NONE), (False, kinds.SINGLE_PLAYER)
    whole, public, private = (
        make_observation(
            game,
            pyspiel.IIGObservationType(
                perfect_recall=recall, public_info=shown, private_info=hidden
            ),
        )
        for shown, hidden in parts
    )
    for state in states(game, generator(2)):
        for observer in (whole, public, private):
            observer.set_from(state, 1)
        if recall:
            told, own = public.dict["history"], private.dict["history"]
            assert (np.where(told, told, own) == whole.dict["history"]).all()
        else:
            both = {**public.dict, **private.dict}
            assert all((whole.dict[name] == both[name]).all() for name in whole.dict)
        twin = other_hands(state)
        assert public.string_from(state, 1) == public.string_from(twin, 1)
        assert whole.string_from(state, 1) == whole.string_from(twin, 1)


def other_hands(state: DominoState) -> DominoState:
    """The same, as far as seat 1 knows."""
    if state.current_player() < 0:
        return state
    return state.resample_from_infostate(1, lambda: 0.5)


# Algorithms ---------------------------------------------------------------------------------------


SOLVED = {
    "double_2": domino_env.rules("block_draw", hand_size=2, **MINI),
    "double_3": domino_env.rules("block_draw", hand_size=3, draw=NO_DRAW, **LESS_MINI),
}


@pytest.mark.parametrize(
    ("name", "iterations", "exploitable"), [("double_2", 100, 1e-4), ("double_3", 30, 0.005)]
)
def test_counterfactual_regrets_find_the_best_play(
    name: str, iterations: int, exploitable: float
) -> None:
    """The tree is kept in C++, so that its states are made in Python once. To seats that are dealt
    and paid alike the game is worth nothing."""
    game = pyspiel.convert_to_cached_tree(load(SOLVED[name]))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.nash_conv(game, policy) < exploitable
    worth = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert worth == pytest.approx([0, 0], abs=exploitable)


def test_information_set_search_beats_random_play() -> None:
    game = pyspiel.load_game("domino(variant=matador,max_pip=2,hand_size=2)")
    margin = margin_of_search(game, games=250, simulations=30, uct_c=3.0, seed=0)
    assert margin.mean > 4 * margin.error


def test_block_dominoes_is_block_draw_with_house_rules() -> None:
    """OpenSpiel's `python_block_dominoes`: two players with seven tiles each and no boneyard; seat
    0 begins with any tile; who goes out, or has fewer pips in a blocked round, scores what the
    other holds, with nothing taken off. All of that can be said by `Rules`.

    It tells plays apart by the number they join, and we by the end: two ends that show the same
    number are one action there and two here. So actions are compared as tiles and numbers.
    """
    house = domino_env.rules(
        "block_draw",
        players=(2,),
        hand_size=7,
        opening=Opening(starter="lot", tile="any"),
        draw=NO_DRAW,
        blocked=Blocked(less_own=False),
    )
    theirs = pyspiel.load_game("python_block_dominoes")
    ours = domino_env.batch(house, 1, autoreset=False)
    moves = [decode(house, action) for action in range(ours.num_actions)]
    rng, decisions = generator(0), 0
    for _ in range(1000):
        state = theirs.new_initial_state()
        while state.is_chance_node():
            state.apply_action(int(rng.choice(state.legal_actions())))
        deal = {"hands": state.hands, "boneyard": state.deck, "starter": 0}
        ours.reset(options={"deal": in_whole_numbers(deal)})
        opens = True
        while not state.is_terminal():
            assert state.current_player() == ours.seat[0]
            mine = defaultdict(list)
            for action in ours.legal[0, : ours.num_legal[0]].tolist():
                move = moves[action]
                mine[str(move.tile), None if opens else move.tile[move.half]].append(action)
            known = {named(state, action): action for action in state.legal_actions()}
            assert mine.keys() == known.keys()
            chosen = sorted(known, key=str)[rng.integers(len(known))]
            state.apply_action(known[chosen])
            ours.step_one(int(rng.choice(mine[chosen])))
            opens, decisions = False, decisions + 1
        assert ours.done[0]
        assert ours.reward[0].tolist() == state.returns()
    assert decisions > 10_000


def in_whole_numbers(deal: dict[str, Any]) -> dict[str, Any]:
    """Their tiles are of floats."""
    hands = [[tuple(map(int, tile)) for tile in hand] for hand in deal["hands"]]
    boneyard = [tuple(map(int, tile)) for tile in deal["boneyard"]]
    return {"hands": hands, "boneyard": boneyard, "starter": deal["starter"]}


def named(state: Any, action: int) -> tuple[str, int | None]:
    """Their "p0 tile:(1.0, 5.0) pip:5.0" as the tile and the number that it joins."""
    told = block_dominoes._ACTIONS[action]
    low, high = map(int, told.tile)
    return f"{low}|{high}", None if told.edge is None else int(told.edge)
