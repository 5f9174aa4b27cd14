"""The JSON that the page is served: the state of the game, as its viewer may know it.

Everything about tiles comes from `Position.seen_by`; scores, names and whose turn it is are public.
`docs/playing.md` lists the fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import domino_env
from domino_env.actions import Move, Tile
from domino_env.game_facts import match_length
from domino_env.play import phrases
from domino_env.play.game_host import GameHost, HostedGame
from domino_env.play.hints import Hint
from domino_env.play.saved_games import SavedGame
from domino_env.play.session import Session
from domino_env.play.setup import PERSON, offered
from domino_env.position import Position
from domino_env.render import svg
from domino_env.render.compose import compose
from domino_env.render.fold import ASPECT

Plain = dict[str, Any]
Viewer = int | str  # a seat, "all" or "nobody"


def view(host: GameHost, viewer: Viewer | None = None, aspect: float = ASPECT) -> Plain:
    """The state of the hosted game. A person who plays sees what their seat may know; when watching
    or stepping through a record the viewer is chosen. The table is drawn for a box of that aspect
    ratio, its width over its height."""
    with host.condition:
        game = host.game
        if game is None:
            return {"version": host.version, "mode": "start"}
        viewer = _viewer(game, viewer)
        shown = game.session.position.seen_by(viewer)
        return {"version": host.version, "mode": game.mode, **_game_view(game, shown, aspect)}


def _viewer(game: HostedGame, asked: Viewer | None) -> Viewer:
    """Whose view is shown: to a person who plays only that of their seat, whatever is asked."""
    person = game.session.person
    if game.mode == "play":
        return "nobody" if person is None else person
    return "all" if asked is None else asked


def _game_view(game: HostedGame, shown: Position, aspect: float) -> Plain:
    session, plays = game.session, game.mode == "play"
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
        "thinking": game.is_thinking,
        "status": _status(game, shown, names),
        "notes": _notes(shown, names),
        "log": log(session, shown, names),
        "result": _result(session, shown, names),
        "round": shown.round,
        "match": session.batch.episode == "match",
        "can": _can(game),
        "steps": len(session.actions),
        "total_steps": len(game.recorded_actions),
        "running": game.decisions_left > 0,
    }


def _picture(shown: Position, aspect: float) -> str:
    """The table alone as SVG, folded to the aspect ratio of its box."""
    return svg.paint(compose(shown, viewer=shown.viewer, parts="table", aspect=aspect))


def game_facts(rules: Any) -> Plain:
    """The rules of a game, as far as the page needs them."""
    return {
        "id": rules.id,
        "title": rules.title,
        "summary": rules.summary,
        "has_hands": rules.has_hands,
        "has_matches": rules.has_matches,
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
        "to_move": session.to_move == seat,
        "place": shown.finished.index(seat) + 1 if seat in shown.finished else None,
        "team": seat % 2 if shown.rules.teams else None,
    }


def _hand(shown: Position) -> list[Plain]:
    """The viewer's own tiles, in order."""
    if not isinstance(shown.viewer, int) or not shown.hands:
        return []
    return [_tile(shown, tile) if tile else {"tile": None} for tile in shown.hands[shown.viewer]]


def _tile(shown: Position, tile: Tile) -> Plain:
    curved, highest = shown.rules.layout.tiles == "curved", shown.rules.max_pip
    angle = 270 if curved else 90
    face = (tile.first, tile.second)
    picture = svg.tile(face, curved=curved, highest=highest, angle=angle)
    return {"tile": str(tile), "picture": picture}


# Moves -------------------------------------------------------------------------------------------


def picks(shown: Position) -> list[Plain]:
    """The moves on the table: each tile that can be picked up, and the spots where it can go. Spots
    that are chosen without picking up a tile are listed from ""."""
    found: dict[str, list[Plain]] = {}
    for action, move in zip(shown.legal_actions, shown.legal, strict=True):
        for start, spot, label in _ways(shown, move):
            found.setdefault(start, []).append({"action": action, "spot": spot, "label": label})
    return [{"from": start, "targets": targets} for start, targets in found.items()]


def _ways(shown: Any, move: Move) -> list[tuple[str, int, str]]:
    """What is picked up in a move, the spot where it goes, and a label that tells two ways apart;
    nothing for a move that is a button.

    Two tiles are knocked out at the spot between them, or by picking up either of them.
    """
    if move.kind == "play" and move.tile is not None and move.end is not None:
        label = phrases.orientation_label(shown.rules, move.tile, move.half or 0)
        return [(f"hand:{move.tile}", move.end, label)]
    if move.kind == "knock" and move.place is not None:
        starts = ("", f"row:{move.place}", f"row:{move.place + 1}")
        return [(start, move.place, "") for start in starts]
    if move.kind == "move" and move.tile is not None:
        free = [place for place, column in enumerate(shown.columns) if not column]
        start = f"column:{_as_it_lies(shown, move.tile)}"
        return [(start, spot, "") for spot in (free if move.place is None else [move.place])]
    return []


