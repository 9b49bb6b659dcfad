"""OpenROAD as a physical tool: scripts for its steps, and what its layouts become in this flow."""
