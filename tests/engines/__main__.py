"""`python -m tests.engines --deals 10000`: exit status 1 if any result is lost or wrong."""

import argparse
import sys

from tests.engines.run import play


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.engines", description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--chance", type=float, default=0.01, help="of a fault, at each request")
    parser.add_argument("--kills", type=float, default=1.0, help="from outside, a second")
    options = parser.parse_args()
    found = play(
        options.deals, options.chance, options.kills, say=lambda text: print(text, flush=True)
    )
    print(found)
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
