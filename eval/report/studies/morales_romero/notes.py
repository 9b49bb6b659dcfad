"""What has to be said beside the figures."""

from eval.report.studies.study import CLOCK_NS

INTRODUCTION = (
    "Montgomery products in a row of elements, a word of 16 bits each, and exponentiation by "
    "square and multiply always. The document puts moduli of n bits into n / 16 words; without a "
    "final subtraction, products need two bits more (docs/errata.md). So every figure stands "
    "twice: for n - 2 bits, in the document's number of words, and for n bits, in one word more; "
    "the printed one beside both. FPGA figures of ours are estimates."
)

NOTES = {
    "morales_romero_cycles": (
        "From one product to the next that needs its result, on the circuit: what two more "
        "exponent bits, which are four more products, add to an exponentiation."
    ),
    "morales_romero_fpga": (
        "Estimates by Yosys for Xilinx 7 series: mapped, not packed, placed or routed, so that "
        "there are neither slices nor a frequency. The multiplier here has its memory of words, "
        "its loader and its unloader with it, and takes and gives whole operands. Yosys puts "
        "memories of more than 128 words into blocks."
    ),
    "morales_romero_comparison": (
        "Other works as the document quotes them; resources of different families do not compare "
        "one by one. Time at the printed frequency: cycles over it, for ours over the document's "
        "100 MHz, which was not tried here. Time in standard cells is one of another technology, "
        "by the smallest period of the whole exponentiator."
    ),
    "morales_romero_exponentiation": (
        "With an exponent of 1024 bits, on the circuit; the operands are loaded before the request "
        "is accepted. The document counts the products alone, for itself and for the other works "
        "(McIvor and Wang, 199 cycles each)."
    ),
    "morales_romero_resources": (
        "The document keeps S[0], S[1] and the base in registers; here they are in memory LUTs, as "
        "are modulus and constants, which takes fewer flip-flops. Requests are as wide as the "
        "operands here, and selecting their words takes LUTs; the document does not say how it "
        "takes them. A modulus of 1024 bits takes one element more than the document has, and so "
        "one DSP more."
    ),
    "morales_romero_cells": (
        f"The exponentiator alone, synthesized for {CLOCK_NS} ns. Time: cycles at the "
        "smallest period. Every bit of the exponent's width is scanned, so that an encryption with "
        "e = 65537 takes as long as a decryption."
    ),
    "morales_romero_plots": (
        "Filled: measured, or our estimate; hollow: printed. Ours at the document's 100 MHz; "
        "other works are on other devices (Table 4). Down and left is better."
    ),
    "morales_romero_widths": (
        "Filled: measured, LUTs estimated; hollow: printed, for moduli that are two bits too long "
        "for their words."
    ),
}
