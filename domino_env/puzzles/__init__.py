"""One-player games: a row to count along, a row to knock pairs out of, columns to turn face up.

They have their own small engine, and the same batch, positions, moves and environments as the games
at a table.
"""

COMPILED = ("the engine of one-player games", 5)
