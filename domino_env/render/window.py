"""A window that shows scenes one after the other, for `render_mode="human"`.

The user may resize or close it; once closed by the user it stays closed, and the game goes on.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

from domino_env.errors import DominoError
from domino_env.render import raster
from domino_env.render.scene import Scene

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what pygame itself imports
        import pygame
except ImportError as missing:
    raise DominoError("pygame is missing: pip install 'domino-env[draw]'") from missing

SIZE = (900, 600)


class Window:
    """Opens with the first scene."""

    def __init__(self) -> None:
        self._surface: Any = None
        self._clock: Any = None
        self._left = False

    @property
    def is_open(self) -> bool:
        """Is it on the screen?"""
        return self._surface is not None

    @property
    def aspect(self) -> float:
        """Width by height of what it shows."""
        width, height = self._surface.get_size() if self.is_open else SIZE
        return float(width / max(1, height))

    def show(self, scene: Scene, fps: float) -> None:
        """Shows a scene, and waits until it is time for the next one."""
        if not self._left and not self.is_open:
            self._open(scene.title)
        if not self.is_open or self._asked_to_leave():
            return
        size = self._surface.get_size()
        frame = raster.picture(scene, *size)
        self._surface.blit(pygame.image.frombuffer(frame.tobytes(), size, "RGB"), (0, 0))
        pygame.display.flip()
        self._clock.tick(fps)

    def close(self) -> None:
        """Closes it; the next scene opens it again."""
        if self.is_open:
            self._surface = self._clock = None
            pygame.display.quit()
        self._left = False

    def _open(self, title: str) -> None:
        pygame.display.init()
        pygame.display.set_caption(title)
        self._surface = pygame.display.set_mode(SIZE, pygame.RESIZABLE)
        self._clock = pygame.time.Clock()

    def _asked_to_leave(self) -> bool:
        """Handles the window's events: has the user closed it?"""
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self._left = True
        return self._left
