"""What a table looks like."""
