"""The file that `domino new-agent` writes: an agent of one's own, to start from."""

from __future__ import annotations

import re
from pathlib import Path

from domino_env.errors import BadOption

STUB = '''"""{title}: an agent of my own.

    domino tournament --set "agents=[random, greedy_pip, {reference}]"
    domino play block_draw --against {reference}
"""


class {kind}:
    """Plays the heaviest tile it can, and answers yes to every question."""

    # Options, set in a config by {{agent: {reference}, pips: 2.0}}. If there is one called `seed`,
    # tournaments fill it in: seed your generator with it, and games can be repeated.
    def __init__(self, pips: float = 1.0, doubles: float = 0.5) -> None:
        self.pips = pips
        self.doubles = doubles

    def choose(self, position):
        """Returns one of position.legal. `position` is what your seat may know; print it to see:

        position.to_move           your seat
        position.legal             the legal moves: kind, tile, end, half
        position.hands[seat]       tiles; None for those that you cannot see
        position.ends              the open ends of the table: number, value, counts
        position.boneyard          its tiles, face down: None for each
        position.scores            the scores of all seats
        position.events            everything that has happened in this round
        position.rules             the rules of the game: position.rules.id, ...
        """
        return max(position.legal, key=self.worth)

    def worth(self, move):
        if move.tile is None:  # DRAW, PASS, and answers like CALL
            return -1.0 if move.kind in ("draw", "pass", "end_turn", "silent") else 0.0
        worth = self.pips * move.tile.pips
        return worth + self.doubles * move.tile.is_double
'''


def write(name: str) -> Path:
    """Writes the file of an agent with a name like my_agent or bots/my_agent.py."""
    given = Path(name)
    stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", given.stem).lower().replace("-", "_")
    if given.suffix not in ("", ".py") or not re.fullmatch(r"[a-z]\w*", stem, re.ASCII):
        raise BadOption(f"the name of an agent must be a word like my_agent, not {name!r}")
    file = given.with_name(f"{stem}.py")
    kind = "".join(part.capitalize() for part in stem.split("_"))
    text = STUB.format(title=stem, kind=kind, reference=f"{file.as_posix()}:{kind}")
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise BadOption(f"{file} exists already: choose another name") from error
    except OSError as error:
        raise BadOption(f"{file} cannot be written: {error.strerror or error}") from error
    return file


def next_steps(file: Path) -> str:
    """What the command prints: what was written, and what to do next."""
    kind = "".join(part.capitalize() for part in file.stem.split("_"))
    reference = f"{file.as_posix()}:{kind}"
    quoted = f'"{reference}"' if " " in reference else reference
    return (
        f"written: {file}, with the class {kind}, which can play as it is\n"
        f'domino tournament --set "agents=[random, greedy_pip, {reference}]" --set deals=200\n'
        f"domino play block_draw --against {quoted}\n"
        "An agent that fails, makes an illegal move or takes too long forfeits that game, and the "
        "results say so."
    )
