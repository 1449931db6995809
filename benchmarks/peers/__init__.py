"""One file per peer: each serves the comparison with its library alone, in its own environment."""
