"""The `domino` command."""
