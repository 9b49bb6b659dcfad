"""What has to be said beside the figures."""

from eval.report.studies.cilardo.measurements import NBITS
from eval.report.studies.study import CLOCK_NS

INTRODUCTION = (
    f"Exponentiation of {NBITS} bits with e = 65537 in additions of S bits, with a processor of "
    "their own for the squares (Z-processor) or on one processor alone. The printed figures are "
    "those of a Virtex-E: its slices compare with cell area by their ratios only."
)

NOTES = {
    "cilardo_cycles": (
        "Request accepted to response valid, on the circuit; loading the operands stands apart, as "
        "in the document. Figure 17.4 prints the cycles for S = 64 and 128 in each other's row; "
        "here they stand where formula and times have them."
    ),
    "cilardo_time": (
        f"Synthesized for {CLOCK_NS} ns, which none meets. Time: cycles at the smallest period. "
        "The printed time for S = 256 is a little less than its cycles take at its period. The "
        "document's period grows with S, and its area by time is least at S = 64; the adders here "
        "take hardly longer for more bits, so that area by time falls with every S."
    ),
    "cilardo_fpga": (
        "Estimates by Yosys for Xilinx 7 series: mapped, not packed, placed or routed. A slice of "
        "the printed Virtex-E has two LUTs of four inputs and two flip-flops, the LUTs counted "
        "here have six inputs. Request and response are as wide as the operands here, and words "
        "are selected from them; the document takes and gives words."
    ),
    "cilardo_ranking": (
        "A decryption with the standard key's d, of full size. Area by time at the smallest "
        f"period; all are synthesized for {CLOCK_NS} ns, which none meets. Rank 1 is the smallest."
    ),
    "cilardo_digits": (
        "With e = 65537. Left: cells, time at the smallest period; right: what the document prints "
        "for a Virtex-E, with the Z-processor only."
    ),
    "cilardo_ranking_plot": (
        "Down and left is better; along a dotted line, area by time stays the same, from line to "
        "line it grows tenfold."
    ),
}
