"""Energy of a gate-level netlist: cell library, netlist, slews, activity and their accounting."""
