"""Prompts: they say what a seat may know, all of it, and nothing else."""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from typing import Any

import pytest

import domino_env
from domino_env import text
from domino_env.errors import BadOption
from tests.differential import Setting, settings
from tests.games import ALONE, AT_A_TABLE
from tests.test_observations import batch_of, every_setting, permute_hidden, random_states
from tests.test_solo_observations import permute_hidden as permute_face_down

MOST_TOKENS = 4000  # of three characters each
WAYS: list[dict[str, Any]] = [
    {"rules": False},
    {"rules": False, "style": "json"},
    {"rules": False, "history": False, "legal": False},
]


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_hidden_tiles_permuted_never_change_a_prompt(variant: str) -> None:
    chance = random.Random(variant)
    moved = noticed = 0
    for setting in chance.sample(every_setting(variant), min(6, len(every_setting(variant)))):
        for batch in random_states(setting, 3, looks=4, seed=chance.randrange(2**32)):
            for lane in range(batch.num_games):
                kept = batch._games[lane : lane + 1].copy()
                for seat in range(batch.num_players):
                    before = [all_of(batch, lane, who) for who in range(batch.num_players)]
                    moved += permute_hidden(batch, lane, seat, chance)
                    after = [all_of(batch, lane, who) for who in range(batch.num_players)]
                    assert after[seat] == before[seat], setting
                    noticed += before != after
                    batch._games[lane : lane + 1] = kept
    assert moved > 100
    assert (noticed == 0) == domino_env.rules(variant).rows


@pytest.mark.parametrize("variant", ALONE)
def test_tiles_that_lie_face_down_never_change_a_prompt(variant: str) -> None:
    chance, moved, looked = random.Random(variant), 0, 0
    has_columns = domino_env.rules(variant).layout_kind == "columns"
    for batch in states(settings(variant)[0], 3):
        for lane in range(batch.num_games):
            kept, told = batch._games[lane : lane + 1].copy(), all_of(batch, lane, 0)
            moved += (
                permute_face_down(batch, lane, chance)
                if batch.rules.layout_kind == "columns"
                else 0
            )
            assert all_of(batch, lane, 0) == told
            batch._games[lane : lane + 1] = kept
            looked += 1
    assert looked > 200
    assert (moved > 100) == has_columns


def all_of(batch: Any, lane: int, seat: int) -> list[str]:
    """Every prompt that a seat can be given, and what it observes."""
    told = [text.describe(batch, lane, seat, history=recall) for recall in (False, True)]
    return [*(text.prompt(batch, lane, seat, **way) for way in WAYS), *told]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("variant", [*AT_A_TABLE, *ALONE])
def test_prompts_of_different_information_differ(variant: str, way: dict[str, Any]) -> None:
    seen: defaultdict[tuple[Any, ...], set[bytes]] = defaultdict(set)
    views = 0
    for number, setting in enumerate(settings(variant)[:8]):
        for batch in states(setting, number):
            for lane in range(batch.num_games):
                for seat in range(batch.num_players):
                    observed = batch.observe(lane, seat).tobytes()
                    seen[number, seat, text.prompt(batch, lane, seat, **way)].add(observed)
                    views += 1
    assert all(len(each) == 1 for each in seen.values())
    assert views > 200
    assert len(seen) > 40


def states(setting: Setting, seed: int) -> Any:
    """A batch at random moments."""
    if domino_env.rules(setting.variant).has_opponents:
        yield from random_states(setting, 6, looks=20, seed=seed)
        return
    batch = domino_env.batch(setting.variant, 24, seed=seed)
    batch.reset()
    for _ in range(12):
        batch.step(batch.sample())
        yield batch


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_prompts_of_double_twelve_are_short_enough(variant: str) -> None:
    rules = domino_env.rules(variant)
    setting = Setting(
        variant, rules.players[-1], "double_12" if "double_12" in rules.sets else rules.set
    )
    longest = 0
    for batch in random_states(setting, 8, looks=40, seed=3):
        longest = max(longest, *(len(text.prompt(batch, lane)) for lane in range(8)))
    assert longest / 3 <= MOST_TOKENS


@pytest.mark.parametrize("variant", ALONE)
def test_prompts_of_games_for_one_are_short_enough(variant: str) -> None:
    prompts = [
        text.prompt(batch, lane)
        for batch in states(settings(variant)[0], 3)
        for lane in range(batch.num_games)
    ]
    assert max(map(len, prompts)) / 3 <= MOST_TOKENS


def test_a_prompt_reads_as_a_player_would_say_it() -> None:
    batch = domino_env.batch("all_fives", 1, 2, seed=0)
    deal = {
        "hands": [
            [(6, 6), (5, 6), (0, 3), (3, 5), (2, 2), (0, 0), (3, 3)],
            [(1, 6), (1, 1), (0, 4), (4, 4), (0, 2), (2, 4), (0, 1)],
        ]
    }
    named = {tile for hand in deal["hands"] for tile in hand}
    deal["boneyard"] = [tile for tile in batch.rules.tile_set.faces if tile not in named]
    batch.reset(options={"deal": deal})
    batch.step_one(domino_env.actions.encode("all_fives", text.parse(batch, "1-6")))
    assert text.prompt(batch, rules=False).splitlines() == [
        "All Fives, a single round. You are seat 0 of 2.",
        "Table: opened with [6|6]",
        "  end 0 (left) shows 1, on [1|6], counts 1: [6|1]",
        "  end 1 (right) shows 6, on [6|6], counts 12",
        "Boneyard: 14 tiles",
        "Your hand: [0|0] [0|3] [2|2] [3|3] [3|5] [5|6]",
        "You (seat 0): 6 tiles, 0 points",
        "Seat 1: 6 tiles, 0 points",
        "Earlier: you play [6|6] → end 0",
        "Since your last decision: seat 1 plays [1|6] by 6 → end 0",
        "Legal moves:",
        "- [5|6] by 6 → end 1",
        "What do you do? Answer with one of the legal moves.",
    ]
    assert text.prompt(batch, seat=1, rules=False).splitlines()[-1] == "Seat 0 is to decide."
    bare = text.prompt(batch, rules=False, history=False, legal=False)
    assert "Earlier" not in bare
    assert "Legal" not in bare
    assert "You (seat 0): 6 tiles, 0 points; has played [6|6]" in bare
    told = json.loads(text.prompt(batch, rules=False, style="json"))
    assert told["hand"] == ["[0|0]", "[0|3]", "[2|2]", "[3|3]", "[3|5]", "[5|6]"]
    assert told["legal"] == ["[5|6] by 6 → end 1"]
    assert told["ends"][1] == {"end": 1, "shows": "6", "on": "[6|6]", "counts": 12}


