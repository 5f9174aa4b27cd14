"""The package as a wheel puts it on a disk, run in an empty folder with as much beside it as one of
its extras brings: what else is in this environment is hidden from it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent

# Python runs this first. It finds nothing of what is hidden.
HIDING = """
import os, sys
from importlib.machinery import PathFinder

HIDDEN = set(os.environ.get("HIDDEN", "").split())

class Hiding(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            return None
        return super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Hiding
"""


class Installed:
    """A wheel in a folder of its own."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.site, self.here = folder / "site", folder / "empty"
        command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet"]
        subprocess.run([*command, "--target", self.site, wheel], check=True)
        (self.site / "sitecustomize.py").write_text(HIDING)
        self.keep_compiled_code()

    def keep_compiled_code(self) -> None:
        """Takes over what has been compiled here: it is marked by the content of its sources."""
        for kept in [*ROOT.rglob("__pycache__/*.nb?")]:
            folder = kept.parent.relative_to(ROOT)
            top = "" if folder.parts[0] == "domino_env" else "domino_env"
            if folder.parts[0] in ("domino_env", "agents", "train"):
                (self.site / top / folder).mkdir(exist_ok=True)
                shutil.copy(kept, self.site / top / folder)

    def run(self, *words: str, extra: str | None, **more: str) -> subprocess.CompletedProcess[str]:
        """Runs the command in an empty folder, with what one of its extras brings; None: with all
        that there is."""
        shutil.rmtree(self.here, ignore_errors=True)
        self.here.mkdir()
        hidden = "" if extra is None else " ".join(sorted(self.all_modules() - self.modules(extra)))
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.site),
            "HIDDEN": hidden,
            "COLUMNS": "100",
            **more,
        }
        return subprocess.run(
            [sys.executable, "-W", "error::ImportWarning", "-m", "domino_env", *words],
            cwd=self.here,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def all_modules(self) -> set[str]:
        """The modules of all that is in this environment, but for our own."""
        return set(metadata.packages_distributions()) - {"domino_env", "sitecustomize"}

    def modules(self, extra: str) -> set[str]:
        """The modules that are there after `pip install 'domino-env[extra]'`."""
        (ours,) = self.site.glob("domino_env-*.dist-info/METADATA")
        lines = re.findall(r"^Requires-Dist: (.*)", ours.read_text(encoding="utf-8"), re.MULTILINE)
        brought = {"domino-env"}
        wanted = [(lines, {"", *extra.split(",")})]
        seen = set()
        while wanted:
            requires, extras = wanted.pop()
            for requirement in map(Requirement, requires):
                if requirement.marker is not None and not any(
                    requirement.marker.evaluate({"extra": each}) for each in extras
                ):
                    continue
                name = canonicalize_name(requirement.name)
                key = (name, frozenset(requirement.extras))
                if key in seen:
                    continue
                seen.add(key)
                if name == "domino-env":
                    wanted.append((lines, {"", *requirement.extras}))
                    continue
                brought.add(name)
                try:
                    wanted.append((metadata.requires(name) or [], {"", *requirement.extras}))
                except metadata.PackageNotFoundError:  # it is not in this environment either
                    continue
        found = metadata.packages_distributions()
        return {
            module
            for module, owners in found.items()
            if brought & {canonicalize_name(owner) for owner in owners}
        }
