#!/usr/bin/env bash
# Installs PufferLib 3.0, which asks for older libraries than it needs, without the games of its own:
# its switch for that fails unless a name is there that its setup.py forgets. See docs/trainers.md.
# Where there is a CUDA compiler it would build for CUDA, which a PyTorch for processors refuses.
set -euo pipefail
python="$1"
shim="$(mktemp -d)"
trap 'rm -rf "$shim"' EXIT
cat > "$shim/sitecustomize.py" <<'PYTHON'
import builtins, shutil
which = shutil.which
shutil.which = lambda name, *others, **named: None if name == "nvcc" else which(name, *others, **named)
builtins.c_extension_paths = []
PYTHON
NO_OCEAN=1 PYTHONPATH="$shim" "$python" -m pip install --no-deps --no-build-isolation pufferlib==3.0.0
