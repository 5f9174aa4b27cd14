"""The rules of a game in plain words, short enough for a prompt: `rules`.

They are made from the parts of `Rules`, so whoever changes one of them changes the sentence that
tells of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from domino_env.batches import CALLS, Batch, check_choice
from domino_env.batches.options import seats as seats_of
from domino_env.games import Game, rules_of
from domino_env.text import rules_of_bonuses, rules_of_opening, rules_of_play, rules_of_scoring
from domino_env.text.rules_alone import alone

MOST_WORDS = 600


def rules(game: Game | Batch, *, num_players: int | None = None, calls: str = "automatic") -> str:
    """The rules of a game in plain words, no more than 600 of them.

    Args:
        game: an id, rules, or a batch, whose seats and calls are taken.
        num_players: for so many; for every number that the game takes by default.
        calls: as for `Batch`: "explicit" where points must be called.
    """
    if isinstance(game, Batch):
        return written(game.rules, (game.num_players,), game.calls)
    check_choice("calls", calls, CALLS)
    played = rules_of(game)
    some = played.players if num_players is None else (seats_of(played, num_players),)
    return written(played, tuple(some), calls)


@lru_cache(256)
def written(game: Any, seats: tuple[int, ...], calls: str) -> str:
    """The rules of a game for any of some numbers of players."""
    return "\n".join([f"The rules of {game.title}:", *paragraphs(game, seats, calls)])


def paragraphs(game: Any, seats: tuple[int, ...], calls: str) -> Iterator[str]:
    """The rules in paragraphs."""
    if not game.has_opponents:
        yield " ".join(alone(game))
        return
    play, score, beside = rules_of_play, rules_of_scoring, rules_of_bonuses
    parts = (
        (*play.tiles(game, seats), *rules_of_opening.opening(game)),
        play.table(game),
        (*play.turns(game), *score.calls(game, calls)),
        (*score.plays(game), *score.end_of_round(game), *beside.bonuses(game)),
        (*score.end_of_match(game), *beside.tally(game)),
        _writing(game),
    )
    yield from (f"- {' '.join(part)}" for part in parts)


def _writing(game: Any) -> Iterator[str]:
    """How moves are written."""
    yield (
        "A move is written [3|5] by 3 → end 1: the tile, the half that joins, and the end; a "
        "shorter form will do where it can mean only one move."
    )
