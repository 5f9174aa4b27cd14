"""What a page is served: plain data, made of nothing but what its viewer may know.

Everything about tiles comes from `Position.seen_by`; scores, names and whose turn it is are public.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import domino_env
from domino_env.actions import Move, Tile
from domino_env.cli.tables import match_length
from domino_env.play import phrases
from domino_env.play.hints import Hint
from domino_env.play.room import Room, Table
from domino_env.play.saved_games import Kept
from domino_env.play.session import Session
from domino_env.play.setup import PERSON, offered
from domino_env.position import Position
from domino_env.render import svg
from domino_env.render.compose import compose
from domino_env.render.fold import ASPECT

Plain = dict[str, Any]
Viewer = int | str
"""Of a table that nobody has measured."""


def view(room: Room, viewer: Viewer | None = None, aspect: float = ASPECT) -> Plain:
    """What there is to see in a room. The person sees what their seat may know; of agents that are
    watched, and of records, the viewer is chosen. The table is drawn for a box that is so many
    times as wide as it is high."""
    with room.news:
        table = room.table
        if table is None:
            return {"version": room.version, "mode": "start"}
        viewer = _viewer(table, viewer)
        shown = table.session.position.seen_by(viewer)
        return {"version": room.version, "mode": table.mode, **_table(table, shown, aspect)}


def _viewer(table: Table, asked: Viewer | None) -> Viewer:
    """Who looks: the person from their seat and from nowhere else, whatever is asked."""
    person = table.session.person
    if table.mode == "play":
        return "nobody" if person is None else person
    return "all" if asked is None else asked


def _table(table: Table, shown: Position, aspect: float) -> Plain:
    session, plays = table.session, table.mode == "play"
    names = phrases.seat_names(session.names)
    return {
        "game": game_facts(shown.rules),
        "viewer": shown.viewer,
        "person": session.person if plays else None,
        "seats": [_seat(session, shown, names, seat) for seat in range(shown.num_players)],
        "picture": _picture(shown, aspect),
        "hand": _hand(shown),
        "picks": picks(shown) if plays else [],
        "extras": extras(shown) if plays else [],
        "thinking": table.is_thinking,
        "status": _status(table, shown, names),
        "notes": _notes(shown),
        "log": log(session, shown, names),
        "result": _result(session, shown, names),
        "round": shown.round,
        "match": session.batch.episode == "match",
        "can": _can(table),
        "steps": len(session.actions),
        "whole": len(table.whole),
        "going": table.going > 0,
    }


def _picture(shown: Position, aspect: float) -> str:
    """The table alone, folded by the shape of the room that there is for it."""
    return svg.paint(compose(shown, viewer=shown.viewer, parts="table", aspect=aspect))


def game_facts(rules: Any) -> Plain:
    """What a page says of a game."""
    return {
        "id": rules.id,
        "title": rules.title,
        "summary": rules.summary,
        "alone": not rules.has_opponents,
        "curved": rules.is_curved,
        "teams": rules.teams,
        "rows": rules.rows,
        "length": match_length(rules),
    }


def _seat(session: Session, shown: Position, names: Sequence[str], seat: int) -> Plain:
    hand = shown.hands[seat] if shown.hands else []
    return {
        "seat": seat,
        "name": names[seat],
        "person": session.names[seat] == PERSON,
        "score": shown.scores[seat],
        "hand": [None if tile is None else _tile(shown, tile) for tile in hand],
        "moving": session.to_move == seat,
        "place": shown.finished.index(seat) + 1 if seat in shown.finished else None,
        "team": seat % 2 if shown.rules.teams else None,
    }


def _hand(shown: Position) -> list[Plain]:
    """The viewer's own tiles, in their order."""
    if not isinstance(shown.viewer, int) or not shown.hands:
        return []
    return [_tile(shown, tile) if tile else {"tile": None} for tile in shown.hands[shown.viewer]]


def _tile(shown: Position, tile: Tile) -> Plain:
    curved, highest = shown.rules.layout.tiles == "curved", shown.rules.max_pip
    angle = 270 if curved else 90
    face = (tile.first, tile.second)
    picture = svg.tile(face, curved=curved, highest=highest, angle=angle)
    return {"tile": str(tile), "picture": picture}


# What can be done --------------------------------------------------------------------------------


def picks(shown: Position) -> list[Plain]:
    """The moves on the table: each tile that can be picked up, and at which spots it can go; with
    nothing to be picked up, the spots alone."""
    found: dict[str, list[Plain]] = {}
    for action, move in zip(shown.legal_actions, shown.legal, strict=True):
        for start, spot, how in _ways(shown, move):
            found.setdefault(start, []).append({"action": action, "spot": spot, "how": how})
    return [{"from": start, "goes": goes} for start, goes in found.items()]


