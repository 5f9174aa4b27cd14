"""What every game has, as one list: `domino new-game` writes it, `docs/adding-a-game.md` shows it,
and `tests/test_completeness.py` looks for it. Nothing else is asked of a game; a policy that was
trained for it, say, is welcome and no condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PLACEHOLDER = "TO BE WRITTEN"
"""Stands where `domino new-game` leaves something to a person; a finished game has it nowhere."""


class Evidence(NamedTuple):
    """A row of the list: so many files, where `{id}` stands for the game's, in which a text is."""

    what: str
    files: str
    made_by: str
    holding: str = ""
    at_least: int = 1
    alone: bool = True
    """Is it asked of games for one player too?"""

    def found(self, game: str, root: Path = ROOT) -> list[Path]:
        """The files of a game that are such."""
        files = sorted(root.glob(self.files.format(id=game)))
        wanted = self.holding.format(id=game)
        return [file for file in files if wanted in file.read_text(encoding="utf-8")]


NEW_GAME = "`domino new-game {id}`, then you"
YOU = "you, by hand, in the files that `domino new-game {id}` has begun"
DOCS = "`make docs`"

EVIDENCE = (
    Evidence(
        "the declaration: its `Rules`",
        "domino_env/games/*.py",
        NEW_GAME,
        'id="{id}"',
    ),
    Evidence(
        "its page of rules, in the shape of the others",
        "docs/rules/{id}.md",
        NEW_GAME,
        "\n## Clauses\n",
    ),
    Evidence(
        "its row in the index of pages",
        "docs/rules/README.md",
        NEW_GAME,
        "| [{id}]({id}.md) | ",
    ),
    Evidence(
        "its referee, by which the engine is judged, and the line that names it",
        "tests/reference/**/__init__.py",
        NEW_GAME,
        '"{id}": ',
    ),
    Evidence(
        "whole rounds, played by the referee",
        "tests/golden/{id}/whole_round*.json",
        "`python -m tests.test_golden --write {id}`",
        '"kind": "generated"',
    ),
    Evidence(
        "rounds worked by hand from the rulebook, two at least",
        "tests/golden/{id}/*.json",
        YOU,
        '"kind": "hand-worked"',
        at_least=2,
    ),
    Evidence(
        "a match that its first round decides",
        "tests/golden/{id}/*.json",
        YOU,
        '"episode": "match"',
        alone=False,
    ),
    Evidence(
        "decision trees, which engine and referee count alike",
        "tests/perft/{id}.json",
        "`python -m tests.test_perft --write {id}`",
        '"counts"',
    ),
    Evidence("its picture", "docs/images/{id}.svg", DOCS, "<svg"),
    Evidence("its row in the README's table of games", "README.md", DOCS, "docs/rules/{id}.md"),
    Evidence("its picture in the gallery", "docs/gallery.md", DOCS, "images/{id}.svg"),
    Evidence("the sizes of its actions and observations", "docs/actions.md", DOCS, "| `{id}` | "),
)


def unfinished(game: str, root: Path = ROOT) -> Iterator[Path]:
    """The files of a game in which something is still to be written."""
    files = {file for row in EVIDENCE for file in row.found(game, root)}
    for file in sorted({*files, *root.glob(f"tests/reference/**/{game}.py")}):
        own = game in (file.stem, file.parent.name)
        lines = file.read_text(encoding="utf-8").splitlines()
        if any(PLACEHOLDER in line and (own or game in line) for line in lines):
            yield file
