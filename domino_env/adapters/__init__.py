"""Thin wrappers around `Batch`, one for each library that uses it as an environment."""
