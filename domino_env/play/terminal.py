"""Playing in a terminal: the table as text, and the moves by their numbers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from domino_env.errors import DominoError
from domino_env.files import write_whole
from domino_env.plain import whole_of
from domino_env.play import phrases, views
from domino_env.play.room import Room
from domino_env.play.session import Session
from domino_env.position import Position
from domino_env.render import ansi
from domino_env.render.compose import compose

HELP = (
    "a number plays that move; h: hint, u: undo, n: new deal, s FILE: save the record, "
    "r: show all again, q: quit"
)


class Terminal:
    """One person at a terminal, or nobody who watches."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._told: list[str] = []
        self._colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def run(self) -> int:
        """Plays until the person has enough, or the game is over and nothing more is asked for."""
        try:
            for session in self._turns():
                self._tell(session)
                if not self._ask(session):
                    break
        except (EOFError, KeyboardInterrupt):
            print()
        finally:
            self._room.close()
        return 0

    # What there is to see -----------------------------------------------------------------------

    def _turns(self) -> Iterator[Session]:
        """The game whenever there is something to tell: at each change, and for each decision."""
        room, shown = self._room, -1
        while True:
            with room.news:
                before = shown
                room.news.wait_for(lambda: room.version != before or self._is_asked())  # noqa: B023
                table, shown = room.table, room.version
                if table is None:
                    return
                if table.trouble:
                    raise DominoError(table.trouble)
                session = table.session
            yield session

    def _is_asked(self) -> bool:
        """Is it for the person to go on?"""
        table = self._room.table
        if table is None:
            return True
        session = table.session
        return session.to_move is None or session.to_move == session.person

    def _tell(self, session: Session) -> None:
        """What has happened since; and the table, if there is something to decide."""
        with self._room.news:
            shown, asked = session.position.seen_by(_viewer(session)), self._is_asked()
            names = phrases.seat_names(session.names)
            lines = [str(line["text"]) for line in views.log(session, shown, names)]
        alike = min(len(lines), len(self._told))  # what was taken back is not told again
        fresh = lines[alike:] if lines[:alike] == self._told[:alike] else lines
        self._told = lines
        for line in fresh:
            print(f"  {line}")
        if asked:
            self._show(session, shown, names)

    def _show(self, session: Session, shown: Position, names: list[str]) -> None:
        scene = compose(shown, _viewer(session), names=names, **ansi.room())
        print(ansi.paint(scene, colour=self._colour))
        if shown.over:
            self._show_result(session, shown, names)
            return
        question = phrases.asked(shown)
        if question:
            print(question)
        for number, move in enumerate(shown.legal, 1):
            print(f"{number:4}  {move}")

    def _show_result(self, session: Session, shown: Position, names: list[str]) -> None:
        match = session.batch.episode == "match"
        print(phrases.outcome(shown, names, match=match and session.over))
        print(phrases.standing(shown, names, match, session.over))
        for name, score in zip(names, shown.scores, strict=True):
            print(f"  {name:24} {score:5}")

    # What is asked for --------------------------------------------------------------------------

    def _ask(self, session: Session) -> bool:
        """Asks until something has changed; False if the person has enough."""
        if not self._is_asked():
            return True
        if session.person is None:
            self._room.next_round()
            return not session.over
        version = self._room.version
        while self._room.version == version:
            word, _, rest = input(self._prompt(session)).strip().partition(" ")
            if word in ("q", "quit"):
                return False
            try:
                self._do(session, word, rest.strip())
            except DominoError as error:
                print(error)
        return True

    def _prompt(self, session: Session) -> str:
        if session.to_move is not None:
            return "your move (? for help): "
        return "over; n: new deal, q: quit: " if session.over else "Enter: next round: "

    def _do(self, session: Session, word: str, rest: str) -> None:
        if (number := whole_of(word)) is not None:
            self._play(session, number)
        elif word in ("h", "hint"):
            self._hint()
        elif word in ("u", "undo"):
            self._room.undo()
        elif word in ("s", "save"):
            write_whole(Path(rest or f"{session.record.game}.json"), session.record.text())
            print(f"saved: {rest or session.record.game + '.json'}")
        elif session.ended is not None and word in ("", "n", "next"):
            self._room.next_round()
        elif word in ("n", "new"):
            self._room.deal()
        elif word in ("r", "show"):
            self._show(
                session,
                session.position.seen_by(_viewer(session)),
                phrases.seat_names(session.names),
            )
        else:
            print(HELP)

    def _play(self, session: Session, number: int) -> None:
        actions = session.position.legal_actions if session.to_move is not None else []
        if not 1 <= number <= len(actions):
            raise DominoError(f"moves are 1 to {len(actions)}, not {number}")
        self._room.act(actions[number - 1])

    def _hint(self) -> None:
        found = self._room.hint()
        print(f"what {found.by} thinks:")
        for each in found.advice:
            worth = "its move" if each.points is None else f"{each.points:+.1f}"
            print(f"  {worth:>8}  {each.move}")


def _viewer(session: Session) -> int | str:
    return "all" if session.person is None else session.person


def step_through(room: Room) -> int:
    """Steps through the record that lies open in the room: Enter goes on, b back, q stops."""
    try:
        at = 0
        while room.table is not None:
            room.seek(at)
            session, whole = room.table.session, len(room.table.whole)
            names = phrases.seat_names(session.names)
            colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
            print(ansi.paint(compose(session.position, names=names, **ansi.room()), colour=colour))
            word = input(f"{at} of {whole} (Enter: on, b: back, q: quit): ").strip()
            if word == "q" or (word == "" and at == whole):
                break
            at = max(0, at - 1) if word == "b" else min(whole, at + 1)
    except (EOFError, KeyboardInterrupt):
        print()
    finally:
        room.close()
    return 0
