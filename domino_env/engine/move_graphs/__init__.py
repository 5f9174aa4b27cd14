"""What actions leave, as graphs: numbers are the nodes, tiles the edges between them."""
