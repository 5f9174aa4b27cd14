"""Rendering: positions are composed into scenes, and painters draw scenes."""
