"""What each legal action looks like to the seat to move, when it imagines it done: a row of numbers
for each action, with the same meaning in every game.

Rows are relative: to the seat (the next opponent, the partner, the other opponents) and to the ends
that the action would leave (the end it makes first, then the others), never to the number of a
tile. So what is learnt of fives holds for threes, and one network that scores a row serves every
action. Like an observation, a row depends on nothing that the seat has not seen.
"""

from __future__ import annotations

COMPILED = ("features of moves", 4)
