"""The ladder of agents in every game, for docs/ladder.md: who is ahead of whom, and by how much.

`rungs` says which games there are and who plays them, `pairings` who meets whom, `figures` keeps
what was measured, `playing` measures, and `face_up` is about rounds with all tiles face up.
"""
