"""`python -m domino_env` is the `domino` command."""

import sys

from domino_env.train.command import main

sys.exit(main())
