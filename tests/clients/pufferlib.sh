#!/usr/bin/env bash
# Installs PufferLib 3.0, which asks for older libraries than it needs, without the games of its own:
# its switch for that fails unless a name is there that its setup.py forgets. See docs/trainers.md.
set -euo pipefail
python="$1"
shim="$(mktemp -d)"
trap 'rm -rf "$shim"' EXIT
echo "import builtins; builtins.c_extension_paths = []" > "$shim/sitecustomize.py"
NO_OCEAN=1 PYTHONPATH="$shim" "$python" -m pip install --no-deps --no-build-isolation pufferlib==3.0.0
