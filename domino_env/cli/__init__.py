"""The `domino` command. `main` is the frame: it parses, runs and turns errors and signals into exit
statuses. Each command has a module `<name>_command` with two functions: `add` declares its
arguments, `run` carries it out. Whatever is slow to import is imported inside `run`, so that
`domino --help` waits for none of it.
"""
