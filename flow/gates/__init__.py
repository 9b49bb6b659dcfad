"""Gate-level simulation: a netlist of library cells, 64 operations at once, with toggle counts."""
