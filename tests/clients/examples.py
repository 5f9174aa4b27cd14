"""The examples in the docs that need a client: the blocks that begin with ```python CLIENT."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent.parent / "docs"


def examples(client: str) -> list[str]:
    """The code of every such block."""
    block = re.compile(rf"^```python {client}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    pages = sorted(DOCS.rglob("*.md"))
    found = [code for page in pages for code in block.findall(page.read_text(encoding="utf-8"))]
    assert found, f"no page has an example for {client}"
    return found


def run(code: str) -> dict[str, Any]:
    """Runs an example, and gives what it has made."""
    made: dict[str, Any] = {"__name__": "__example__"}
    exec(compile(code, "docs", "exec"), made)
    return made
