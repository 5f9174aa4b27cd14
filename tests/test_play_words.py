"""What is said on the page when a round or a match is over: who goes out has not all the points."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import domino_env
from domino_env.play import phrases
from domino_env.play.session import Session
from domino_env.play.setup import make_setup
from domino_env.position import Position
from tests.games import AT_A_TABLE

SEEDS = range(12)


def ends(game: str, **setup: Any) -> Iterator[tuple[Session, Position, list[str]]]:
    """The end of each round of some games that are played at random, from the person's seat."""
    players = domino_env.rules(game).players
    for seed in SEEDS:
        wanted = {"num_players": players[seed % len(players)], "against": ["random"], **setup}
        session = Session.begun(make_setup(game, seed=seed, **wanted))
        chance, names = random.Random(seed), phrases.seat_names(session.names)
        while not session.over:
            if session.to_move is None:
                yield session, session.position, names
                session.next_round()
            else:
                session.step(chance.choice(session.position.legal_actions))
        yield session, session.position, names


def most(position: Position) -> list[int]:
    best = max(position.scores)
    return [seat for seat, points in enumerate(position.scores) if points == best]


@pytest.mark.parametrize("game", AT_A_TABLE)
def test_who_goes_out_and_who_has_most_points_are_said_apart(game: str) -> None:
    for _, end, names in ends(game):
        said, beside = phrases.outcome(end, names), phrases.outcome_note(end, names, False, True)
        out = [names[seat] for seat in end.finished[:1]]
        if "Blocked" not in said:
            assert said.startswith(f"{out[0]} go") if out else "stakes" in said or "exactly" in said
        if not end.winners:
            assert said.endswith("nobody wins the round")
        elif [names[seat] for seat in end.winners] != out:
            assert all(names[seat].lower() in said.lower() for seat in end.winners)
        if len(most(end)) == end.num_players:
            assert not beside
        else:
            assert beside.startswith("Most points: " + " and ".join(names[s] for s in most(end)))
            assert str(max(end.scores)).removeprefix("-") in beside


def test_a_round_that_is_won_without_the_most_points_does_not_say_that_its_winner_wins() -> None:
    apart = [
        (phrases.outcome(end, names), phrases.outcome_note(end, names, False, True))
        for _, end, names in ends("five_up", against=["heuristic"])
        if end.finished and end.finished[0] not in most(end)
    ]
    assert apart
    for said, beside in apart:
        assert said.endswith((" goes out", "You go out"))
        assert said.split(" go")[0] not in beside


@pytest.mark.parametrize("game", ["five_up", "bendomino_teams", "fruitominoes"])
def test_a_match_is_won_with_points_and_says_how_its_last_round_ended(game: str) -> None:
    for session, end, names in ends(game, match=True):
        said = phrases.outcome(end, names, match=session.over)
        beside = phrases.outcome_note(end, names, True, session.over)
        if not session.over:
            assert beside == "" or beside.startswith("Most points so far: ")
            assert "match" not in said
        elif end.winners:
            assert f" the match, with {max(end.scores)} point" in said
            assert beside.startswith("Last round: ")
        else:
            assert said == "The match is drawn"
