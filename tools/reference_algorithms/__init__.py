"""OpenSpiel's learning algorithms and solvers on mini games, beside ours, for docs/algorithms.md.

    pip install open_spiel torch dm-tree cvxpy ecos
    python -m tools.reference_algorithms                    # all that is missing
    python -m tools.reference_algorithms --game block_3     # one game
    python -m tools.reference_algorithms --algorithm nfsp --seeds 1 --seconds 60 --again

Theirs are run as they are: learners see the games through our OpenSpiel door, solvers get their
trees as files. Every policy is measured by our exact exploitability. What is there already is not
run again unless `--again` says so: a run that is stopped goes on where it was.
"""
