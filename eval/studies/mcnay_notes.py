"""Notes on measured figures and on the figures that McNay prints."""

from rsaxcel.eval.report.reason import Reason

NOTES = {
    "calls": """Cycles of the call of the exponentiation on the processor (stats_en), operand
        transfers to the accelerator and back included, with a memory that answers in one cycle.
        Normalized: less the call of a dummy function that computes nothing. Measured: mean over all
        operands; printed: one message. The document prints no cycles of whole programs; those shown
        follow from its energies and powers.""",
    "speedups": """Speed-ups are in cycles, normalized as the document's unless said otherwise. What
        they differ by from the printed ones are the two ratios of cycles measured over printed,
        that of the software and that of the accelerator.""",
    "systems_area": """Measured: cells as synthesized. Printed: after place-and-route by a
        commercial flow, the accelerators taken through it on their own.""",
    "placed_areas": """Sum of the cells: with clock tree, buffers and repairs, without fillers.
        Core: the rows in which cells and wires have room. The document does not say which of the
        two its areas are; it prints areas by module, so that they are taken for sums of cells.""",
    "additions": """Cells as synthesized, of the processor without an accelerator. RV32IM has all of
        them, signed divisions and high products, and loads and stores of bytes and halfwords.
        Decoder and counters of cycles and instructions are in all of them. Every circuit is mapped
        anew, so that differences of less than one percent say little. Printed: after
        place-and-route, the processor with all that is added.""",
    "programs": """Average over a whole program on the system, from reset to its end. Dummy: the
        same program with a dummy that only returns the answer. Normalized: energy less that of the
        dummy, and power over the time that is left. Printed powers of the dummy and normalized ones
        are not printed as such; they follow from the printed energies and cycles at 3.0 ns.""",
    "ratios": """Energy over energy is time over time by power over power. The power of an
        accelerator at rest is that of the dummy program on its system less that on proc_null.""",
    "parts": """The same against the document, system by system, and the parts of the power.""",
    "rounds": """Multipliers of the loop are compared with those of the other accelerator; the text
        says the same of the areas. Products: 17 squares and 2 products with e = 65537, in 17 rounds
        on two multipliers; the text's 17 are those that are needed, 16 squares and 1 product.""",
    "means": """Means of the ratio of encryption and the ratio of decryption, as the text forms them
        in its last paragraph.""",
    "constants": """Where an accelerator takes constants of the modulus from the host, the program
        computes them before the call, once for a key. Cycles and times of the call are without
        that; power and energy, and the cycles of the whole program, are with it.""",
    "systems_plot": """Operations per second by normalized cycles and the period of the system.
        Hollow: printed, at 3.0 ns and after place-and-route; a dotted line leads to the same system
        measured here.""",
    "layouts": """Drawn as the document draws its layouts: multipliers highlighted, critical path in
        yellow. Ours are placed, with a clock tree and without routed wires; the copy at hand has no
        drawings, only their captions, so that nothing of their sizes is compared.""",
    "cycles": """The accelerator alone, from the cycle in which it accepts the request to the one in
        which its response is valid; no transfer of operands. The document prints none such.""",
    "area": """Measured: the exponentiator alone, cells as synthesized. Printed: with its xcel
        adapter, from a commercial flow.""",
    "energy": """The accelerator alone, average over its own operation. The document prints powers
        and energies of whole systems only.""",
    "added": """Figures of a design over those of a standard one, both measured here, each on its
        own and at the period that it uses. Below 1 it is smaller, or takes less time or energy.""",
}
"""Templates of notes by key; ``eval.report.words`` fills them."""

_DRIVEN = ("proc_mulrem_r2l", "proc_mont_r2l")

REASONS = (
    Reason(
        """the dummy's code is not printed: here it is a load and a return, two cycles less than in
        the document""",
        "section 5.1",
        {"quantity": "dummy_cycles"},
    ),
    Reason(
        """an accelerator at rest takes 2.8 to 3.0 mW by the document's energies; here registers
        that hold their values have gated clocks, and there is no clock tree""",
        "Table 3",
        {
            "subject": _DRIVEN,
            "quantity": ("dummy_energy_nj", "program_energy_nj", "program_power_mw"),
        },
    ),
    Reason(
        """glitches in the AddReds, eight in series, are counted here and nearly double the energy;
        without them it is below the printed one (see the parts of the energy)""",
        "Table 3",
        {"subject": "proc_mont_r2l"},
    ),
    Reason(
        """the document's MulRem keeps numbers of 64 bits throughout; here remainder and modulus
        have 32, and registers that hold their values have gated clocks""",
        "Table 3",
        {"subject": "proc_mulrem_r2l"},
    ),
    Reason(
        "the pair 1.31 and 1.54 is exchanged in print: by table 3 it is 1.54 and 1.31 (errata)",
        "section 5.4",
        {
            "subject": ("software_montgomery", "proc_mulrem_r2l"),
            "quantity": "power_naive_ratio",
            "operation": "encrypt",
        },
    ),
    Reason(
        "a product of two ratios of power; each of them stands beside one of ours",
        "section 5.4",
        {"quantity": "power_product_ratio"},
    ),
    Reason("it follows from powers and energies of table 3, which see", "section 5.4"),
)
"""Reasons for large differences from printed figures, by table or section."""
