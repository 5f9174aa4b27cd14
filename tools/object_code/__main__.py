"""`python -m tools.object_code`: see the package."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.object_code import keeping

ROOT = Path(__file__).parent.parent.parent
LIBRARY = ROOT / "domino_env" / "compiling" / keeping.NAME


def main() -> int:
    """Builds the object code of this tree, or finds that it is there."""
    parser = argparse.ArgumentParser(prog="python -m tools.object_code", description=__doc__)
    parser.add_argument("--record", action="store_true", help="find out anew what Python calls")
    parser.add_argument("--rebuild", action="store_true", help="build it although it is there")
    asked = parser.parse_args()
    if asked.record:
        keeping.inside(ROOT, "record")
        return 0
    if keeping.compiler() is None:
        print("object code: there is no C compiler, so Numba compiles kernels at their first use")
        return 0
    if not asked.rebuild and _is_up_to_date():
        print("object code: up to date")
        return 0
    kept = keeping.built(ROOT, anew=asked.rebuild)
    LIBRARY.unlink(missing_ok=True)  # programs that run by the old one go on with it
    shutil.copyfile(kept, LIBRARY)
    print(f"object code: {LIBRARY.stat().st_size / 1e6:.1f} MB in {LIBRARY.relative_to(ROOT)}")
    return 0


def _is_up_to_date() -> bool:
    """Is the library built from the sources that are here, by the tools that are here? Another
    process is asked: a library that was once loaded stays."""
    if not LIBRARY.is_file():
        return False
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    settings = {"PYTHONPATH": path, "DOMINO_ENV_FROM_SOURCE": "0", "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-m", "tools.object_code.building", "check"]
    done = subprocess.run(command, env={**os.environ, **settings}, cwd=ROOT, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
