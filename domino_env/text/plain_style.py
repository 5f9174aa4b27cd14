"""The facts of a game as plain lines, as a player would say them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domino_env.text.facts import Facts

_SIDES = {0: "left", 1: "right"}


class Lines:
    """Tells facts in lines.

    Args:
        facts: see `facts`.
        has_sides: is the table a line with a left end and a right one?
        teams: do seats 0 and 2 play against seats 1 and 3?
    """

    def __init__(self, facts: Facts, has_sides: bool, teams: bool) -> None:
        self._facts, self._has_sides, self._teams = facts, has_sides, teams
        self._you = facts.get("you")

    def head(self) -> str:
        """What is played, and who the reader is."""
        facts = self._facts
        where = f"round {facts['round']} of a match" if "round" in facts else "a single round"
        if "seats" not in facts:
            return f"{facts['game']}, for one player: {facts['points']} points so far."
        seats = len(facts["seats"])
        if not isinstance(self._you, int):
            return f"{facts['game']}, {seats} seats, {where}."
        partner = f", partner of seat {(self._you + 2) % 4}" if self._teams else ""
        return f"{facts['game']}, {where}. You are seat {self._you} of {seats}{partner}."

    def body(self) -> Iterator[str]:
        """Table, hand, seats and what happened."""
        if "seats" in self._facts:
            yield from self._table()
            yield from self._hands()
            yield from map(self._seat, self._facts["seats"])
            yield from self._course()
        else:
            yield from self._alone()
        yield from self._history()

    # Table ----------------------------------------------------------------------------------------

    def _table(self) -> Iterator[str]:
        facts = self._facts
        opened, arms = facts["table"]["opened"], dict(facts["table"]["arms"])
        yield f"Table: {'opened with ' + ' '.join(opened) if opened else 'nothing yet'}"
        for end in facts["ends"]:
            number = end["end"]
            side = f" ({_SIDES[number]})" if self._has_sides and number in _SIDES else ""
            arm = ", ".join(arms.pop(number, [])) if arms else ""
            yield f"  end {number}{side} {self._shows(end)}{': ' + arm if arm else ''}"
        for number, arm in arms.items():
            yield f"  end {number} is no more: {', '.join(arm)}"
        yield self._boneyard()

    def _shows(self, end: Facts) -> str:
        said = [f"shows {end['shows']}"]
        if "asks_for" in end:
            said.append(f"asks for {end['asks_for']}")
        said.append(f"on {end['on']}")
        if "train_of" in end:
            said.append(f"the train of {end['train_of']}")
        if "counts" in end:
            said.append(f"counts {end['counts']}")
        if "turns" in end:
            turns = " or ".join(end["turns"])
            said.append(f"a tile may turn {turns}" if turns else "dead")
        if "closed" in end:
            said.append(end["closed"])
        return ", ".join(said)

    def _boneyard(self) -> str:
        facts = self._facts
        stays = f", {facts['not_drawn']} of them never drawn" if "not_drawn" in facts else ""
        return f"Boneyard: {_tiles(facts['boneyard'])}{stays}"

    def _hands(self) -> Iterator[str]:
        facts = self._facts
        if "hand" in facts:
            yield f"Your hand: {' '.join(facts['hand']) or 'empty'}"
        for seat, tiles in enumerate(facts.get("hands", ())):
            yield f"Hand of seat {seat}: {' '.join(tiles) or 'empty'}"
        for seat, row in enumerate(facts.get("rows", ())):
            whose = "Your row" if seat == self._you else f"Row of seat {seat}"
            yield f"{whose}, its top first: {' '.join(row) or 'empty'}"

    def _seat(self, seat: Facts) -> str:
        number = seat["seat"]
        who = f"You (seat {number})" if number == self._you else f"Seat {number}"
        if self._teams and isinstance(self._you, int) and (number - self._you) % 4 == 2:
            who += ", your partner"
        said = [f"{_tiles(seat['tiles'])}, {_points(seat['points'])}"]
        if "could_not_play_on" in seat:
            said.append(f"could not play on {', '.join(seat['could_not_play_on'])}")
        if "drawn_since" in seat:
            said.append(f"has drawn {seat['drawn_since']} since showing that")
        if "drew" in seat:
            said.append(f"drew {seat['drew']} last turn")
        if "passed" in seat:
            said.append("passed last turn")
        if "marked" in seat:
            said.append("has a marker on its train")
        if "out" in seat:
            said.append(f"went out as number {seat['out']}")
        if "earlier" not in self._facts and "since" not in self._facts:
            played = self._facts["table"]["played_by"].get(number)
            if played:
                said.append(f"has played {' '.join(played)}")
        return f"{who}: {'; '.join(said)}"

    def _course(self) -> Iterator[str]:
        facts = self._facts
        if "due" in facts:
            double, tiles = facts["due"]["double"], _tiles(facts["due"]["tiles"])
            yield f"{double} must have {tiles} before anything else is played."
        if "spinner" in facts:
            yield f"Spinner: {facts['spinner'] or 'not laid yet'}"
        if "leads" in facts:
            yield f"The lead of this round: {self._who(facts['leads'])}"
        if "laid_last" in facts:
            yield f"The last tile was laid by {self._who(facts['laid_last'])}."
        if "round_pays" in facts:
            yield f"Winning this round pays {facts['round_pays']} more."
        if "direction" in facts:
            yield f"Turns go {facts['direction']}."
        if "stakes" in facts:
            yield f"The stakes are raised: the round counts {facts['stakes']} times."
        if "turn" in facts and facts["turn"] != facts.get("to_move"):
            yield f"It is the turn of {self._who(facts['turn'])}."
        if "then" in facts:
            yield f"After the answers {facts['then']}."

    # Alone ----------------------------------------------------------------------------------------

    def _alone(self) -> Iterator[str]:
        facts = self._facts
        if "row" in facts:
            yield f"Row, from the left: {self._row()}"
        if "counting" in facts and facts["row"] and not facts.get("over"):
            place, number = facts["counting"]["place"], facts["counting"]["number"]
            tile = facts["row"][place] if place < len(facts["row"]) else "the first tile"
            yield f"Next: number {number} on {tile}; {facts['idle_passes']} passes without a match."
        for number, column in enumerate(facts.get("columns", ())):
            yield f"Column {number}: {' '.join(column) or 'empty'}"
        if "moves_left" in facts:
            yield f"{facts['moves_left']} moves are left."
        if "won" in facts:
            yield "The game is won."

    def _row(self) -> str:
        """The row; where tiles are knocked out in pairs, with the numbers of the places between."""
        row = self._facts["row"]
        if "counting" in self._facts or not row:
            return " ".join(row) or "empty"
        return row[0] + "".join(f" {place} {tile}" for place, tile in enumerate(row[1:]))

    # What happened, and what is asked -------------------------------------------------------------

    def _history(self) -> Iterator[str]:
        facts = self._facts
        if "earlier" in facts:
            gone = facts.get("earlier_left_out")
            skipped = f"({gone} events before these are left out) " if gone else ""
            yield f"Earlier: {skipped}{'; '.join(facts['earlier'])}"
        if "since" in facts:
            label = "Since your last decision" if isinstance(self._you, int) else "Events"
            if "seats" not in facts:
                label = "Last"
            yield f"{label}: {'; '.join(facts['since']) or 'nothing'}"

    def question(self) -> Iterator[str]:
        """What is to be decided, and the moves that are listed."""
        facts = self._facts
        if facts.get("over"):
            yield self._outcome()
            return
        is_mine = "seats" not in facts or facts["to_move"] == self._you
        if "answers" in facts:
            yield f"Question: {facts['question']}"
            yield f"Answer {' or '.join(facts['answers'])}."
            return
        if not is_mine:
            asked = f": {facts['question']}" if "question" in facts else ""
            yield f"{self._who(facts['to_move']).capitalize()} is to decide{asked}."
            return
        if "legal" in facts:
            yield "Legal moves:"
            yield from (f"- {name}" for name in facts["legal"])
            yield "What do you do? Answer with one of the legal moves."
        else:
            yield "What do you do? Answer with your move."

    def _outcome(self) -> str:
        facts = self._facts
        if "winners" not in facts:
            return f"The game is over: {'won' if facts.get('won') else 'not won'}."
        names = " and ".join(map(self._who, facts["winners"]))
        return f"The game is over: {'won by ' + names if names else 'drawn'}."

    def _who(self, seat: Any) -> str:
        return "you" if seat == self._you else f"seat {seat}"


def _tiles(number: int) -> str:
    return f"{number} tile{'' if number == 1 else 's'}"


def _points(points: int) -> str:
    return f"{points} point{'' if points in (1, -1) else 's'}"
