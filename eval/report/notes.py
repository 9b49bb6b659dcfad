"""What has to be said beside figures so that nobody compares what is not alike."""

GLITCHES = (
    "Lower bound: the netlist is simulated with zero delay, which sees no glitches. Real gates "
    "toggle more often and take more energy."
)

NOTES: dict[str, str] = {
    "cycles": (
        "Not like for like. Measured: the accelerator alone, from the cycle in which it accepts "
        "the request to the one in which its response is valid. Printed: the whole processor "
        "system; its program moves operands and result to and from the accelerator, and those "
        "transfers are in every printed count. In parentheses, less 9 cycles for a function that "
        "does nothing; the transfers stay in."
    ),
    "period": (
        "Operations run at the clock constraint where the circuit meets it, otherwise at its "
        "smallest period; one after the other, without overlap. The document prints no period: its "
        "designs are constrained to 3.0 ns."
    ),
    "area": (
        "Measured: the exponentiator alone, cells as synthesized. Printed: with its xcel adapter, "
        "from a commercial flow."
    ),
    "energy": (
        "Not like for like. Measured: the accelerator alone, average over its own operation. "
        "Printed: power and energy of the whole processor system, transfers included; in "
        "parentheses, less a function that does nothing. They are not to be divided by each other."
    ),
    "clock": (
        "Clock: its net and what its pins cost inside of the flip-flops. There is no clock gating, "
        "so that all of them are clocked in every cycle; nor are there buffers of a clock tree."
    ),
    "glitches": GLITCHES,
    "area_plot": (
        "Hollow points are as printed: area with the xcel adapter, cycles of the processor system "
        "with its transfers, at 3.0 ns."
    ),
    "energy_plot": (
        "The printed energies belong to whole processor systems and have no place in this plot."
    ),
}