def _as_it_lies(shown: Any, tile: Tile) -> Tile:
    """A tile as it lies in its column, the upper half first."""
    turned = Tile(tile.second, tile.first)
    return turned if any(turned in column for column in shown.columns) else tile


def extras(shown: Position) -> list[Plain]:
    """The moves that are buttons, with the game's names for them."""
    return [
        {"action": action, "name": str(move)}
        for action, move in zip(shown.legal_actions, shown.legal, strict=True)
        if not _ways(shown, move)
    ]


def _can(game: HostedGame) -> Plain:
    session = game.session
    mine = game.mode == "play" and session.to_move == session.person is not None
    return {
        "hint": mine,
        "undo": game.mode == "play" and session.can_undo,
        "deal": game.mode != "record",
        "next": session.ended is not None and game.mode != "record",
    }


# Texts -------------------------------------------------------------------------------------------


def _status(game: HostedGame, shown: Position, names: Sequence[str]) -> str:
    if game.error:
        return game.error
    session = game.session
    if session.over:
        return phrases.outcome(shown, names, match=session.batch.episode == "match")
    return phrases.status(shown, names, session.to_move, game.is_thinking)


def _notes(shown: Position, names: Sequence[str]) -> list[str]:
    """Other public facts: the boneyard, the direction of play, doubles that must have tiles, trains
    on which all may play, the stakes."""
    notes = [f"boneyard {len(shown.boneyard)}"] if shown.rules.draws else []
    if shown.direction != "clockwise":
        notes.append(f"turns go {shown.direction}")
    if shown.due is not None:
        more = f"{shown.due_left} tile{'' if shown.due_left == 1 else 's'}"
        notes.append(f"[{shown.due}] must have {more} first")
    if shown.markers:
        seats = " and ".join(names[seat] for seat in shown.markers)
        notes.append(f"marked trains: {seats}")
    if shown.stakes > 1:
        notes.append(f"the round counts {shown.stakes} times")
    return notes


def log(session: Session, shown: Position, names: Sequence[str]) -> list[Plain]:
    """The events of this round, as the viewer knows them, with the points."""
    lines: list[Plain] = []
    for number, event in enumerate(shown.events, 1):
        lines.append(
            {"seat": event.seat, "text": phrases.event_sentence(event, names), "kind": event.kind}
        )
        lines += [
            {
                "seat": score.seat,
                "text": phrases.score_sentence(score.seat, score.points, names),
                "kind": "score",
            }
            for score in session.scores
            if score.after == number
        ]
    return lines


def _result(session: Session, shown: Position, names: Sequence[str]) -> Plain | None:
    """How a round or the whole game has ended."""
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
        "note": phrases.outcome_note(shown, names, match, session.over),
        "rows": [
            {"name": names[seat], "round": gained[seat], "total": shown.scores[seat]}
            for seat in range(shown.num_players)
        ],
    }


def hint_view(found: Hint) -> Plain:
    """An agent's advice."""
    return {
        "by": found.by,
        "advice": [
            {"action": each.action, "move": each.move, "points": each.points}
            for each in found.advice
        ],
    }


# The start page ----------------------------------------------------------------------------------


def games_view(host: GameHost) -> Plain:
    """The games, the agents that play each, and the saved games."""
    games = [_choice(domino_env.rules(name)) for name in domino_env.variants()]
    saved = host.saved_games.latest() if host.saved_games is not None else []
    return {
        "games": games,
        "extra_agents": sorted(host.extra_agents),
        "saved": [_saved_view(each) for each in saved],
    }


def _choice(rules: Any) -> Plain:
    return {
        **game_facts(rules),
        "source": rules.source,
        "num_players": list(rules.players),
        "num_players_by_set": {name: list(replace(rules, set=name).players) for name in rules.sets}
        if rules.has_ends
        else {},
        "sets": list(rules.sets),
        "calls": rules.has_calls,
        "agents": offered(rules),
    }


def _saved_view(saved: SavedGame) -> Plain:
    record = saved.record
    return {
        "file": saved.file,
        "title": domino_env.rules(record.game).title,
        "names": phrases.seat_names(record.names),
        "moves": record.moves,
        "scores": list(record.result.scores),
        "can_resume": saved.can_resume,
    }
