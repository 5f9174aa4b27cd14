"""Peers: other environments that are timed in the same run as ours.

`catalogue` says who they are and what is measured. What they demand of each other's libraries
conflicts, so `environments` makes a virtual environment for each package. The programs in
`workers/` play their games there, `worker` speaks with one, and `lineup` with all that take part.
`rates` forms the ratios.
"""
