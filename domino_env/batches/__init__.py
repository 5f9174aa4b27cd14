"""`Batch`: many games of one variant, stepped together. Everything else is built on this class.

    import domino_env

    batch = domino_env.batch("block_draw", 4096, seed=0)
    batch.reset()
    for _ in range(1000):
        batch.step(batch.sample())

Its arrays are updated in place, so keep references to them and read them after each step:
`observation`, `mask`, `seat`, `reward`, `done`; and `legal` and `num_legal`, the legal actions of
each lane as a list, for agents that need no mask. Writing to an array changes no game and makes no
action legal; `legal`, `num_legal`, `games`, `events` and `rule_table` are read-only.
"""

from domino_env.batches.batch import CALLS, EPISODES, REWARDS, Batch
from domino_env.batches.histories import Histories
from domino_env.batches.options import MOST_THREADS, check_choice

__all__ = ["CALLS", "EPISODES", "MOST_THREADS", "REWARDS", "Batch", "Histories", "check_choice"]
