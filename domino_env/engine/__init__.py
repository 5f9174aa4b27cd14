"""The rules engine: NumPy arrays for the state, Numba loops for the rules, nothing else.

`state` says what a game is made of, `rule_table` turns a `Rules` into tables, `turn` is the course
of a round, `layout` what lies on the table, and `lanes` the loops that Python calls.
"""

COMPILED = ("the rules engine", 20)
