"""The rules engine: NumPy arrays for the state, Numba loops for the rules, nothing else.

`state` defines the record of a game, `rule_table` turns `Rules` into numbers, `turn` carries out a
turn, `layout` is the table, `scoring` the points, and `lanes` has the loops that Python calls.
"""

COMPILED = ("the rules engine", 20)
