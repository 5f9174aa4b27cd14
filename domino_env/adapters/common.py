"""Shared by the environments of all libraries: rendering, reading a single game, and how illegal
actions are handled.

With `illegal="terminate"` an illegal action ends the episode of the learner that took it: the step
pays `PENALTY` on top of what is still owed, with `terminated` and not `truncated`, the game itself
is unchanged, and `info["illegal_action"]` is true. So trainers without masking run, and so do the
checkers of Gymnasium and of Stable-Baselines3, which sample actions blindly. With `illegal="raise"`
it raises `IllegalMove`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from domino_env.batches import Batch
from domino_env.errors import BadOption, IllegalMove

if TYPE_CHECKING:
    from domino_env.render.scene import Scene
    from domino_env.render.window import Window

ILLEGAL = ("raise", "terminate")
PENALTY = -1.0
_MASKS = "info['action_mask'] or action_masks(), which MaskablePPO of sb3-contrib reads"

RENDER_MODES = ["human", "ansi", "rgb_array"]
PICTURES = ["ansi", "rgb_array"]  # for many games at once: a window for each would be many
RENDER_FPS = 4  # decisions a second, for those who watch

Mask = npt.NDArray[np.int8]
Outcome = tuple[int, Mask, list[float]]
Observation = npt.NDArray[Any]


class Screen:
    """Renders the games of an environment, all hands open, in its `render_mode`."""

    def __init__(self, batch: Batch, mode: str | None, modes: Sequence[str] = RENDER_MODES) -> None:
        if mode is not None and not (isinstance(mode, str) and mode in modes):
            known = ", ".join(map(repr, modes))
            raise BadOption(f"render_mode must be None or one of {known}, not {mode!r}")
        self.batch = batch
        self._window = _new_window() if mode == "human" else None
        self._paint = None if mode is None else self._painter(mode)

    def render(self, lane: int = 0) -> Any:
        """A game as text or as pixels, or in the window."""
        from domino_env.render.compose import compose
        from domino_env.render.fold import ASPECT

        if self._paint is None:
            modes = " or ".join(map(repr, RENDER_MODES))
            gymnasium.logger.warn(f"render() needs render_mode={modes}, given when the env is made")
            return None
        # All hands are open; what lies face down where nobody has a hand is part of the game.
        viewer = "all" if self.batch.rules.has_hands else 0
        aspect = ASPECT if self._window is None else self._window.aspect
        return self._paint(compose(self.batch.position(lane), viewer, aspect=aspect))

    def refresh(self) -> None:
        """After each decision: updates the window, if there is one."""
        if self._window is not None:
            self.render()

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def _painter(self, mode: str) -> Callable[[Scene], Any]:
        if self._window is not None:
            return partial(self._window.show, fps=RENDER_FPS)
        if mode == "ansi":
            from domino_env.render import ansi

            return partial(ansi.paint, colour=False)
        from domino_env.render import raster  # the extra `draw`

        return raster.paint


def _new_window() -> Window:
    from domino_env.render.window import Window  # the extra `draw`

    return Window()


class OneGame:
    """Reads the only game of a batch after each step, by methods that are bound once: indexing an
    array makes another array each time, which takes as long as copying what it shows. All that it
    hands out are copies.

    Attributes:
        is_over: did the episode end in the last step?
        mask: the legal actions of the seat to move.
        outcome: the seat to move (-1: the game is over), its mask, and what each seat earned in the
            last step.
        seen_by: what a seat sees now.
    """

    outcome: Callable[[], Outcome]
    seen_by: Callable[[int], Observation]

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self.is_over: Callable[[], bool] = batch.done.item
        self.mask: Callable[[], Mask] = batch.mask[0].copy
        self.outcome = _outcome_of(batch)
        self.seen_by = _views_of(batch)

    def was_cut_off(self) -> bool:
        """Was the episode that has ended cut off, and not played to its end? See
        `Batch.truncated`, which takes its time."""
        alone = not self._batch.rules.has_opponents
        return alone and bool(self._batch.truncated[0])

    def __reduce__(self) -> Any:
        """Copied or read from a pickle, it reads the batch that has come along."""
        return OneGame, (self._batch,)


def _outcome_of(batch: Batch) -> Callable[[], Outcome]:
    seat, mask, rewards = batch.seat.item, batch.mask[0].copy, batch.reward[0].tolist
    return lambda: (seat(), mask(), rewards())


def _views_of(batch: Batch) -> Callable[[int], Observation]:
    seat, shown = batch.seat.item, batch.observation[0].copy
    return lambda viewer: shown() if viewer == seat() else batch.observe(0, viewer)


def observation_box(batch: Batch) -> Any:
    """The observation space of a seat."""
    low, high = batch.bounds()
    return spaces.Box(low, high, dtype=batch.observation_dtype.type)


def explained(error: IllegalMove) -> IllegalMove:
    """The same error, with what a trainer can do about it."""
    return IllegalMove(
        f"{error}; choose by the mask of legal actions ({_MASKS}), or make the environment with "
        "illegal='terminate'"
    )


@cache
def warn_once() -> None:
    """Logs, once in each process, that a trainer plays without masks.

    This uses `logging` and not `warnings`: where warnings are errors, a checker would fail, or
    training stop, because of an action that the environment handles.
    """
    logging.getLogger("domino_env").warning(
        "domino: an illegal action has ended a game with a reward of %g, and others will: choose "
        "by the mask of legal actions (%s); illegal='raise' makes it an error. This is said once.",
        PENALTY,
        _MASKS,
    )
