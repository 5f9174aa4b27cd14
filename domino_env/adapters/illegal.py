"""What an environment does about an action of its action space that is not legal now.

With `illegal="terminate"` the episode of who took it ends: the step pays `PENALTY` on top of what
is still owed, with `terminated` and not `truncated`, nothing of the game has changed, and
`info["illegal_action"]` is true. Trainers that know no masks live with that, and so do the checkers
of Gymnasium and of Stable-Baselines3, which try actions blindly. With `illegal="raise"` it is an
`IllegalMove`.

A trainer that plays on without masks is told so once in each process. That goes through `logging`
and not through `warnings`: who turns warnings into errors would else see a checker fail, or a
training end, at an action that the environment itself has an answer for.
"""

from __future__ import annotations

import logging
from functools import cache

from domino_env.errors import IllegalMove

ILLEGAL = ("raise", "terminate")
PENALTY = -1.0

_MASKS = "info['action_mask'] or action_masks(), which MaskablePPO of sb3-contrib reads"


def explained(error: IllegalMove) -> IllegalMove:
    """The same error, with what a trainer can do about it."""
    return IllegalMove(
        f"{error}; choose by the mask of legal actions ({_MASKS}), or make the environment with "
        "illegal='terminate'"
    )


@cache
def warn_once() -> None:
    """Says, once in each process, that a trainer plays without masks."""
    logging.getLogger("domino_env").warning(
        "domino: an illegal action has ended a game with a reward of %g, and others will: choose "
        "by the mask of legal actions (%s); illegal='raise' makes it an error. This is said once.",
        PENALTY,
        _MASKS,
    )
