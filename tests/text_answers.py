"""Answers as people and language models write them: moves in many dresses, and garbled ones."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

from domino_env.actions import Move, Tile

Dress = Callable[[str, Move], str]


def _fields(text: str, move: Move) -> dict[str, object]:
    """A move in fields, as tools take it."""
    if move.kind == "knock":
        return {"action": "knock", "place": move.place}
    if move.tile is None:
        return {"action": move.kind}
    said: dict[str, object] = {"tile": f"{move.tile.second}-{move.tile.first}"}
    if move.kind == "move":
        said["column"] = "empty" if move.place is None else move.place
        return said
    said["end"] = move.end
    if not move.tile.is_double:
        said["by"] = move.tile[move.half or 0]
    elif move.half:
        said["turning"] = "left"
    return said


def _retiled(separator: str, turned: bool = False) -> Dress:
    """The tile written another way."""

    def dress(text: str, move: Move) -> str:
        if move.tile is None:
            return text
        first, second = (move.tile.second, move.tile.first) if turned else move.tile
        return text.replace(f"[{move.tile}]", f"{first}{separator}{second}")

    return dress


DRESSES: dict[str, Dress] = {
    "as it is": lambda text, move: text,
    "small letters": lambda text, move: text.lower(),
    "capitals": lambda text, move: text.upper(),
    "a sentence": lambda text, move: f"I play {text}.",
    "bold": lambda text, move: f"**{text}**",
    "a fence": lambda text, move: f"```\n{text}\n```",
    "a fence with its language": lambda text, move: f"Here it is:\n```text\n{text}\n```\n",
    "JSON": lambda text, move: json.dumps({"move": text}),
    "JSON in a fence": lambda text, move: f"```json\n{json.dumps({'action': text}, indent=1)}\n```",
    "JSON in fields": lambda text, move: json.dumps(_fields(text, move)),
    "JSON after prose": lambda text, move: (
        f"Seat 1 has 5 tiles left, so this is best. {json.dumps(_fields(text, move))}"
    ),
    "a call of a tool": lambda text, move: json.dumps(
        {"name": "play", "arguments": _fields(text, move)}
    ),
    "a call of a function": lambda text, move: json.dumps(
        {"function": {"name": "make_move", "arguments": json.dumps({"move": text})}}
    ),
    "a tag of a tool": lambda text, move: (
        f"<tool_call>\n{json.dumps({'name': 'move', 'arguments': {'move': text}})}\n</tool_call>"
    ),
    "an answer tag": lambda text, move: f"I hold 6-6.\n<answer>{text}</answer>",
    "a box": lambda text, move: f"So the answer is \\boxed{{{text}}}.",
    "after a thought": lambda text, move: f"<think>5-5? No: 6-6 on the 4.</think>\n{text}",
    "a final answer": lambda text, move: f"My hand is 5-4, 6-6.\n\nFinal answer: `{text}`",
    "an arrow of two signs": lambda text, move: text.replace("→", "->"),
    "a thick arrow": lambda text, move: text.replace("→", "=>"),
    "a word for the arrow": lambda text, move: text.replace(" → ", " on "),
    "a dash": _retiled("-"),
    "a long dash": _retiled("–"),
    "a turned tile": _retiled("-", turned=True),
    "a bar of a box": _retiled("│"),
    "a colon": _retiled(":"),
    "a slash": _retiled("/", turned=True),
    "spaces": _retiled(" | "),
    "room around": lambda text, move: f"\n\n   {text}  \n",
    "a list": lambda text, move: f"1. {text}",
    "a bullet": lambda text, move: f"- {text}",
    "a quote": lambda text, move: f"> {text}",
    "a label": lambda text, move: f"Thought: seat 2 drew 3 tiles.\nAction: {text}",
    "a reason after it": lambda text, move: f"{text}, because I also hold 6-6, 5-5 and 4-4.",
    "a comment after it": lambda text, move: f"{text}\nThat leaves seat 1 without a 6.",
    "the last of two": lambda text, move: f"I could play 6-6. But I'd rather play {text}!",
    "a change of mind": lambda text, move: f"[1|1] → end 0? No. Final move: {text}",
}

# What no move is meant by, with a legal move and its tile in it.
UNMEANT: list[str] = [
    "I will not play {move}.",
    "I don't play {move}",
    "Never {move}!",
    "{move} or {other}",
    "Either {move} or {other}.",
    "Maybe {move}?",
    "I could play {move}.",
    "If I play {move}, seat 1 may answer {other}.",
    "{move}. No, wait.",
    "{move} - scratch that.",
    "Legal moves: {move}, {other}",
    "{tile}, {othertile}",
    "Instead of {move} something else.",
    "Seat 1 plays {move}.",
    "because of {move}",
    "{move} {other}",
    '{{"move": "{move}", "edn": 1}}',
    '{{"tile": 5}}',
    '{{"reason": "{move}"}}',
    "<think>{move}",
    "What about my hand: {tile}?",
    "anything but {move} please, rather than {other}",
    "{digits}",
    "",
]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SIGNS = " -|:.,;/→[](){}#\"'\n*_~^%&="


def garbled(text: str, chance: random.Random) -> str:
    """A text with some of its signs lost, doubled, exchanged, or replaced by others."""
    signs = list(text)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5))):
        if not signs:
            break
        place = chance.randrange(len(signs))
        how = chance.randrange(6)
        if how == 0:
            del signs[place]
        elif how == 1:
            signs.insert(place, chance.choice(_LETTERS + _SIGNS + "0123456789"))
        elif how == 2:
            signs[place] = chance.choice(_LETTERS + _SIGNS + "0123456789")
        elif how == 3 and place:
            signs[place - 1], signs[place] = signs[place], signs[place - 1]
        elif how == 4:
            signs = signs[:place] if chance.random() < 0.5 else signs[place:]
        else:
            signs.insert(place, signs[place])
    return "".join(signs)


# What dresses say beside the move; and what takes back all that came before it.
_BESIDE = re.compile(
    r"Seat 1 has 5 tiles left|I hold 6-6\.|My hand is 5-4, 6-6\.|seat 2 drew 3 tiles\."
    r"|because I also hold 6-6, 5-5 and 4-4\.|That leaves seat 1 without a 6\."
)
_SENTENCE = re.compile(r"[.!?] |\n")
_TAKEN_BACK = re.compile(r"No[.:]|But I'd rather")
_NUMBER = re.compile(r"[>+]?\d+|\*")
_ARROW = re.compile(r"[-=]>|→|=|\\u2192")


def could_mean(text: str, move: Move, shows: set[str]) -> bool:
    """Can a text have meant a move, or its last sentences? For the last statement counts.
    `shows` are what its end shows."""
    text = _TAKEN_BACK.split(_BESIDE.sub(" ", text))[-1]
    starts = [0, *(found.end() for found in _SENTENCE.finditer(text))]
    return any(_means(text[start:], move, shows) for start in starts)


def _means(text: str, move: Move, shows: set[str]) -> bool:
    """Told without the parser: both halves stand side by side in it, and every other number in it
    belongs to the move."""
    if move.kind not in ("play", "move"):
        word = re.escape(str(move).split()[0].lower())
        number = f"[^0-9]*{move.place}\\b" if move.place is not None else ""
        return re.search(rf"(?<![a-z]){word}(?![a-z]){number}", text.lower()) is not None
    numbers = _NUMBER.findall(_ARROW.sub(" ", text))
    halves = sorted(map(str, move.tile or Tile(0, 0)))
    for place in range(len(numbers) - 1):
        if sorted(numbers[place : place + 2]) == halves:
            others = {*numbers[:place], *numbers[place + 2 :]}
            if others <= {str(move.end), str(move.place), *halves, *shows}:
                return True
    return False
