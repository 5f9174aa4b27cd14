"""What a page is served, looked at as a suspicious person would."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from domino_env.play.game_host import GameHost
from domino_env.position import Position

HALF = r"(?:\*|[>+]?\d{1,2})"
TILE = re.compile(rf"(?<![\w.*>+])({HALF})\|({HALF})(?![\w.])")
PIECE = re.compile(r'<g class="piece.*?(?=<g class="piece|<g class="spot|</svg>)', re.DOTALL)


def tiles_in(text: str) -> set[frozenset[str]]:
    """Every tile that is written anywhere in a text, whichever way round."""
    return {frozenset(halves) for halves in TILE.findall(unescape(text))}


def secrets_of(host: GameHost) -> set[frozenset[str]]:
    """The tiles that the person at the page has no way to know, found out from the whole position
    and not by what the library thinks that they may see."""
    with host.condition:  # between two moves of the agents: in the middle of one, a round that is
        game = host.game  # over would be taken for the next one, which is dealt by then
        if game is None or game.mode != "play":
            return set()
        position, person = game.session.position, game.session.person
    hidden = [*_face_down(position), *position.boneyard]
    for seat, hand in enumerate(position.hands):
        if not position.over and (seat != person or position.rules.rows):
            hidden += hand
    told = {event.tile for event in position.events if event.kind == "flip"}
    told |= {
        event.tile
        for event in position.events
        if event.kind == "take" and person in (event.seat, event.giver)
    }
    return {_halves(tile) for tile in hidden if tile not in told}


def must_hide(host: GameHost, text: str) -> None:
    """Fails if a text says anything that the person may not know."""
    leaked = tiles_in(text) & secrets_of(host)
    assert not leaked, f"served: {leaked} in {text[:300]}"
    for piece in PIECE.findall(unescape(text).replace('\\"', '"')):
        assert "data-tile" in piece or 'class="pip"' not in piece, piece


def _face_down(position: Position) -> list[Any]:
    columns = getattr(position, "columns", [])
    face_up = getattr(position, "face_up", [])
    return [
        tile
        for column, up in zip(columns, face_up, strict=True)
        for tile in column[: len(column) - up]
    ]


def _halves(tile: Any) -> frozenset[str]:
    return frozenset(map(str, tile))
