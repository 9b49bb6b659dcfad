"""Plans: the programs for a request, as plain Python data, for FL, CL and RTL."""
