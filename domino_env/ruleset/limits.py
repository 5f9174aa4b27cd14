"""The sets that games are played with, and how large a game can be."""

from __future__ import annotations

MAX_SEATS = 8
MAX_TILES = 136  # double fifteen
MAX_VALUES = 31
MAX_CURVED_TILES = 60
MAX_BRANCHES = 16  # doubles that open more than one end
MOST_ROUNDS = 8  # whose winners have a bonus of their own
MOST_MULTIPLES = 4  # of which the ends can be one
LISTED = "listed"
SETS = {"double_6": 6, "double_9": 9, "double_12": 12, "double_15": 15}
MINI_SETS = {"double_2": 2, "double_3": 3}
"""Sets so small that whole games can be solved; with the hands and players that they suffice for,
they are good for every game with straight tiles."""
