"""Who may import whom: rooms stand on one another in one order, and the library needs no more than
it says. The order is in tools/architecture.py."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tools import architecture
from tools.architecture import INSIDE, LAYERS, ROOT, imports, modules, room_of

MODULES = sorted(modules())
# What each may import from outside; nothing else may stand above a function.
NOTHING: set[str] = set()
OUTSIDE = {
    "compiling": {"numpy", "numba", "llvmlite"},
    "engine": {"numpy"},
    "engines": {"numpy"},
    "ruleset": NOTHING,
    "tileset": NOTHING,
    "games": NOTHING,
    "game_facts": NOTHING,
    "errors": NOTHING,
    "lazy": NOTHING,
    "words": NOTHING,
    "plain": NOTHING,
    "files": NOTHING,
    "locks": NOTHING,
    "extras": NOTHING,
    "solo": NOTHING,
    "actions": NOTHING,
    "record": NOTHING,
    "protocol": {"numpy"},
    "protocol.serving": {"numpy"},
    "protocol.checking": {"numpy"},
    "solve": {"numpy"},
    "text": {"numpy"},
    "text.env": {"numpy"},
    "": NOTHING,
    "__main__": NOTHING,
    "puzzles": {"numpy"},
    "puzzles.rules": NOTHING,
    "engine_kernels": NOTHING,
    "lanes": {"numpy"},
    "learner_lanes": {"numpy"},
    "laid": {"numpy"},
    "hex_text": NOTHING,
    "render": {"numpy", "PIL", "pygame"},
    "deals": {"numpy"},
    "position": NOTHING,
    "table_reader": {"numpy"},
    "arrays": {"numpy"},
    "batches": {"numpy"},
    "belief": {"numpy"},
    "agents": {"numpy"},
    "warming": {"numpy"},
    "adapters": {
        "numpy",
        "anyio",
        "gymnasium",
        "inspect_ai",
        "kaggle_environments",
        "minari",
        "onnx",
        "onnxruntime",
        "openai",
        "pettingzoo",
        "pufferlib",
        "pyspiel",
        "open_spiel",
        "openenv",
        "pydantic",
        "ray",
        "stable_baselines3",
        "tensordict",
        "textarena",
        "tianshou",
        "torch",
        "torchrl",
        "uvicorn",
        "verifiers",
    },
    "config": {"yaml"},
    "execution": {"ray"},
    "evaluate": {"matplotlib", "numpy", "openskill", "rich"},
    "data": {"numpy", "pyarrow", "rich", "torch"},
    "train": {
        "gymnasium",
        "matplotlib",
        "numpy",
        "ray",
        "rich",
        "sb3_contrib",
        "stable_baselines3",
        "torch",
    },
    "play": {"numpy", "rich", "starlette", "uvicorn"},
    "bench": {
        "numpy",
        "dominoes",
        "gymnasium",
        "jax",
        "pettingzoo",
        "pgx",
        "open_spiel",
        "pyspiel",
        "rich",
        "stable_baselines3",
    },
    "cli": {"numpy", "rich"},
    "tools": {"numpy", "open_spiel", "pyspiel", "ray", "rich", "tests", "torch"},
}
# Where a module is imported by a name that is only known when the program runs, and which it is.
COMPUTED = {
    "domino_env": ["f'{__name__}.{name}'"],  # modules of their own packages
    "domino_env.agents": ["f'{__name__}.{info.name}'"],
    "domino_env.agents.custom.loading": ["name"],  # somebody's own agent
    "domino_env.compiling.forms": ["module"],  # of a record that a kernel takes
    "domino_env.compiling.object_code": ["name"],  # of a kernel, to see whether it has changed
    "domino_env.games": ["f'{__name__}.{name}'"],
    "domino_env.lazy": ["f'{package}.{modules[name]}'"],  # of the package that calls it
    "tools.object_code.building": ["module"],  # of the kernels that are compiled
    "tools.object_code.link_library": ["module", "module"],
    "tools.new_game": ["f'domino_env.games.{file.stem}'"],
}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_rooms_of_its_own_layer_and_below(name: str) -> None:
    for imported in imports(name):
        if room_of(imported) != room_of(name):
            higher = architecture.layer_of(imported) > architecture.layer_of(name)
            assert not higher, f"{name} imports {imported}"


def test_no_two_rooms_import_each_other() -> None:
    arrows = architecture.arrows()
    both = [(room, end) for room, ends in arrows.items() for end in ends if room in arrows[end]]
    assert not both


@pytest.mark.parametrize("name", [each for each in MODULES if room_of(each) in INSIDE])
def test_inside_a_room_a_module_imports_only_its_own_layer_and_those_below(name: str) -> None:
    if name.count(".") == 1:
        return  # the door of a room may offer whatever is in it
    for imported in imports(name):
        if room_of(imported) == room_of(name) and imported != name:
            here, there = map(architecture.inner_layer_of, (name, imported))
            assert there <= here, f"{name} imports {imported}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    arrows = {name: imports(name) - {name} for name in MODULES}
    while free := [name for name, ends in arrows.items() if not ends & {*arrows}]:
        for name in free:
            del arrows[name]
    assert not arrows, f"these import each other, or what does: {sorted(arrows)}"


def test_modules_are_imported_by_names_that_this_test_can_read() -> None:
    for name in MODULES:
        assert architecture.computed(name) == COMPUTED.get(name, []), name


def test_every_room_stands_in_one_layer() -> None:
    listed = [room for layer in LAYERS for room in layer]
    assert len(listed) == len({*listed})
    for room in INSIDE:
        inner = [name for layer in INSIDE[room] for name in layer]
        assert len(inner) == len({*inner}), room


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_from_outside_only_what_its_room_may(name: str) -> None:
    for imported in architecture.statements(name):
        top = imported.split(".")[0]
        if top not in (*sys.stdlib_module_names, *architecture.FOLDERS):
            assert top in OUTSIDE[room_of(name)], f"{name} imports {top}"


def test_importing_the_library_loads_no_trainer_and_no_drawing() -> None:
    loaded = loaded_by("import domino_env")
    trainers = {"torch", "stable_baselines3", "ray"}
    assert not loaded & {*trainers, "rich", "matplotlib", "PIL", "pygame", "pyspiel"}
    assert not any(name.startswith(("domino_env.agents", "domino_env.train")) for name in loaded)


@pytest.mark.parametrize("room", ["config", "data", "evaluate", "execution"])
def test_the_door_of_a_room_loads_nothing_that_is_not_asked_for(room: str) -> None:
    loaded = loaded_by(f"import domino_env.{room}")
    assert not loaded & {"torch", "ray", "rich", "matplotlib", "pyarrow"}
    assert not [name for name in loaded if name.startswith(f"domino_env.{room}.")]


@pytest.mark.parametrize("room", ["config", "data", "evaluate", "execution"])
def test_a_door_offers_names_that_are_there_to_people_and_to_type_checkers(room: str) -> None:
    door = modules()[f"domino_env.{room}"]
    typed = {
        alias.asname: (node.module or "").rpartition(".")[2]
        for block in ast.parse(door.read_text(encoding="utf-8")).body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    package = __import__(f"domino_env.{room}", fromlist=["_EXPORTS"])
    assert typed == package._EXPORTS
    assert {*typed} == {*package.__all__} <= {*dir(package)}
    own = {path.stem for path in door.parent.glob("*.py")}
    for name in typed:
        assert name not in own, "a module of that name would take its place"
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def loaded_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.split())


def test_the_reference_games_import_nothing_of_ours() -> None:
    for path in (ROOT / "tests" / "reference").rglob("*.py"):
        for imported in imported_by(path):
            top = imported.split(".")[0]
            assert top in sys.stdlib_module_names or "." not in imported, f"{path}: {imported}"
            assert top not in ("domino_env", "agents", "train", "numpy"), f"{path}: {imported}"


def imported_by(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(node.module)
    return found
