"""Notes on measured figures that apply to the studies of all documents."""

NOTES: dict[str, str] = {
    "glitches": """
        {% if 'timed' in activities() %}Energies and powers have glitches in them: gates have
        delays. Wires have delays, and clocks have trees, in placed circuits only; crosstalk is
        missing.
        {% endif %}
        {% if 'zero' in activities() %}{{ "Those at zero delay" if 'timed' in activities() else
        "Energies and powers" }} are lower bounds: a netlist without delays has no glitches. Real
        gates toggle more often and take more energy.{% endif %}""",
    "clock": """Clock: its nets, the gates that stop it where registers hold their values, and what
        its pins cost inside of the flip-flops; in placed circuits also the buffers of its tree.""",
    "period": """Operations run at the clock constraint where the circuit meets it, otherwise at its
        smallest period; one after the other, without overlap.""",
    "simulated": """Where the simulation of an operation on the netlist would take long, the leading
        bits of its exponent are simulated, and their power is taken for the whole: see the share of
        the cycles.""",
    "slices": """Slices of ours are a lower bound: as many as LUTs or flip-flops fill if each slice
        is full.""",
    "fpga": """FPGA figures of ours are estimates: mapped by Yosys, not packed, placed or routed, so
        that there is no frequency.""",
}
"""Notes by key; templates, see ``eval.report.words``."""
