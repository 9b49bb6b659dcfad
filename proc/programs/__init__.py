"""Programs in C for the processor, and their builder."""
