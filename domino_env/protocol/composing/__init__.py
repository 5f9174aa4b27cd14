"""The state of a game as a seat sees it, put together in terms of the protocol by compiled code.

Kernels write the numbers of terms into a line, one after the other, and answer with the place
behind them. Of hands they look at the seat's own alone, and of the log at what the seat has seen.
"""

COMPILED = ("what engines are told", 6)
