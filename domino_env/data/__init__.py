"""Data sets of games: made by agents, written as Parquet files, and read for learning."""
