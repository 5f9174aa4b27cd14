"""Games played in a browser or in the terminal, against agents or to watch them.

`Plan` says what is played and by whom, `Session` is the game, `Room` the one table where it is
played, with agents that think beside it; `views` tells what a seat may see of it, `server` serves
that to a page, and `terminal` prints it.
"""
