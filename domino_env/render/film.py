"""Films of a game: an animated GIF, or a page that plays, pauses and steps.

    Path("game.html").write_text(html(scenes, captions), encoding="utf-8")
    Path("game.gif").write_bytes(gif(scenes))

A page is one file that needs no network. Its frames have most of their tiles in common: the text of
each tile is in it once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from domino_env.errors import DominoError
from domino_env.render import svg, theme
from domino_env.render.scene import Scene

LAST = 4  # times as long as the others the last frame of a GIF is shown
_PAGE = Path(__file__).with_name("film.html")
_PIECES = re.compile(r'(<g class="(?:piece|spot)[^>]*>)')
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'  # a page has no need of it


def html(scenes: Sequence[Scene], captions: Sequence[str] = (), *, seconds: float = 0.8) -> str:
    """A page that plays scenes, with a caption below each."""
    _check(scenes, seconds)
    parts: dict[str, int] = {}
    frames = [
        [parts.setdefault(part, len(parts)) for part in _PIECES.split(_drawn(scene))]
        for scene in scenes
    ]
    data = {"parts": [*parts], "frames": frames, "said": [*captions], "seconds": seconds}
    words = {
        "title": escape(scenes[-1].title),
        "frame": theme.FRAME,
        "light": theme.FELT_LIGHT,
        "felt": theme.FELT,
        "data": _in_script(data),
    }
    page = _PAGE.read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: words[found[1]], page)


def gif(
    scenes: Sequence[Scene], *, seconds: float = 0.8, width: int = 600, height: int = 400
) -> bytes:
    """An animated GIF that begins again at its end."""
    _check(scenes, seconds)
    from domino_env.render import raster  # the extra `draw`

    each = round(1000 * seconds)
    return raster.animated_gif(scenes, [each] * (len(scenes) - 1) + [LAST * each], width, height)


def _check(scenes: Sequence[Scene], seconds: float) -> None:
    if not scenes:
        raise DominoError("there are no scenes to be shown: expected one for each decision")
    if not 0.02 <= seconds <= 60:
        raise DominoError(f"seconds must be from 0.02 to 60, not {seconds!r}")


def _drawn(scene: Scene) -> str:
    return svg.paint(scene).replace(_NAMESPACE, "")


def _in_script(data: object) -> str:
    """JSON that can stand in a script: nothing in it ends the script."""
    written = json.dumps(data, separators=(",", ":"))
    return re.sub("<(?=[/!]|script)", r"\\u003c", written, flags=re.IGNORECASE)
