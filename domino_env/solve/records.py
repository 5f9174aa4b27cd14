"""The records that a game tree is grown in: plain numbers, as kernels take them."""

from __future__ import annotations

from typing import Any

import numpy as np

SIDES = 2
MOST_DRAWS = 32  # tiles that one decision can bring out of the boneyard

# One decision on the way from the deal to where the search is now; the first frame is the deal.
FRAME: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("chance", np.float64),  # of all that chance has decided so far
                ("node", np.int32, (SIDES,)),  # what each side has witnessed: see `witnessed`
                ("sequence", np.int32, (SIDES,)),  # each side's last own decision
                ("infostate", np.int32),  # of the side to move
                ("action", np.int16),  # which of its actions is being tried
                ("fixed", np.int16),  # so many draws and lots are determined for that action
                ("drawn", np.int16),  # how many tiles it draws; lots are after these
                ("choice", np.uint8, (MOST_DRAWS,)),  # which of the tiles each of them brings
                ("among", np.uint8, (MOST_DRAWS,)),  # of how many
            ],
            align=True,
        ),
    )
)

# An information state. Those that a player comes to later have greater numbers.
INFOSTATE: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("parent", np.int32),  # the sequence that leads to it
                ("first", np.int32),  # the sequence of its first action; the others follow
                ("path", np.int64),  # where the actions of a history in it begin
                ("moves", np.int16),  # how many words those are, lots among them: see `lots`
                ("actions", np.int16),  # how many there are to choose from
                ("side", np.int8),
                ("starter", np.int8),  # of that history; -1: the deal decides
            ],
            align=True,
        ),
    )
)

# The end of a history.
LEAF: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("sequence", np.int32, (SIDES,)),
                ("value", np.float64),  # points of side 0 over side 1, times what chance does
                ("leader", np.int8),  # the side that led the round
            ],
            align=True,
        ),
    )
)

# A history, in the order in which they are found: those that begin with it follow at once.
HISTORY: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("chance", np.float64),  # of all that chance has decided
                ("infostate", np.int32),  # of the side to move; -1: it has ended
                ("level", np.int16),  # how many decisions are behind it, the deal among them
                ("action", np.int16),  # which of the actions of the decision before
            ],
            align=True,
        ),
    )
)

# How far the search has come.
PROGRESS: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("weight", np.float64),  # of all deals that can be played
                ("deal", np.int64),
                ("starter", np.int64),  # the next to try with this deal
                ("level", np.int64),  # of the frame that is being tried; -1: none, deal
                ("histories", np.int64),
                ("infostates", np.int64),
                ("sequences", np.int64),
                ("leaves", np.int64),
                ("nodes", np.int64),
                ("path_words", np.int64),
            ],
            align=True,
        ),
    )
)
