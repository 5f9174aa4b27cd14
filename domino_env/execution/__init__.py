"""Tasks that do not depend on each other, done by threads or by a Ray cluster."""
