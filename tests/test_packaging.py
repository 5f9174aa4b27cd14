"""What is built from this repository can be installed beside anything, and is the same whatever it
was built from."""

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.object_code import keeping

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
NOT_OURS = (".*", "__pycache__", "*.egg-info", "dist", "build", "runs", "bench.json")
LINKED = ("agents", "train")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit: the tree as it lies here, links and all."""
    folder = tmp_path_factory.mktemp("source") / "domino"
    shutil.copytree(ROOT, folder, symlinks=True, ignore=shutil.ignore_patterns(*NOT_OURS))
    for name in (".gitignore", ".gitattributes"):
        shutil.copy(ROOT / name, folder)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "the tree")
    return folder


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is built from a checkout with its links."""
    return wheel_of(str(repository), tmp_path_factory.mktemp("wheel"))


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost")
    run("git", *who, "-c", "core.autocrlf=false", *words, cwd=folder)


def run(*words: str, cwd: Path) -> None:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def pip(*words: str) -> "subprocess.CompletedProcess[str]":
    """Pip of this environment, with the build tools that are in it."""
    quick = ("--no-build-isolation", "--no-deps", "--no-index", "--no-cache-dir")
    command = [sys.executable, "-m", "pip", *words, *quick]
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def wheel_of(source: str, folder: Path) -> Path:
    """The wheel that `pip install` makes of a source, before it unpacks it."""
    done = pip("wheel", source, "--wheel-dir", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def record(wheel: Path) -> list[str]:
    """Every file of a wheel with its hash."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/RECORD"))
        return sorted(archive.read(name).decode().splitlines())


def without_links(repository: Path, folder: Path) -> Path:
    """A checkout by a Git that makes no links, as on Windows."""
    plain = ("-c", "core.symlinks=false", "clone", "--quiet")
    git(folder, *plain, f"file://{repository}", "checkout")
    return folder / "checkout"


def downloaded(repository: Path, folder: Path) -> Path:
    """A zip of the repository, unpacked by a program that knows no links."""
    git(repository, "archive", "--format=zip", f"--output={folder}/domino.zip", "HEAD")
    zipfile.ZipFile(folder / "domino.zip").extractall(folder / "unpacked")
    return folder / "unpacked"


def test_a_source_distribution_gives_the_same_wheel(
    wheel: Path, repository: Path, tmp_path: Path
) -> None:
    build = (sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path))
    run(*build, str(repository), cwd=tmp_path)
    (archive,) = tmp_path.glob("*.tar.gz")
    assert record(wheel_of(str(archive), tmp_path)) == record(wheel)


def test_a_git_address_gives_the_same_wheel(wheel: Path, repository: Path, tmp_path: Path) -> None:
    assert record(wheel_of(f"git+file://{repository}", tmp_path)) == record(wheel)


@pytest.mark.parametrize("checkout", [without_links, downloaded], ids=lambda each: each.__name__)
def test_a_tree_without_links_gives_the_same_wheel_and_no_editable_install(
    checkout: Callable[[Path, Path], Path], wheel: Path, repository: Path, tmp_path: Path
) -> None:
    tree = checkout(repository, tmp_path)
    for name in LINKED:
        assert not (tree / "domino_env" / name).is_symlink()
        assert (tree / "domino_env" / name).read_text() == f"../{name}"
    assert record(wheel_of(str(tree), tmp_path)) == record(wheel)
    done = pip("install", "--target", str(tmp_path / "target"), "--editable", str(tree))
    assert done.returncode != 0
    assert "cannot be installed with --editable" in done.stdout + done.stderr
    assert "core.symlinks=true" in done.stdout + done.stderr


def test_an_editable_install_is_the_tree_and_nothing_beside_it(
    repository: Path, tmp_path: Path
) -> None:
    done = pip("install", "--target", str(tmp_path), "--editable", str(repository))
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "domino_env").exists(), "nothing is copied that could grow old"
    (pointer,) = tmp_path.glob("*.pth")
    assert Path(pointer.read_text().strip()) == repository


def test_a_wheel_puts_one_name_only_at_the_top(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"domino_env"}


def test_a_wheel_holds_everything_that_is_used_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for folder in ("domino_env", *LINKED):
        for path in (ROOT / folder).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            assert (name if folder == "domino_env" else f"domino_env/{name}") in names
    for kept, packed in (("docs/rules", "rules_pages"), ("configs", "configs")):
        for file in (path for path in (ROOT / kept).rglob("*") if path.is_file()):
            assert f"domino_env/{packed}/{file.relative_to(ROOT / kept).as_posix()}" in names
    for part in (ROOT / "domino_env" / "play" / "page").iterdir():
        assert f"domino_env/play/page/{part.name}" in names
    assert not [name for name in names if "tools" in name], "these are for developers alone"
    assert "domino_env/agents/weights/heuristic.json" in names
    assert "domino_env/py.typed" in names
    assert len(names) == len(set(names)), "nothing is packed twice"
    assert not [name for name in names if name.endswith((".pyc", ".nbi", ".nbc", ".stamp"))]


OBJECT_CODE = "domino_env/compiling/_object_code.abi3.so"


@pytest.mark.skipif(keeping.compiler() is None, reason="there is no C compiler")
def test_a_wheel_holds_the_kernels_as_object_code_for_its_platform(wheel: Path) -> None:
    assert zipfile.ZipFile(wheel).namelist().count(OBJECT_CODE) == 1
    assert "-cp311-abi3-" in wheel.name
    assert wheel.name.endswith(f"_{platform.machine()}.whl")


def test_a_wheel_without_object_code_is_for_every_platform(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOMINO_ENV_OBJECT_CODE", "none")
    plain = wheel_of(str(repository), tmp_path)
    assert plain.name.endswith("-py3-none-any.whl")
    assert OBJECT_CODE not in zipfile.ZipFile(plain).namelist()


def metadata_of(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        return archive.read(name).decode()


def test_the_metadata_say_what_one_looks_for(wheel: Path) -> None:
    said = metadata_of(wheel)
    assert "\nRequires-Python: >=3.11\n" in said, "no newer Python is refused"
    for field in ("Summary: ", "Author: ", "License-Expression: MIT", "Keywords: "):
        assert f"\n{field}" in said
    for version in ("3.11", "3.12", "3.13", "3.14"):
        assert f"\nClassifier: Programming Language :: Python :: {version}\n" in said


def test_pictures_need_the_pygame_that_gymnasium_and_pettingzoo_ask_for(wheel: Path) -> None:
    wanted = re.findall(r"^Requires-Dist: (pygame[\w-]*)", metadata_of(wheel), re.MULTILINE)
    assert set(wanted) == {"pygame-ce"}
    for client in ("gymnasium", "pettingzoo"):
        asked = importlib.metadata.requires(client) or []
        assert any(each.startswith("pygame-ce") for each in asked), f"{client}: {asked}"
