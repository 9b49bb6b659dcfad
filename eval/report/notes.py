"""What has to be said beside figures so that nobody compares what is not alike."""

GLITCHES = (
    "Lower bound: the netlist is simulated with zero delay, which sees no glitches. Real gates "
    "toggle more often and take more energy."
)

NOTES: dict[str, str] = {
    "cycles": (
        "Not like for like. Measured: accelerator alone, from the cycle in which it accepts the "
        "request to the one in which its response is valid. Printed: the whole processor system, "
        "where the accelerator's operands and result are moved by instructions of the program; "
        "those transfers are in all printed counts. The figure in parentheses is the document's "
        "normalized one: it takes off a function that does nothing (9 cycles), not the transfers."
    ),
    "period": (
        "Operations run at the constraint where the circuit meets it, otherwise at the smallest "
        "period that it meets. Operations per second: one after the other, no overlap. The "
        "document prints no period; all of its designs are constrained to 3.0 ns."
    ),
    "area": (
        "Measured: exponentiator alone, cell area as synthesized. Printed: accelerator with its "
        "xcel adapter, from a commercial flow. The difference in scope is small beside that of the "
        "tools, but it is there."
    ),
    "energy": (
        "Not like for like. Measured: accelerator alone, average over its own operation. Printed: "
        "power and energy of the whole processor system, processor and transfers included; the "
        "figure in parentheses takes off the energy of a function that does nothing. No ratio is "
        "formed between the two."
    ),
    "glitches": GLITCHES,
}
