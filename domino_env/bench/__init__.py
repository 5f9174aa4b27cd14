"""Benchmarks: how fast the package is, relative to others that are timed in the same run.

`speed` lists the benchmarks and runs them, `workloads` are the loops that are timed, `baselines`
what they are compared with, `startup` measures fresh processes, and `benchmark` holds the figures,
their targets and how both are shown.
"""
