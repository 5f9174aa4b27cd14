"""A fuzzer of our own: bad calls over every public function, writes into every array handed out.

    python -m tests.fuzz --calls 200000 --jobs 2            # what `make fuzz` runs
    python -m tests.fuzz --seed 1 --session 123             # what a failure says to run again

Calls are made in sessions: a batch in the middle of its games, whatever stands on it, and a hundred
calls with arguments of which some are as they should be. They run in a process of their own. A
call fails if the process dies of it, or hangs; if it is refused and has changed something; if it
lets an illegal move through; if what comes out is none of our errors. A session is settled by the
seed and its number alone, so a failure can be seen again.
"""
