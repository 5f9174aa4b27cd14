"""Antialiasing by supersampling: shapes are drawn on a canvas several times as fine as they will be
seen, and reduced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, hypot
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from domino_env.render.scene import Box, Point
from domino_env.render.theme import DASH, SPACE, rotated

OVERSAMPLING = 4  # fine pixels to a pixel, along each side
HALO = 0.04  # round letters, to both sides
BOLD = 0.035  # of the height of letters: how much is added to each side of a line


@dataclass(frozen=True)
class FineCanvas:
    """Draws a sprite, in units of a scene; 0, 0 is where the sprite is put."""

    image: Image.Image
    draw: Any
    scale: float
    """Fine pixels to a unit."""
    right: float
    """Where 0, 0 is on the image, in fine pixels."""
    down: float

    @classmethod
    def for_box(cls, box: Box, scale: float, right: float, down: float) -> FineCanvas:
        """A canvas for what is in a box; 0, 0 lies part of a pixel to the right and down."""
        left, top = floor(box[0] * scale), floor(box[1] * scale)
        size = ceil(box[2] * scale) + 1 - left, ceil(box[3] * scale) + 1 - top
        image = Image.new("RGBA", (OVERSAMPLING * size[0], OVERSAMPLING * size[1]))
        at = OVERSAMPLING * (right - left), OVERSAMPLING * (down - top)
        return cls(image, ImageDraw.Draw(image), OVERSAMPLING * scale, *at)

    def reduced(self) -> tuple[Image.Image, int, int]:
        """The picture, and where its upper left corner is from 0, 0, in pixels."""
        corner = floor(-self.right / OVERSAMPLING + 0.5), floor(-self.down / OVERSAMPLING + 0.5)
        return self.image.reduce(OVERSAMPLING), *corner

    def polygon(
        self,
        points: Sequence[Point],
        colour: str,
        angle: float = 0,
        at: Point = (0.0, 0.0),
        alpha: int = 255,
    ) -> None:
        """A filled shape, turned, then put somewhere."""
        turned = (rotated(x, y, angle) for x, y in points)
        pixels = [self._pixel(x + at[0], y + at[1]) for x, y in turned]
        self.draw.polygon(pixels, fill=f"{colour}{alpha:02x}")

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """A filled circle."""
        edges = (*self._pixel(x - radius, y - radius), *self._pixel(x + radius, y + radius))
        self.draw.ellipse(edges, fill=colour)

    def square(self, x: float, y: float, half: float, corner: float, colour: str) -> None:
        """A filled square with round corners."""
        edges = (*self._pixel(x - half, y - half), *self._pixel(x + half, y + half))
        self.draw.rounded_rectangle(edges, corner * self.scale, fill=colour)

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """A line through points."""
        wide = max(1, round(width * self.scale))
        self.draw.line([self._pixel(*point) for point in points], colour, wide, joint="curve")

    def dashes(self, points: Sequence[Point], colour: str, width: float, angle: float) -> None:
        """A broken line through points."""
        turned = [rotated(*point, angle) for point in points]
        for dash in _dashes(turned):
            self.line(dash, colour, width)

    def text(
        self, x: float, y: float, text: str, height: float, colour: str, round_it: str = ""
    ) -> None:
        """Bold letters, their middle here, with another colour round them."""
        size = round(height * self.scale)
        if size < 1 or not text:
            return
        at, bold = self._pixel(x, y + 0.36 * height), round(BOLD * size)
        if round_it:
            wide = bold + max(1, round(HALO * self.scale))
            self.draw.text(at, text, round_it, font(size), "ms", stroke_width=wide)
        self.draw.text(at, text, colour, font(size), "ms", stroke_width=bold)

    def _pixel(self, x: float, y: float) -> Point:
        return self.right + x * self.scale, self.down + y * self.scale


@lru_cache(maxsize=256)
def font(size: int) -> Any:
    """Pillow's own letters: the same on every machine."""
    return ImageFont.load_default(size)


def _dashes(points: Sequence[Point]) -> list[list[Point]]:
    """The parts of a line through points that are drawn."""
    parts: list[list[Point]] = []
    gone, drawn = 0.0, False
    for (x, y), (right, down) in pairwise(points):
        steps = max(1, ceil(hypot(right - x, down - y) / 0.05))
        for step in range(steps):
            if gone % (DASH + SPACE) < DASH:
                here = x + (right - x) * step / steps, y + (down - y) * step / steps
                parts = parts if drawn else [*parts, []]
                parts[-1].append(here)
            drawn = gone % (DASH + SPACE) < DASH
            gone += hypot(right - x, down - y) / steps
    return parts
