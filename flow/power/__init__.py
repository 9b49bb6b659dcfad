"""Energy of a gate-level netlist, from its cell library, slews and switching activity."""
