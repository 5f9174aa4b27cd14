"""`python -m domino_env` is the `domino` command."""

import sys

from domino_env.cli.main import main

sys.exit(main())
