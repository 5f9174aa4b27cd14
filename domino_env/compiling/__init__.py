"""How kernels become machine code: shipped as object code, or compiled here from their source."""

from domino_env.compiling.kernels import UNCOMPILED as UNCOMPILED
from domino_env.compiling.kernels import WATCHERS as WATCHERS
from domino_env.compiling.kernels import Kernel as Kernel
from domino_env.compiling.kernels import by_dtype as by_dtype
from domino_env.compiling.kernels import instruction as instruction
from domino_env.compiling.kernels import kernel as kernel
from domino_env.compiling.kernels import small as small
from domino_env.compiling.running import machine_code as machine_code
from domino_env.compiling.running import native_workers as native_workers
from domino_env.compiling.running import prepared as prepared
from domino_env.compiling.running import whose_code as whose_code
