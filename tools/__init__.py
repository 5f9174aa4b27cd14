"""What only this project's own developers run: tables and pictures of the docs, shipped policies."""
