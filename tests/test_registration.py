"""The games are registered in whichever order the libraries are imported, and none is imported for
that."""

import subprocess
import sys

import pytest

CHECKS = {
    "gymnasium": "assert 'domino/block_draw-v0' in gymnasium.registry",
    "pettingzoo": "assert not hasattr(pettingzoo, 'make') or "
    "'domino/block_draw-v0' in pettingzoo.aec_registry",
}


def run(*lines: str) -> str:
    """What lines print in a process of their own, where every warning is an error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(("import sys", *lines))],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_neither_library_is_imported_by_ours() -> None:
    loaded = run(
        "import domino_env", "print('gymnasium' in sys.modules, 'pettingzoo' in sys.modules)"
    )
    assert loaded == "False False"


@pytest.mark.parametrize("library", CHECKS)
def test_a_library_that_comes_first_knows_the_games(library: str) -> None:
    run(f"import {library}", "import domino_env", CHECKS[library])


@pytest.mark.parametrize("library", CHECKS)
def test_a_library_that_comes_later_knows_them_too(library: str) -> None:
    run("import domino_env", f"import {library}", CHECKS[library])


@pytest.mark.parametrize("library", CHECKS)
def test_a_module_inside_it_brings_it(library: str) -> None:
    run("import domino_env", f"import {library}.utils", CHECKS[library])


@pytest.mark.parametrize("library", CHECKS)
def test_looking_whether_it_is_there_is_not_importing_it(library: str) -> None:
    run(
        "import domino_env, importlib.util",
        f"spec = importlib.util.find_spec('{library}')",
        "assert spec.origin.endswith('__init__.py')",
        "assert spec.loader.is_package(spec.name)",
        f"assert '{library}' not in sys.modules",
        f"import {library}",
        CHECKS[library],
    )


def test_nothing_of_it_is_left_when_both_have_come() -> None:
    run(
        "before = list(sys.meta_path)",
        "import domino_env",
        "assert len(sys.meta_path) == len(before) + 1",
        "import pettingzoo, gymnasium",
        "assert sys.meta_path == before",
        "for library in (gymnasium, pettingzoo):",
        "    assert type(library.__loader__).__module__ == '_frozen_importlib_external'",
        "    assert library.__spec__.loader is library.__loader__",
        *CHECKS.values(),
    )


def test_a_library_that_is_missing_is_missing_as_ever() -> None:
    told = run(
        "import domino_env",
        "from importlib.machinery import PathFinder",
        "class Without(PathFinder):",
        "    @classmethod",
        "    def find_spec(cls, name, *others):",
        "        return None if name == 'pettingzoo' else PathFinder.find_spec(name, *others)",
        "sys.meta_path = [Without if each is PathFinder else each for each in sys.meta_path]",
        "try:",
        "    import pettingzoo",
        "except ModuleNotFoundError as error:",
        "    print(error.name)",
    )
    assert told == "pettingzoo"


def test_making_an_environment_needs_no_other_import() -> None:
    run(
        "import domino_env",
        "env = domino_env.aec('block_draw')",
        "env.reset(seed=0)",
        "import gymnasium",
        "gymnasium.make('domino/block_draw-v0').reset(seed=0)",
        "gymnasium.make_vec('domino/fours-v0', 2).reset(seed=0)",
    )