def _ways(shown: Any, move: Move) -> list[tuple[str, int, str]]:
    """What is picked up in a move, the spot where it goes, and how; nothing of what a button does.

    Two tiles are knocked out at the spot between them, or by picking up either of them.
    """
    if move.kind == "play" and move.tile is not None and move.end is not None:
        how = phrases.how(shown.rules, move.tile, move.half or 0)
        return [(f"hand:{move.tile}", move.end, how)]
    if move.kind == "knock" and move.place is not None:
        starts = ("", f"row:{move.place}", f"row:{move.place + 1}")
        return [(start, move.place, "") for start in starts]
    if move.kind == "move" and move.tile is not None:
        free = [place for place, column in enumerate(shown.columns) if not column]
        start = f"column:{_as_it_lies(shown, move.tile)}"
        return [(start, spot, "") for spot in (free if move.place is None else [move.place])]
    return []


def _as_it_lies(shown: Any, tile: Tile) -> Tile:
    """A tile of a column, its upper half first."""
    turned = Tile(tile.second, tile.first)
    return turned if any(turned in column for column in shown.columns) else tile


def extras(shown: Position) -> list[Plain]:
    """The moves that are buttons, by the names that the game has for them."""
    return [
        {"action": action, "name": str(move)}
        for action, move in zip(shown.legal_actions, shown.legal, strict=True)
        if not _ways(shown, move)
    ]


def _can(table: Table) -> Plain:
    session = table.session
    mine = table.mode == "play" and session.to_move == session.person is not None
    return {
        "hint": mine,
        "undo": table.mode == "play" and session.can_undo,
        "deal": table.mode != "record",
        "next": session.ended is not None and table.mode != "record",
    }


# What is said ------------------------------------------------------------------------------------


def _status(table: Table, shown: Position, names: Sequence[str]) -> str:
    if table.trouble:
        return table.trouble
    session = table.session
    if session.over:
        return phrases.outcome(shown, names, match=session.batch.episode == "match")
    return phrases.status(shown, names, session.to_move, table.is_thinking)


def _notes(shown: Position) -> list[str]:
    """What else everybody knows: the boneyard, the direction, the stakes."""
    notes = [f"boneyard {len(shown.boneyard)}"] if shown.rules.draws else []
    if shown.direction != "clockwise":
        notes.append(f"turns go {shown.direction}")
    if shown.stakes > 1:
        notes.append(f"the round counts {shown.stakes} times")
    return notes


def log(session: Session, shown: Position, names: Sequence[str]) -> list[Plain]:
    """What has happened in this round, as the viewer knows it, with the points."""
    lines: list[Plain] = []
    for number, event in enumerate(shown.events, 1):
        lines.append({"seat": event.seat, "text": phrases.told(event, names), "kind": event.kind})
        lines += [
            {
                "seat": score.seat,
                "text": phrases.scored(score.seat, score.points, names),
                "kind": "score",
            }
            for score in session.scores
            if score.after == number
        ]
    return lines


def _result(session: Session, shown: Position, names: Sequence[str]) -> Plain | None:
    """How a round, or all of it, has ended."""
    if not shown.over:
        return None
    match = session.batch.episode == "match"
    gained = [0] * shown.num_players
    for score in session.scores:
        gained[score.seat] += score.points
    what = phrases.outcome(shown, names, match=match and session.over)
    return {
        "over": session.over,
        "headline": what if session.over else f"Round {shown.round}: {what}",
        "note": phrases.standing(shown, names, match, session.over),
        "rows": [
            {"name": names[seat], "round": gained[seat], "total": shown.scores[seat]}
            for seat in range(shown.num_players)
        ],
    }


def hint_view(found: Hint) -> Plain:
    """What an agent advises."""
    return {
        "by": found.by,
        "advice": [
            {"action": each.action, "move": each.move, "points": each.points}
            for each in found.advice
        ],
    }


# The start page ----------------------------------------------------------------------------------


def start_view(room: Room) -> Plain:
    """What can be played, against whom, and what lies on the shelf."""
    games = [_choice(domino_env.rules(name)) for name in domino_env.variants()]
    kept = room.shelf.games() if room.shelf is not None else []
    return {"games": games, "guests": sorted(room.guests), "kept": [_kept(each) for each in kept]}


def _choice(rules: Any) -> Plain:
    return {
        **game_facts(rules),
        "source": rules.source,
        "players": list(rules.players),
        "sets": list(rules.sets),
        "calls": rules.has_calls,
        "agents": offered(rules),
    }


def _kept(kept: Kept) -> Plain:
    record = kept.record
    return {
        "file": kept.file,
        "title": domino_env.rules(record.game).title,
        "names": phrases.seat_names(record.names),
        "moves": record.moves,
        "scores": list(record.result.scores),
        "goes_on": kept.goes_on,
    }
