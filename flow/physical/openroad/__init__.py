"""OpenROAD as a physical tool: scripts for its steps, and a reader of its layouts."""
