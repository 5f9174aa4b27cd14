"""Who our peers are, and what is measured of each."""

from __future__ import annotations

from dataclasses import dataclass

SIZES = (1, 64, 1024, 4096, 16_384)
"""Games at once for which we are compared with those that have batches."""

_PGX = "loop, step and choice in one jitted function, over `vmap`; uniform over the legal actions"
_TRIPLETRIAD = "one agent and its random opponent; loop and choice in C, for this processor"


@dataclass(frozen=True)
class Peer:
    """A game of somebody else's.

    Attributes:
        name: how tables name it.
        package: where it is from, as a key of `ENVIRONMENTS`.
        game: what its worker is told to play.
        measured: one line on what a decision is there.
        sizes: how many games it is measured with at once; (1,) if it has no batches.
    """

    name: str
    package: str
    game: str
    measured: str
    sizes: tuple[int, ...] = (1,)

    @property
    def has_batches(self) -> bool:
        """Does it play many games at once? If not, the size is nothing to it."""
        return self.sizes != (1,)


OPENSPIEL = "OpenSpiel"
TRIPLETRIAD = "PufferLib tripletriad"

PEERS = (
    Peer(
        OPENSPIEL,
        "open_spiel",
        "python_block_dominoes",
        "its python_block_dominoes, one game at a time; legal actions, mask and observation "
        "tensor at each decision",
    ),
    Peer(
        "dominoes",
        "dominoes",
        "dominoes",
        "whole games of four, in plain Python; a random valid move, no observation",
    ),
    Peer("pgx kuhn_poker", "pgx", "kuhn_poker", _PGX, SIZES),
    Peer("pgx leduc_holdem", "pgx", "leduc_holdem", _PGX, SIZES),
    Peer("pgx connect_four", "pgx", "connect_four", _PGX, SIZES),
    Peer(
        TRIPLETRIAD,
        "pufferlib",
        "own_mask",
        f"{_TRIPLETRIAD}; uniform over its own mask, which also allows what the game then ignores",
        SIZES[1:],
    ),
    Peer(
        f"{TRIPLETRIAD}, legal only",
        "pufferlib",
        "legal",
        f"{_TRIPLETRIAD}; uniform over a card in the hand, then over the empty places",
        SIZES[1:],
    ),
)
