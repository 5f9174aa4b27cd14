"""Thin coats over `Batch`, one for each kind of client."""
