"""The rooms of the code, as docs/architecture.md shows them: what each is for, who imports whom."""

from __future__ import annotations

import ast
import re

from tools.architecture import LAYERS, ROOT, UTILITIES, arrows, modules, syntax_tree


def rooms() -> list[str]:
    """All rooms from the top down, but for those that everything may import."""
    listed = [room for layer in reversed(LAYERS) for room in layer if room not in UTILITIES]
    return [room for room in listed if _name_of(room) in modules()]


def purpose(room: str) -> str:
    """What a room is for: the first sentence of its docstring."""
    text = ast.get_docstring(syntax_tree(_name_of(room))) or ""
    first = " ".join(text.split("\n\n")[0].split())
    return re.split(r"\.(?:\s|$)", first)[0].rstrip(":.")


def _name_of(room: str) -> str:
    return "tools" if room == "tools" else f"domino_env.{room}".rstrip(".")


def path_of(room: str) -> str:
    """Where a room is in the repository."""
    path = modules()[_name_of(room)].relative_to(ROOT)
    return f"{path.parent.as_posix()}/" if path.name == "__init__.py" else path.as_posix()


def direct() -> dict[str, set[str]]:
    """The arrows of the diagram: of a room that is reached by way of another, none is drawn."""
    all_arrows = {room: arrows().get(room, set()) - UTILITIES for room in rooms()}
    below = {room: _below(room, all_arrows) for room in all_arrows}
    return {
        room: {
            end for end in ends if not any(end in below.get(other, set()) for other in ends - {end})
        }
        for room, ends in all_arrows.items()
    }


def _below(room: str, all_arrows: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [room]
    while waiting:
        for end in all_arrows.get(waiting.pop(), set()) - found:
            found.add(end)
            waiting.append(end)
    return found


def diagram() -> str:
    """The import graph of the rooms, for Mermaid."""
    lines = [f"    {_label(room)}" for room in rooms()]
    for room, ends in direct().items():
        order = sorted(ends, key=rooms().index)
        lines += [f"    {_node(room)} --> {_node(end)}" for end in order]
    return "graph TD\n" + "\n".join(lines)


def _node(room: str) -> str:
    return room.replace(".", "_") or "domino_env"


def _label(room: str) -> str:
    return f'{_node(room)}["{room or "domino_env"}"]'
