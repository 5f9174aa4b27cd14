"""The rules engine: NumPy arrays for the state, Numba loops for the rules, nothing else.

`state` says what a game is made of, `rule_table` turns a `Rules` into tables, `turn` is the course
of a round, `layout` what lies on the table, and `table_game` what the loops over lanes
(`domino_env.lanes`) need besides.
"""

COMPILED = ("the rules engine", 20)
