"""The engine's side of the protocol: any agent as an engine, `domino engine serve`."""
