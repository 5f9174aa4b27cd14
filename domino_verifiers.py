"""The games as verifiers finds them: by the name of a top-level module, `domino-verifiers`."""

from domino_env.adapters.verifiers import DominoEnv, DominoHarness, DominoTaskset

__all__ = ["DominoEnv", "DominoHarness", "DominoTaskset"]
