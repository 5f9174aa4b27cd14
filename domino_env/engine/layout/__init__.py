"""Where tiles lie and which ends are open: one module for each shape of table."""
