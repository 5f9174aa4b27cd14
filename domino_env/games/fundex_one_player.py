"""The three games of the Fundex booklet for one player."""

from domino_env.puzzles.rules import PuzzleRules

ELIMINATION = PuzzleRules(
    id="elimination",
    title="Elimination",
    summary="count 0-12 along a row (Baronet)",
    source="Fundex",
    play="counting",
)

SOLITAIRE = PuzzleRules(
    id="solitaire",
    title="Domino Solitaire",
    summary="columns of tiles, turn all face up",
    source="Fundex",
    play="turning_up",
    moves=200,
)

KNOCK_OUT = PuzzleRules(
    id="knock_out",
    title="Knock-Out",
    summary="knock out touching tiles that match",
    source="Fundex",
    play="pairs",
)
