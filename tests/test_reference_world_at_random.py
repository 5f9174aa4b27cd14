"""Random matches of the world's line games by their referees, with every option and every two that
go together: what must hold whatever is played."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from tests import reference
from tests.reference.world import GAMES, WorldReferee
from tests.reference.world.all_fives_spinner import AllFivesSpinner
from tests.world_rounds import new_game

MOST_ROUNDS = 40  # of one match
WIPED = ("jamaican_partner", "cutthroat_block")  # scores that are not the sum of what was gained


def choices(variant: str) -> list[tuple[str, ...]]:
    """No option, each, and every two that do not contradict each other."""
    known = GAMES[variant].known_options
    against = {frozenset(pair) for pair in GAMES[variant].contradictions}
    pairs = [pair for pair in combinations(known, 2) if frozenset(pair) not in against]
    return [(), *((name,) for name in known), *pairs]


SETTINGS = [
    pytest.param(variant, players, options, id="-".join((variant, str(players), *options)))
    for variant in GAMES
    for options in choices(variant)
    for players in GAMES[variant].seats_allowed
    if players == 4 or "teams" not in options
]


def deal(game: WorldReferee, random: Random) -> None:
    """Starts a round; deals that go back are dealt again."""
    while True:
        tiles = random.sample(game.tiles, len(game.tiles))
        size, dealt = game.hand_size, game.hand_size * game.players
        hands = [tiles[seat * size : (seat + 1) * size] for seat in range(game.players)]
        starter = random.randrange(game.players) if game.draws_lots else None
        try:
            return game.start_round(hands, tiles[dealt:], starter)
        except reference.DealAgain:
            continue


def check_a_standing(game: WorldReferee) -> None:
    """Every tile is somewhere, partners have the same, and the next seat has something to do."""
    everywhere = [tile for hand in game.hands for tile in hand]
    everywhere += [*game.boneyard, *(tile for tile, _ in game.table)]
    assert sorted(everywhere) == sorted(game.tiles)
    assert not game.in_teams or game.scores[:2] == game.scores[2:]
    assert game.round_over == (game.to_move is None) == (not game.legal())


def check_what_follows(game: WorldReferee, heard: int) -> None:
    """Who has passed since could not play, nor draw."""
    may_draw = isinstance(game, AllFivesSpinner) and not game.in_teams
    for kind, seat, *_ in game.events[heard:]:
        if kind == "pass":
            assert not fits(game, seat)
            assert not (may_draw and game.boneyard)


def fits(game: WorldReferee, seat: int) -> bool:
    """Does a tile of this seat show the number of an end?"""
    shown = {value for value, *_ in game.ends().values()}
    return any(half in shown for tile in game.hands[seat] for half in tile)


def check_the_end(game: WorldReferee) -> None:
    """Somebody is out, nobody can play, or the target was hit exactly; the sides are whole."""
    is_out = any(not hand for hand in game.hands)
    blocked = not any(fits(game, seat) for seat in game.seats())
    assert is_out or blocked or game.scores.count(game.target)
    for seat in game.round_winners:
        assert game.side(seat) == game.round_winners
    if not game.episode_over:
        assert game.winners == set()


def play_a_round(game: WorldReferee, random: Random) -> list[int]:
    """Plays at random; what everybody has gained."""
    deal(game, random)
    total = [0] * game.players
    heard = 0
    while not game.round_over:
        check_a_standing(game)
        check_what_follows(game, heard)
        heard = len(game.events)
        gained = game.apply(random.choice(sorted(game.legal())))
        assert min(gained) >= 0
        total = [sum(pair) for pair in zip(total, gained, strict=True)]
    check_a_standing(game)
    check_the_end(game)
    return total


@pytest.mark.parametrize(("variant", "players", "options"), SETTINGS)
def test_random_matches(variant: str, players: int, options: tuple[str, ...]) -> None:
    random = Random(f"{variant} {players} {options}")
    for calls in ("automatic", "explicit") if GAMES[variant].has_calls else ("automatic",):
        game = new_game(variant, players, options=options, episode="match", calls=calls)
        for _ in range(MOST_ROUNDS):
            before = list(game.scores)
            total = play_a_round(game, random)
            after = [sum(pair) for pair in zip(before, total, strict=True)]
            assert game.scores == after or variant in WIPED
            if game.episode_over:
                break


@pytest.mark.parametrize("variant", [name for name in GAMES if GAMES[name].in_teams])
def test_small_hands_are_played_too(variant: str) -> None:
    random = Random(variant)
    for hand_size in (2, 3, 4):
        game = new_game(variant, hand_size=hand_size)
        for _ in range(20):
            play_a_round(game, random)


def test_the_key_never_fits_ends_that_are_equal() -> None:
    """The halves of a number on the table lie two by two, but for the open ones: with both ends
    showing it, an even number of tiles with it is missing, so never the key alone (JP3, W6)."""
    random = Random("key")
    keys = 0
    for _ in range(500):
        game = new_game("jamaican_partner")
        if max(play_a_round(game, random)) == 2:
            keys += 1
            assert len(set(game.ends_before)) == 2
    assert keys


@pytest.mark.parametrize("players", [2, 3, 4])
def test_only_the_first_double_is_played_on_four_sides(players: int) -> None:
    random = Random(players)
    for name in ("double_6", "double_9"):
        game = new_game("all_fives_spinner", players, set=name)
        for _ in range(20):
            deal(game, random)
            while not game.round_over:
                game.apply(random.choice(sorted(game.legal())))
                doubles = [tile for tile, _ in game.table if tile[0] == tile[1]]
                short = [tile for _, tile, pips in game.ends().values() if not pips and sum(tile)]
                across = [tile for tile in short if tile[0] == tile[1]]
                assert set(across) <= set(doubles[:1])
                assert len(game.ends()) in (2, 4)
