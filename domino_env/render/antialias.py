"""A pen that draws on a sheet several times as fine as it will be seen: no jagged edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, hypot
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from domino_env.render.scene import Box, Point
from domino_env.render.theme import DASH, SPACE, upright

FINER = 4
HALO = 0.04  # round letters, to both sides
BOLD = 0.035  # of the height of letters: how much is added to each side of a line


@dataclass(frozen=True)
class Pen:
    """Draws in units of a scene; 0, 0 is where the sprite is put."""

    sheet: Image.Image
    draw: Any
    scale: float
    """Fine pixels to a unit."""
    right: float
    """Where 0, 0 is on the sheet, in fine pixels."""
    down: float

    @classmethod
    def over(cls, box: Box, scale: float, right: float, down: float) -> Pen:
        """A sheet for what is in a box; 0, 0 lies part of a pixel to the right and down."""
        left, top = floor(box[0] * scale), floor(box[1] * scale)
        size = ceil(box[2] * scale) + 1 - left, ceil(box[3] * scale) + 1 - top
        sheet = Image.new("RGBA", (FINER * size[0], FINER * size[1]))
        at = FINER * (right - left), FINER * (down - top)
        return cls(sheet, ImageDraw.Draw(sheet), FINER * scale, *at)

    def done(self) -> tuple[Image.Image, int, int]:
        """The picture, and where its upper left corner is from 0, 0, in pixels."""
        corner = floor(-self.right / FINER + 0.5), floor(-self.down / FINER + 0.5)
        return self.sheet.reduce(FINER), *corner

    def polygon(
        self,
        points: Sequence[Point],
        colour: str,
        angle: float = 0,
        at: Point = (0.0, 0.0),
        alpha: int = 255,
    ) -> None:
        """A filled shape, turned, then put somewhere."""
        turned = (upright(x, y, angle) for x, y in points)
        spots = [self._spot(x + at[0], y + at[1]) for x, y in turned]
        self.draw.polygon(spots, fill=f"{colour}{alpha:02x}")

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """A filled circle."""
        edges = (*self._spot(x - radius, y - radius), *self._spot(x + radius, y + radius))
        self.draw.ellipse(edges, fill=colour)

    def square(self, x: float, y: float, half: float, corner: float, colour: str) -> None:
        """A filled square with round corners."""
        edges = (*self._spot(x - half, y - half), *self._spot(x + half, y + half))
        self.draw.rounded_rectangle(edges, corner * self.scale, fill=colour)

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """A line through points."""
        wide = max(1, round(width * self.scale))
        self.draw.line([self._spot(*point) for point in points], colour, wide, joint="curve")

    def dashes(self, points: Sequence[Point], colour: str, width: float, angle: float) -> None:
        """A broken line through points."""
        turned = [upright(*point, angle) for point in points]
        for dash in _dashes(turned):
            self.line(dash, colour, width)

    def text(
        self, x: float, y: float, text: str, height: float, colour: str, round_it: str = ""
    ) -> None:
        """Bold letters, their middle here, with another colour round them."""
        size = round(height * self.scale)
        if size < 1 or not text:
            return
        at, bold = self._spot(x, y + 0.36 * height), round(BOLD * size)
        if round_it:
            wide = bold + max(1, round(HALO * self.scale))
            self.draw.text(at, text, round_it, font(size), "ms", stroke_width=wide)
        self.draw.text(at, text, colour, font(size), "ms", stroke_width=bold)

    def _spot(self, x: float, y: float) -> Point:
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
