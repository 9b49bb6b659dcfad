"""What has to be said beside figures of every document: what is not alike."""

NOTES: dict[str, str] = {
    "glitches": """Energies and powers lack glitches: the netlist is simulated with zero delay,
        which sees none. Real gates toggle more often and take more energy.""",
    "clock": """Clock: its nets, the gates that stop it where registers hold their values, and what
        its pins cost inside of the flip-flops. There are no buffers of a clock tree.""",
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
"""By key; templates as ``eval.report.words`` fills them."""
