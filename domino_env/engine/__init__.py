"""The rules engine: NumPy arrays for the state, Numba loops for the rules, nothing else.

`state` defines the record of a game, `rule_table` turns `Rules` into numbers, `turn` carries out a
turn, `layout` is the table, `scoring` the points, `rewards` what is paid for them, and `table_game`
what else the loops over lanes (`domino_env.lanes`) need of a game at a table.
"""

COMPILED = ("the rules engine", 10)
