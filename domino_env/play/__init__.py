"""Games played in a browser or in the terminal, against agents or to watch them.

`GameSetup` says what is played and by whom, `Session` is the game, `GameHost` runs one game and the
agents in it, and `SavedGames` keeps it. Two front ends stand on the host: `server` serves the page
in `page/` and a JSON API, whose answers `views` makes, and `terminal` prints. Another page needs
nothing but the API: docs/playing.md describes its routes, its JSON, versions and errors.
"""
