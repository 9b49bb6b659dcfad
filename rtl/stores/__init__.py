"""Where residues live, and how multipliers reach them."""
