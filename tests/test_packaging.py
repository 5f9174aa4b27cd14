"""What is built from this repository can be installed beside anything."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The files of the wheel that is built from the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built).namelist()


def test_a_wheel_puts_one_name_only_at_the_top(wheel: list[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"domino_env"}


def test_a_wheel_holds_every_module_and_every_page_of_rules(wheel: list[str]) -> None:
    for folder in ("domino_env", "agents", "train"):
        for path in (ROOT / folder).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            assert (name if folder == "domino_env" else f"domino_env/{name}") in wheel
    for page in (ROOT / "docs" / "rules").glob("*.md"):
        assert f"domino_env/rules_pages/{page.name}" in wheel
    for part in (ROOT / "train" / "browser" / "page").iterdir():
        assert f"domino_env/train/browser/page/{part.name}" in wheel
    assert "domino_env/agents/weights/heuristic.json" in wheel
    assert "domino_env/py.typed" in wheel
