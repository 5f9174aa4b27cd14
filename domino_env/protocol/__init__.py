"""The domino engine protocol, the host's side: engines in any language, started, asked and ended.

docs/engine-protocol.md is the protocol; the agent `engine` seats an engine at a table.
"""

from typing import TYPE_CHECKING

from domino_env.lazy import lazy_exports

if TYPE_CHECKING:
    from domino_env.protocol.faults import EngineFault as EngineFault
    from domino_env.protocol.process import Limits as Limits
    from domino_env.protocol.recollection import Recollection as Recollection
    from domino_env.protocol.session import Session as Session

_EXPORTS = {
    "EngineFault": "faults",
    "Limits": "process",
    "Recollection": "recollection",
    "Session": "session",
}
__all__ = [*_EXPORTS]
__getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
