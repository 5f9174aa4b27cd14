"""Answers read by who knows the legal moves and not the table: never as another move than by who
knows it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

import domino_env
from domino_env import text
from domino_env.batches import Batch
from domino_env.errors import IllegalMove, NotAMove
from domino_env.text.parsing import parse_listed
from domino_env.text.vocabulary import vocabulary_of

SOME = ["block_draw", "five_up", "fundomino", "matador", "mexican_train", "all_fives", "bergen"]


def positions(name: str, games: int = 3) -> Iterator[Batch]:
    """Every position of some random games."""
    batch, chance = Batch(name, 1, seed=1, autoreset=False), random.Random(0)
    for _ in range(games):
        batch.reset()
        while int(batch.seat[0]) >= 0:
            yield batch
            batch.step([chance.choice(legal_of(batch))])


def legal_of(batch: Batch) -> list[int]:
    return np.flatnonzero(batch.mask[0]).tolist()


def listed(batch: Batch, answer: str) -> str | None:
    """What an answer is read as by the list; None if it is not read."""
    words = vocabulary_of(batch)
    try:
        return words.name(parse_listed(words, answer, legal_of(batch), int(batch.seat[0])))
    except (NotAMove, IllegalMove):
        return None


@pytest.mark.parametrize("name", SOME)
def test_moves_as_they_are_called_are_read_in_any_dress(name: str) -> None:
    for batch in positions(name, 1):
        for move in map(str, batch.position().legal):
            assert listed(batch, move) == move
            assert listed(batch, f"Not an easy one. I play **{move.lower()}**.") == move


@pytest.mark.parametrize("name", SOME)
def test_no_answer_is_read_as_another_move(name: str) -> None:
    chance, read, refused = random.Random(2), 0, 0
    for batch in positions(name):
        tiles = [str(move).split("]")[0] + "]" for move in batch.position().legal if move.tile]
        for tile in tiles:
            number = chance.choice("0123456")
            ways = ["", f" on the {number}", f" → {number}", f" end {number}", " left", " right"]
            for way in ways:
                found = listed(batch, tile + way)
                read, refused = read + (found is not None), refused + (found is None)
                if found is not None:
                    assert found == str(text.parse(batch, tile + way))
    assert read > 20
    assert refused > 20


def test_what_is_refused_is_told_with_the_legal_moves() -> None:
    batch = next(positions("block_draw"))
    words = vocabulary_of(batch)
    first = str(batch.position().legal[0])
    with pytest.raises(NotAMove, match="legal moves: ") as told:
        parse_listed(words, "I do not know", legal_of(batch), 0)
    assert first in str(told.value)
    assert first not in told.value.reason


def test_an_end_is_called_by_what_it_shows_where_the_moves_tell_that() -> None:
    assert domino_env.rules("block_draw").match.by == "same"
    read = 0
    for batch in positions("block_draw"):
        shown = batch.position().ends
        for move in batch.position().legal:
            if move.tile is not None and shown:
                answer = f"[{move.tile}] on the {move.tile[move.half or 0]}"
                read += listed(batch, answer) == str(move)
    assert read > 10
