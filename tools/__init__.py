"""What only developers of this project run: making docs, pictures and shipped policies."""
