"""Rendering: positions are composed into scenes, and painters draw scenes as SVG, pixels, letters
in a terminal, a window, or a film.

`compose` makes a scene; `table_layout` places what is on the table, `straight_layout` the lines and
trees of straight tiles, and `fold` says where lines fold. `theme` is what all painters share.
"""