def test_the_end_of_a_game_is_told_with_all_hands() -> None:
    batch = domino_env.batch("block_draw", 1, 2, seed=0, autoreset=False)
    batch.reset()
    while batch.seat[0] >= 0:
        assert "Hand of seat" not in text.prompt(batch, rules=False)
        batch.step(batch.sample())
    told = text.prompt(batch, rules=False)
    assert "Hand of seat 0:" in told
    assert "The game is over: won by seat" in told
    winner = batch.position().winners[0]
    assert "won by you" in text.prompt(batch, seat=winner, rules=False)


def test_questions_are_asked_with_their_answers() -> None:
    batch = domino_env.batch("all_fives", 8, 2, seed=0, calls="explicit")
    batch.reset()
    for _ in range(100):
        batch.step(batch.sample())
        for lane in range(8):
            position = batch.position(lane)
            if position.question == "points":
                told = text.prompt(batch, lane, legal=False)
                assert f"Question: Call {position.claim} points?" in told
                assert told.endswith("Answer CALL or SILENT.")
                return
    raise AssertionError


def test_options_out_of_their_range_are_refused() -> None:
    batch = batch_of(settings("block_draw")[0], 1)
    with pytest.raises(BadOption, match="style must be one of plain, json"):
        text.prompt(batch, style="xml")
    with pytest.raises(BadOption, match="seats are 0 to 1, not 2"):
        text.prompt(batch, seat=2)
    with pytest.raises(BadOption, match="legal must be True or False"):
        text.prompt(batch, legal="no")  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="lanes are 0 to 0"):
        text.prompt(batch, 1)


def test_turns_of_text_are_fast() -> None:
    """Five thousand a second on a quiet core; here a third of that, in time of the processor."""
    batch = domino_env.batch("block_draw", 1, 2, seed=0)
    batch.reset()
    for number in range(3200):
        if number == 200:
            start = time.process_time()
        told = text.prompt(batch, legal=False)
        move = text.parse(batch, f"I play {_first(batch)}.")
        batch.step_one(domino_env.actions.encode(batch.rules, move))
    assert told
    assert 3000 / (time.process_time() - start) > 1700


def _first(batch: Any) -> Any:
    return domino_env.actions.decode(batch.rules, int(batch.legal[0, 0]))


def told_in_play(name: str, episode: str, steps: int, **options: Any) -> dict[str, list[Any]]:
    """Prompts of random play, by their lines; beside each line the records of the games."""
    rules = domino_env.rules(name, **options)
    batch = domino_env.batch(rules, 16, rules.players[0], seed=2, episode=episode)
    batch.reset()
    found: dict[str, list[Any]] = defaultdict(list)
    for _ in range(steps):
        for lane in range(16):
            for line in text.prompt(batch, lane, rules=False).splitlines():
                found[line].append(batch.games[lane].copy())
        batch.step(batch.sample())
    return found


def test_trains_are_told_with_owners_markers_and_open_doubles() -> None:
    told = told_in_play("mexican_train", "round", 60)
    for seat in range(4):
        marked = [
            games
            for line, games in told.items()
            if line.startswith(f"Seat {seat}:") and "has a marker on its train" in line
        ]
        assert marked
        assert all(int(game["markers"]) >> seat & 1 for games in marked for game in games)
    assert any("the train of everybody" in line for line in told)
    assert any(line.startswith("  end 2 ") and "the train of seat 1" in line for line in told)
    due = [line for line in told if "must have 1 tile before anything else" in line]
    assert due
    for line in due:
        double = [*domino_env.rules("mexican_train").tile_set.faces].index
        pips = int(line[1 : line.index("|")])
        assert {int(game["due"]) for game in told[line]} == {double((pips, pips))}


def test_the_spinner_is_told_and_whether_it_lies() -> None:
    told = told_in_play("all_fives_spinner", "round", 12)
    assert all(int(game["spinner"]) < 0 for game in told["Spinner: not laid yet"])
    laid = [line for line in told if line.startswith("Spinner: [")]
    assert laid
    assert all(int(game["spinner"]) >= 0 for line in laid for game in told[line])


def test_a_match_is_told_with_its_lead_and_what_a_round_pays() -> None:
    told = told_in_play("puerto_rican", "match", 90)
    for won, points in enumerate((100, 75)):
        games = told[f"Winning this round pays {points} more."]
        assert games
        assert {int(game["rounds_won"]) for game in games} == {won}
    assert told["The lead of this round: you"]
    asked = told_in_play("jamaican_partner", "match", 60, lead="team")
    assert asked["Answer LEAD or YIELD."]
