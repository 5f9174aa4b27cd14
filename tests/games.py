"""Which games a test is about."""

import domino_env
from domino_env.games import options_of

AT_A_TABLE = [name for name in domino_env.variants() if domino_env.rules(name).players != (1,)]
ALONE = domino_env.variants(num_players=1)
TWISTS = tuple(options_of("fundomino"))
