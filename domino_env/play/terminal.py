"""Playing in a terminal: the table is printed as text, and moves are chosen by number."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from domino_env.errors import DominoError
from domino_env.files import write_whole
from domino_env.plain import whole_of
from domino_env.play import phrases, views
from domino_env.play.game_host import GameHost
from domino_env.play.session import Session
from domino_env.position import Position
from domino_env.render import ansi
from domino_env.render.compose import compose

HELP = (
    "a number plays that move; h: hint, u: undo, n: new deal, s FILE: save the record, "
    "r: print it again, q: quit"
)


class Terminal:
    """The terminal of a person who plays, or who watches agents."""

    def __init__(self, host: GameHost) -> None:
        self._host = host
        self._printed: list[str] = []
        self._colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def run(self) -> int:
        """Plays until the person quits, or input ends, or a watched game is over."""
        try:
            for session in self._turns():
                self._print_news(session)
                if not self._ask(session):
                    break
        except (EOFError, KeyboardInterrupt):
            print()
        finally:
            self._host.close()
        return 0

    # Output -------------------------------------------------------------------------------------

    def _turns(self) -> Iterator[Session]:
        """The game at each change, and whenever the person has to decide."""
        host, shown = self._host, -1
        while True:
            with host.condition:
                before = shown
                host.condition.wait_for(lambda: host.version != before or self._is_asked())  # noqa: B023
                game, shown = host.game, host.version
                if game is None:
                    return
                if game.error:
                    raise DominoError(game.error)
                session = game.session
            yield session

    def _is_asked(self) -> bool:
        """Is it the person's turn, or the end of a round?"""
        game = self._host.game
        if game is None:
            return True
        session = game.session
        return session.to_move is None or session.to_move == session.person

    def _print_news(self, session: Session) -> None:
        """Prints the new events; and the table, if the person has to decide."""
        with self._host.condition:
            shown, asked = session.position.seen_by(_viewer(session)), self._is_asked()
            names = phrases.seat_names(session.names)
            lines = [str(line["text"]) for line in views.log(session, shown, names)]
        alike = min(len(lines), len(self._printed))  # what was undone is not printed again
        fresh = lines[alike:] if lines[:alike] == self._printed[:alike] else lines
        self._printed = lines
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
        question = phrases.question(shown)
        if question:
            print(question)
        for number, move in enumerate(shown.legal, 1):
            print(f"{number:4}  {move}")

    def _show_result(self, session: Session, shown: Position, names: list[str]) -> None:
        match = session.batch.episode == "match"
        print(phrases.outcome(shown, names, match=match and session.over))
        print(phrases.outcome_note(shown, names, match, session.over))
        for name, score in zip(names, shown.scores, strict=True):
            print(f"  {name:24} {score:5}")

    # Input --------------------------------------------------------------------------------------

    def _ask(self, session: Session) -> bool:
        """Asks until something has changed; False if the person quits."""
        if not self._is_asked():
            return True
        if session.person is None:
            self._host.next_round()
            return not session.over
        version = self._host.version
        while self._host.version == version:
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
        return "game over (n: new deal, q: quit): " if session.over else "Enter: next round: "

    def _do(self, session: Session, word: str, rest: str) -> None:
        if (number := whole_of(word)) is not None:
            self._play(session, number)
        elif word in ("h", "hint"):
            self._hint()
        elif word in ("u", "undo"):
            self._host.undo()
        elif word in ("s", "save"):
            write_whole(Path(rest or f"{session.record.game}.json"), session.record.text())
            print(f"saved: {rest or session.record.game + '.json'}")
        elif session.ended is not None and word in ("", "n", "next"):
            self._host.next_round()
        elif word in ("n", "new"):
            self._host.deal()
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
        self._host.act(actions[number - 1])

    def _hint(self) -> None:
        found = self._host.hint()
        print(f"{found.by} expects:")
        for each in found.advice:
            value = "its move" if each.points is None else f"{each.points:+.1f}"
            print(f"  {value:>8}  {each.move}")


def _viewer(session: Session) -> int | str:
    return "all" if session.person is None else session.person


def step_through(host: GameHost) -> int:
    """Steps through the record that is open: Enter goes on, b goes back, q quits."""
    try:
        at = 0
        while host.game is not None:
            host.seek(at)
            session, total = host.game.session, len(host.game.recorded_actions)
            names = phrases.seat_names(session.names)
            colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
            print(ansi.paint(compose(session.position, names=names, **ansi.room()), colour=colour))
            word = input(f"{at} of {total} (Enter: next, b: back, q: quit): ").strip()
            if word == "q" or (word == "" and at == total):
                break
            at = max(0, at - 1) if word == "b" else min(total, at + 1)
    except (EOFError, KeyboardInterrupt):
        print()
    finally:
        host.close()
    return 0
