"""What has to be said beside the figures."""

from eval.report.studies.li_chu.measurements import BASE, KEYS
from eval.report.studies.study import CLOCK_NS

INTRODUCTION = (
    "Algorithm 2 (montred_r2l), algorithm 4 (montmul_r2l) and algorithm 6 (ssmm_r2l) of the "
    "document, each with two multipliers; algorithm 4 in carry-save form (montmul_csa_r2l); and "
    "algorithms 4 and 6 on one multiplier (shared). The printed figures are those of an FPGA: "
    "they compare with clock and area of standard cells by their ratios only."
)

NOTES = {
    "li_chu_cycles": (
        f"Mean of encryption and decryption over {KEYS} RSA keys with e and d of full size, by the "
        "cycle model; both operations of the first key run on the circuit, too, and take as many "
        "cycles. The document's keys are not printed. Its handshake takes five cycles per exponent "
        "bit besides the multiplier's iterations; with it, the model takes the cycles of the "
        "document's 128-bit example exactly."
    ),
    "li_chu_timing": (
        f"Synthesized for {CLOCK_NS} ns, which none meets: each is as fast as the flow can make "
        "it. Time per operation, measured: mean cycles at the smallest period; printed: cycles at "
        "F."
    ),
    "li_chu_area": (
        "Exponentiators alone. Cells as synthesized; FPGA: Yosys's mapping for the "
        "Cyclone V, an estimate without packing, placement or the vendor's tools. The "
        "document prints no DSP blocks; Algorithm 2's products are in some here. In cells, it is "
        "synthesized to 128 bits: its combinational multipliers grow with the square of the width. "
        "Above 1024 bits there are FPGA estimates only."
    ),
    "li_chu_ratios": (
        f"In percent of {BASE}. Printed ratios follow from Table 1; the document's text says 55 to "
        "59 % of the logic modules and 69 to 85 % of the registers. Area by time: cell area, or "
        "logic modules, times the time per operation."
    ),
    "li_chu_energy": (
        "A decryption with the standard key's d, which has full size. Where its simulation on the "
        "netlist would take long, the leading bits of d are simulated, and their power is taken "
        "for the whole: see the share of the cycles."
    ),
    "li_chu_calls": (
        "Call of the exponentiation on the processor at RTL with a memory that answers in one "
        "cycle, operand transfers included, less the call of a dummy function; one operation with "
        "the standard key (e = 65537, d of full size), run from beginning to end."
    ),
    "li_chu_plots": (
        "Down and left is better. Above: NanGate45 cells, as synthesized; below: what the "
        "document prints for a Cyclone V."
    ),
}
