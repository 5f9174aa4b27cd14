"""Agents of your own: how they are loaded, and how one that decides move by move is wrapped."""
