"""What is done with games and agents: tournaments, benchmarks, and the `domino` command."""

COMPILED = ("the training loop", 10)
