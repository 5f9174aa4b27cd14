"""Who may import whom: dependencies go one way, and the library needs no more than it says."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# From the bottom up. A module may import its own layer and those below.
LAYERS = [
    ["domino_env.errors"],
    ["domino_env.plain"],
    ["domino_env.tileset"],
    ["domino_env.ruleset", "domino_env.puzzles.rules"],
    ["domino_env.engine"],
    ["domino_env.puzzles"],
    ["domino_env.lanes"],
    ["domino_env.games"],
    ["domino_env.render"],
    ["domino_env.actions", "domino_env.deals"],
    ["domino_env.position"],
    ["domino_env.solo"],
    ["domino_env.engines"],
    ["domino_env.arrays"],
    ["domino_env.batches"],
    ["domino_env.belief"],
    ["domino_env.record"],
    ["domino_env.adapters"],
    ["domino_env.agents"],
    ["domino_env.warming"],
    ["domino_env.train"],
    ["domino_env.__main__"],
]
# What each may import from outside; nothing else may stand above a function.
OUTSIDE = {
    "domino_env.engine": {"numpy", "numba"},
    "domino_env.errors": set(),
    "domino_env.plain": set(),
    "domino_env.tileset": set(),
    "domino_env.ruleset": set(),
    "domino_env.puzzles": {"numpy"},
    "domino_env.lanes": {"numpy"},
    "domino_env.solo": set(),
    "domino_env.engines": {"numpy"},
    "domino_env.render": {"numpy", "PIL", "pygame"},
    "domino_env.games": set(),
    "domino_env.actions": set(),
    "domino_env.deals": {"numpy"},
    "domino_env.position": {"numpy"},
    "domino_env.arrays": {"numpy"},
    "domino_env.batches": {"numpy"},
    "domino_env.belief": {"numpy"},
    "domino_env.record": set(),
    "domino_env.adapters": {
        "numpy",
        "gymnasium",
        "minari",
        "pettingzoo",
        "pufferlib",
        "pyarrow",
        "pyspiel",
        "open_spiel",
        "ray",
        "stable_baselines3",
        "tensordict",
        "tianshou",
        "torch",
        "torchrl",
    },
    "domino_env.agents": {"numpy"},
    "domino_env.warming": {"numpy"},
    "domino_env.__main__": set(),
    "domino_env.train": {
        "numpy",
        "gymnasium",
        "matplotlib",
        "numba",
        "pettingzoo",
        "pyarrow",
        "ray",
        "rich",
        "sb3_contrib",
        "stable_baselines3",
        "starlette",
        "torch",
        "uvicorn",
        "yaml",
        "open_spiel",
        "pyspiel",
    },
}


def layer_of(module: str) -> int:
    for number, names in enumerate(LAYERS):
        if any(module == name or module.startswith(f"{name}.") for name in names):
            return number
    raise AssertionError(f"{module} has no layer: put it into the list in this test")


def modules() -> list[tuple[str, Path]]:
    found = []
    for folder in ("domino_env", "agents", "train"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts if parts[0] == "domino_env" else ("domino_env", *parts)
            name = ".".join(parts).removesuffix(".__init__")
            if name != "domino_env":
                found.append((name, path))
    return found


def imports(path: Path) -> list[str]:
    """Everything a module imports, but for what only a type checker sees."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    guarded = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    found = []
    for node in ast.walk(tree):
        if id(node) in guarded:
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
            if node.module == "domino_env":
                found += [f"domino_env.{alias.name}" for alias in node.names]
    return found


@pytest.mark.parametrize(("name", "path"), modules(), ids=[name for name, _ in modules()])
def test_a_module_imports_only_its_own_layer_and_those_below(name: str, path: Path) -> None:
    for imported in imports(path):
        if imported.startswith("domino_env.") and imported != name:
            if not any(imported == known for known, _ in modules()):
                continue  # a name of the package, not a module
            assert layer_of(imported) <= layer_of(name), f"{name} imports {imported}"


@pytest.mark.parametrize(("name", "path"), modules(), ids=[name for name, _ in modules()])
def test_a_module_imports_from_outside_only_what_its_part_may(name: str, path: Path) -> None:
    part = ".".join(name.split(".")[:2])
    for imported in imports(path):
        top = imported.split(".")[0]
        if top != "domino_env" and top not in sys.stdlib_module_names:
            assert top in OUTSIDE[part], f"{name} imports {top}"


def test_importing_the_library_loads_no_trainer_and_no_drawing() -> None:
    code = "import sys, domino_env; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = set(done.stdout.split())
    trainers = {"torch", "stable_baselines3", "ray"}
    assert not loaded & {*trainers, "rich", "matplotlib", "PIL", "pygame", "pyspiel"}
    assert not any(name.startswith(("domino_env.agents", "domino_env.train")) for name in loaded)


def test_the_reference_games_import_nothing_of_ours() -> None:
    for path in (ROOT / "tests" / "reference").rglob("*.py"):
        for imported in imports(path):
            top = imported.split(".")[0]
            assert top in sys.stdlib_module_names or "." not in imported, f"{path}: {imported}"
            assert top not in ("domino_env", "agents", "train", "numpy"), f"{path}: {imported}"


def test_no_part_of_the_engine_knows_a_game_by_its_name() -> None:
    names = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")} - {"README"}
    for path in (ROOT / "domino_env").rglob("*.py"):
        if "games" in path.parts or path.is_symlink():
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                for part in [node.left, *node.comparators]:
                    assert not (isinstance(part, ast.Constant) and part.value in names), path
