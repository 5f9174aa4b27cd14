"""The referees of trains and feet: rounds and matches at random, watched by an onlooker."""

from __future__ import annotations

from itertools import chain, combinations
from random import Random
from typing import Any

import pytest

from tests.onlooker import ONLOOKERS
from tests.reference.trains import GAMES, DealAgain, new_game

Deal = tuple[list[list[tuple[int, int]]], list[tuple[int, int]]]

OPTIONS = {variant: game.options_allowed for variant, game in GAMES.items()}
SIZES = [
    (variant, name, players)
    for variant, game in GAMES.items()
    for name, hands in game.usual_hands.items()
    for players in hands
]
EVERY_CHOICE = [
    (variant, chosen)
    for variant, names in OPTIONS.items()
    for chosen in chain.from_iterable(combinations(names, n) for n in range(len(names) + 1))
]

# Rounds at random ---------------------------------------------------------------------------------


def shuffled(game: Any, random: Random) -> Deal:
    """A deal of the next round."""
    tiles = list(game.tiles)
    random.shuffle(tiles)
    middle = []
    if game.draws_lots:
        middle = [game.middle_of_the_round()]
        tiles.remove(middle[0])
    size, dealt = game.hand_size, game.hand_size * game.players
    return [tiles[n : n + size] for n in range(0, dealt, size)], middle + tiles[dealt:]


def watched_round(game: Any, random: Random, starter: int | None = None) -> int:
    """Plays a round at random, with an onlooker; how many decisions it took."""
    game.pick_tile = lambda loser, gainer, tiles: random.choice(tiles)
    while True:
        hands, boneyard = shuffled(game, random)
        try:
            game.start_round(hands, boneyard, starter)
            break
        except DealAgain:
            continue
    if starter is None:
        starter = [*(event[1] for event in game.events[1:]), game.to_move][0]
    onlooker = ONLOOKERS[game_name(game)](game, hands, boneyard, starter)
    onlooker.listen()
    decisions, gained = 0, []
    while not game.round_over:
        gained = game.apply(random.choice(sorted(game.legal())))
        onlooker.listen()
        decisions += 1
        assert decisions < 500
    onlooker.look_at_the_end(gained)
    return decisions


def game_name(game: Any) -> str:
    (name,) = [name for name, kind in GAMES.items() if type(game) is kind]
    return name


@pytest.mark.parametrize(("variant", "name", "players"), SIZES)
def test_rounds_of_every_size_go_as_an_onlooker_says(variant: str, name: str, players: int) -> None:
    random = Random(f"{variant} {name} {players}")
    game = new_game(variant, players, set=name)
    for _ in range(4):
        watched_round(game, random, random.randrange(players))


@pytest.mark.parametrize(("variant", "chosen"), EVERY_CHOICE)
@pytest.mark.parametrize("calls", ["automatic", "explicit"])
def test_rounds_with_every_choice_of_options_go_as_an_onlooker_says(
    variant: str, chosen: tuple[str, ...], calls: str
) -> None:
    if calls == "explicit" and "say_last_tile" not in chosen:
        with pytest.raises(ValueError, match="calls"):
            new_game(variant, 4, calls=calls, options=chosen)
        return
    random = Random(f"{variant} {chosen} {calls}")
    for players in (2, 4, 7):
        game = new_game(variant, players, set="double_9", hand_size=5, calls=calls, options=chosen)
        for _ in range(3):
            watched_round(game, random, random.randrange(players))


@pytest.mark.parametrize("variant", GAMES)
def test_rounds_of_hands_that_leave_no_boneyard_are_blocked_at_times(variant: str) -> None:
    random, blocked = Random(f"{variant} without boneyard"), 0
    for _ in range(30):
        game = new_game(variant, 3, set="double_9", hand_size=18)
        watched_round(game, random, random.randrange(3))
        blocked += all(game.hands)
    assert blocked


@pytest.mark.parametrize("variant", GAMES)
def test_rounds_of_small_sets_go_as_an_onlooker_says(variant: str) -> None:
    """Few tiles, so that finished trains and feet without tiles are common."""
    random = Random(f"{variant} small")
    for _ in range(200):
        players = random.choice((2, 3))
        game = new_game(variant, players, set="double_6", hand_size=random.randrange(1, 10))
        watched_round(game, random, random.randrange(players))


# Matches ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", GAMES)
def test_a_match_has_a_round_for_every_double_and_the_lead_goes_round(variant: str) -> None:
    random = Random(f"{variant} match")
    game = new_game(variant, 4, set="double_9", episode="match")
    totals = [0, 0, 0, 0]
    for number in range(10):
        assert not game.episode_over
        watched_round(game, random, 2 if number == 0 else random.choice((None, (2 + number) % 4)))
        assert game.table[0] == ((9 - number, 9 - number), None)
        assert game.events[0] == ("start", None, (9 - number, 9 - number))
        acted = [event[1] for event in game.events[1:]]
        assert acted[0] == (2 + number) % 4
        totals = [total - game.charge(seat) for seat, total in enumerate(totals)]
        assert game.scores == totals
    assert game.episode_over
    best = [seat for seat in range(4) if totals[seat] == max(totals)]
    assert game.winners == (set(best) if len(best) == 1 else set())
    with pytest.raises(ValueError, match="the match is over"):
        game.start_round([], [])


def test_in_a_match_whose_middles_are_dealt_each_round_has_the_next_lower_double() -> None:
    random = Random("dealt")
    game = new_game(
        "mexican_train", 3, set="double_9", episode="match", options=["middle_is_dealt"]
    )
    for number in range(9, -1, -1):
        watched_round(game, random)
        opener = game.events[0][1]
        assert game.events[0] == ("play", opener, (number, number), 0, 0)
        assert game.events[1][1] == (opener + 1) % 3
    assert game.episode_over


def test_another_middle_or_another_starter_than_the_rounds_is_refused() -> None:
    game, random = new_game("chickenfoot", 2, episode="match", rounds=2), Random(1)
    hands, boneyard = shuffled(game, random)
    with pytest.raises(ValueError, match="needs a starter"):
        game.start_round(hands, boneyard)
    with pytest.raises(ValueError, match="lies in the middle"):
        game.start_round(hands, boneyard[::-1], 0)
    watched_round(game, random, 0)
    with pytest.raises(ValueError, match="player 1 starts"):
        game.start_round(*shuffled(game, random), 0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 9},
        {"players": 5, "set": "double_9"},
        {"players": 2, "options": ["six_toes_on_middle"]},
        {"players": 2, "rounds": 14},
        {"players": 2, "target": 100},
        {"players": 2, "hand_size": 46},
        {"players": 2, "calls": "explicit"},
    ],
)
def test_what_the_game_does_not_have_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        new_game("mexican_train", **wrong)
