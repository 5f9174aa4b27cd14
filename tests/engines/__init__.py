"""Engines of five languages that misbehave and are killed: `python -m tests.engines`."""
