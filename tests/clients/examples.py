"""The code that docs/trainers.md shows for a client: only that client's environment can run it."""

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent.parent / "docs"
_SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"^```text\n(.*?)^```", re.DOTALL | re.MULTILINE)


def examples(title: str) -> list[str]:
    """Every block of code in the section of that title."""
    found = []
    for page in sorted(DOCS.glob("trainers*.md")):
        for name, section in _SECTION.findall(page.read_text(encoding="utf-8")):
            if name == title:
                found += _CODE.findall(section)
    assert found, f"docs/trainers.md has no example in a section {title!r}"
    return found


def run(code: str) -> dict[str, Any]:
    """Runs an example, and gives what it has made."""
    made: dict[str, Any] = {"__name__": "__example__"}
    exec(compile(code, "docs/trainers.md", "exec"), made)
    return made
