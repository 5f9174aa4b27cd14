"""Beliefs: what a seat can know about the tiles that it does not see, as worlds and as numbers.

    from domino_env import belief

    worlds = belief.sample(batch, lane=0, seat=1, count=1000, seed=0)   # a batch of 1000 games
    worlds.position(0)                                                  # one of them, hands open
    belief.marginals(batch, lane=0, seat=1)                             # who holds what: exactly
    belief.log_likelihood(batch, lane=0, seat=1)                        # of the hands as they are
    belief.weighted(batch, 0, 1, policy="heuristic")                    # if others play so
    belief.holdings("block_draw")                                       # positions to score guesses

Every world agrees with everything the seat has seen: its own tiles, all tiles on the table, who
drew, passed and stopped and when, and therefore who lacked what at which time. The distribution is
uniform over all deals that agree with this; what others' choices may reveal about their tiles is
left to the caller, or to `weighted`. Each world is a complete game that can be played on: a lane of
a batch, with a random generator of its own, so that not even the next shuffle is revealed.
"""

from __future__ import annotations

from domino_env.belief.guesses import Guess as Guess
from domino_env.belief.guesses import counting as counting
from domino_env.belief.guesses import exact as exact
from domino_env.belief.guesses import shown_lacks as shown_lacks
from domino_env.belief.holdings import Holdings as Holdings
from domino_env.belief.holdings import holdings as holdings
from domino_env.belief.holdings import holdings_names as holdings_names
from domino_env.belief.marginals import log_likelihood as log_likelihood
from domino_env.belief.marginals import marginals as marginals
from domino_env.belief.public import PublicState as PublicState
from domino_env.belief.public import public_state as public_state
from domino_env.belief.sampling import Belief as Belief
from domino_env.belief.sampling import sample as sample
from domino_env.belief.weighing import Weighted as Weighted
from domino_env.belief.weighing import weighted as weighted

__all__ = [
    "Belief",
    "Guess",
    "Holdings",
    "PublicState",
    "Weighted",
    "counting",
    "exact",
    "holdings",
    "holdings_names",
    "log_likelihood",
    "marginals",
    "public_state",
    "sample",
    "shown_lacks",
    "weighted",
]
