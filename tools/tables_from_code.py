"""Tables of the docs that are made from the code: games, settings, fields, rooms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import domino_env
from domino_env.engine import questions as asking
from domino_env.engine.features import fields
from domino_env.engine.game_setup import Setup, extras, num_ends
from domino_env.engine.log import NAMES
from domino_env.engine.move_features.move_fields import move_fields
from domino_env.engine.move_graphs.graph_fields import graph_fields
from domino_env.engine.recall import DEALT
from domino_env.engine.state import ANSWERS
from domino_env.game_facts import game_row
from domino_env.ruleset.conditions import settings_in_words
from domino_env.ruleset.needs import NEEDS
from domino_env.table_reader import QUESTIONS
from tools import import_diagram
from tools.game_evidence import EVIDENCE
from tools.markdown import table


def games() -> str:
    """The games, from their `Rules`."""
    rows = []
    for variant in domino_env.variants():
        name, *rest = game_row(domino_env.rules(variant))
        rows.append([f"[`{name}`]({{rules}}/{name}.md)", *rest])
    heads = ["game", "rulebook", "players", "sets", "dealt", "match", "in a line"]
    return table(heads, rows)


def evidence() -> str:
    """What every game has, and who makes it."""
    rows = [
        [row.what, f"`{row.files.replace('{id}', 'ID')}`", row.made_by.replace("{id}", "ID")]
        for row in EVIDENCE
    ]
    return table(["what", "where", "made by"], rows)


def needs() -> str:
    """Which setting of `Rules` needs which, and why."""
    rows = [[_settings(row.having), _settings(row.needs), row.because] for row in NEEDS]
    return table(["where there is", "it needs", "because"], rows)


def _settings(settings: Any) -> str:
    return ", ".join(f"`{text}`" for text in settings_in_words(settings))


def gallery() -> str:
    """A picture of each game, two side by side."""
    cells = [
        f"[![{domino_env.rules(game).title}](images/{game}.svg)](rules/{game}.md)"
        for game in domino_env.variants()
    ]
    return table(["", ""], [cells[place : place + 2] for place in range(0, len(cells), 2)])


def spaces() -> str:
    """The size of each game's actions and observations, double six, usual seats."""
    rows = []
    for variant in domino_env.variants():
        rules = domino_env.rules(variant)
        batch = domino_env.batch(rules, 1)
        ends, named = "", "its own"
        if rules.has_ends:
            ends = str(num_ends(rules, batch.num_players))
            named = ", ".join(f"`{name}`" for name in extras(rules, "automatic")) or "none"
        sizes = [str(batch.num_actions), str(batch.num_features)]
        rows.append([f"`{variant}`", ends, named, *sizes])
    return table(["game", "ends", "extras", "actions", "features"], rows)


def observation() -> str:
    """The fields of one game's observation."""
    setup = Setup(domino_env.rules("block_draw"), 2, "round", "margin", "automatic")
    rows, start = [], 0
    for field in fields(setup):
        place, scale = f"{start}–{start + field.size - 1}", _fraction(field.scale)
        rows.append([place, f"`{field.name}`", field.meaning, scale])
        start += field.size
    return table(["at", "field", "meaning", "scale of a byte"], rows)


def move_features() -> str:
    """The numbers of a row of features of moves; of the ends one slot."""
    setup = Setup(domino_env.rules("block_draw"), 2, "round", "margin", "automatic")
    rows = []
    for place, field in enumerate(move_fields(setup)):
        if not field.name.startswith("end[1]"):
            name = field.name.replace("end[0]", "end[i]")
            rows.append([str(place), f"`{name}`", field.meaning.removeprefix("the end it makes: ")])
    return table(["at", "number", "meaning"], rows)


def move_graphs() -> str:
    """The columns of a graph of a move; of the edges one column each."""
    setup = Setup(domino_env.rules("block_draw"), 2, "round", "margin", "automatic")
    rows = []
    for place, field in enumerate(graph_fields(setup)):
        number = field.name.partition("[")[2]
        if number in ("", "0]"):
            shown, meaning = field.name.replace("[0]", "[i]"), field.meaning
            rows.append([str(place), f"`{shown}`", meaning.replace("number 0", "number i")])
    return table(["at", "column", "meaning"], rows)


def _fraction(scale: float) -> str:
    return str(Fraction(scale).limit_denominator(1000))


def position() -> str:
    """A position, as it prints."""
    return _printed(domino_env.batch("five_up", 1, seed=8), 7)


def curved() -> str:
    """A position of curved tiles, as it prints."""
    return _printed(domino_env.batch("fundomino", 1, num_players=3, seed=3), 12)


def _printed(batch: domino_env.Batch, decisions: int) -> str:
    """A position of lane 0 after so many random decisions."""
    batch.reset()
    for _ in range(decisions):
        batch.step(batch.sample())
    return f"```text\n{batch.position(0)}\n```\n"


def kinds() -> str:
    """The kinds of events, as a history numbers them."""
    names = {**NAMES, DEALT: "dealt"}
    rows = [[str(kind), f"`{name}`"] for kind, name in sorted(names.items())]
    return table(["kind", "event"], rows)


ASKED = {
    asking.THE_MOVER: "the mover",
    asking.ALL_FROM_THE_MOVER: "the mover, then the others who are in, until one says {}",
    asking.THE_OPPONENTS: "each opponent who is in, until one says {}",
}
DOES = {
    asking.NOTHING: "",
    asking.SCORE: ": who says so scores",
    asking.LOSE_POINTS: ": nobody scores",
    asking.PENALTY: ": said by another, the mover draws",
    asking.TURN_BACK: ": turns go the other way",
    asking.DOUBLE_STAKES: ": the round counts twice",
    asking.END_ROUND: ": the round is over",
    asking.LEAVE_LEAD: ": the partner leads",
}
FOLLOWS = {
    asking.WORD: '"Domino!"',
    asking.END: "the end of the round, if it has come",
    asking.WAY: "the direction, or the reversal",
    asking.RAISE: "the stakes",
    asking.ACCEPT: "`accept` or `refuse`",
    asking.EFFECT: "the effect of the symbol",
    asking.NO_STEP: "",
}


def questions() -> str:
    """What is asked after a play, from the engine's table of questions."""
    rows = []
    for stage, row in asking.QUESTION_TABLE.items():
        yes, no = (f"`{word}`" for word in ANSWERS[stage])
        who = ASKED[row.asked].format(no if row.settled_by == asking.NO else yes)
        after = {yes: FOLLOWS[row.after_yes], no: FOLLOWS[row.after_no]}
        then = after[yes]
        if after[yes] != after[no]:
            then = "; ".join(f"after {said}, {step}" for said, step in after.items() if step)
        rows.append([f"`{QUESTIONS[stage]}`", who, yes + DOES[row.yes], no + DOES[row.no], then])
    return table(["question", "who is asked", "yes", "no", "what follows"], rows)


def rooms() -> str:
    """The rooms of the code from the top down, with the first sentence of each."""
    rows = [
        [f"`{import_diagram.path_of(room)}`", import_diagram.purpose(room)]
        for room in import_diagram.rooms()
    ]
    return table(["room", "what for"], rows)


def imports() -> str:
    """The import graph of the rooms."""
    return f"```mermaid\n{import_diagram.diagram()}\n```\n"
