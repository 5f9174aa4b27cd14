"""Policy networks: their files, their layers on the CPU, and the prior that they correct."""
