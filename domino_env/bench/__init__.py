"""Benchmarks: how fast the package is, relative to others that are timed in the same run.

`suite` lists the benchmarks and `speed` runs them. `workloads` are the loops that are timed,
`peers` other environments beside us, `baselines` what PettingZoo itself costs, and `startup`
measures fresh processes. `benchmark` holds the figures and their targets, `tables` shows them.
"""
