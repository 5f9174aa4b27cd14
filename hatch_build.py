"""What a wheel holds, whatever became of the links in the tree that it is built from.

At the desk `domino_env/agents` and `domino_env/train` are symbolic links to the folders at the top.
A checkout without symbolic links (Windows, a zip download) has small text files there, and a source
distribution has nothing. So the build leaves out whatever lies there, and puts the folders
themselves into the package: every source gives the same wheel.

An editable install is the tree itself, and needs the links: without them it is refused.

A wheel also holds the kernels as object code for the platform that it is built on, if there is a C
compiler; else it is a wheel for all platforms, and Numba compiles them at their first use. With
`DOMINO_ENV_OBJECT_CODE=none` none is built, with `required` the build fails where none can be.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LINKED = ("agents", "train")
PACKED = {
    **{name: f"domino_env/{name}" for name in LINKED},
    "docs/rules": "domino_env/rules_pages",
    "configs": "domino_env/configs",
}


class WholePackage(BuildHookInterface[Any]):
    """Puts into a wheel what does not lie in `domino_env/`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Is called before a wheel is built: one to keep, or an editable one."""
        root = Path(self.root)
        if version == "editable":
            must_have_links(root)
        else:
            build_data["force_include"].update(PACKED)
            add_object_code(root, build_data)


def add_object_code(root: Path, build_data: dict[str, Any]) -> None:
    """Builds the kernels for this platform, or takes them from where they are kept."""
    wanted = os.environ.get("DOMINO_ENV_OBJECT_CODE", "auto")
    if wanted == "none":
        return
    sys.path.insert(0, str(root))
    try:
        from tools.object_code import keeping

        if keeping.compiler() is None:
            raise SystemExit("domino-env: there is no C compiler to build the object code with")
        library = keeping.built(root)
    except (Exception, SystemExit) as error:
        if wanted == "required":
            raise
        print(f"domino-env: this wheel has no object code ({error}): kernels are compiled at first")
        return
    finally:
        sys.path.remove(str(root))
    build_data["force_include"][str(library)] = f"domino_env/compiling/{keeping.NAME}"
    build_data["pure_python"] = False
    build_data["tag"] = keeping.tag(library)


def must_have_links(root: Path) -> None:
    """Refuses a tree in which `domino_env.agents` cannot be imported."""
    lost = [name for name in LINKED if not (root / "domino_env" / name / "__init__.py").is_file()]
    if lost:
        raise SystemExit(
            "domino-env: this tree cannot be installed with --editable: "
            f"{' and '.join(f'domino_env/{name}' for name in lost)} must be symbolic links to the "
            "folders of that name at the top, and are not. Either install it without --editable, "
            "or check it out anew with `git -c core.symlinks=true clone`, or make the links: "
            f"`cd domino_env && rm -f {' '.join(lost)} && ln -s "
            f"{' '.join(f'../{name}' for name in lost)} .`"
        )
