"""Why printed figures of Cilardo's document differ from ours, or have none of ours beside them."""

from __future__ import annotations

from rsaxcel.eval.report.reason import Reason

_STAGES, _PROCESSOR = "Figure 17.3", "Figure 17.4"

REASONS = (
    Reason(
        "no open tool has the delays of Virtex-E; in cells, a stage's path alone says nothing: "
        "synthesis sizes the gates of all stages for the slowest (the period of the whole is "
        "beside figure 17.4)",
        _STAGES,
        {"quantity": "min_period_ns"},
    ),
    Reason(
        "at S = 64 to 256 the document has tristate buffers as multiplexers, here they are LUTs; "
        "at S = 32 its multiplexers are LUTs, too, and ours take more; at every S, control, "
        "loading and the exponent's current word are in this stage here",
        _STAGES,
        {"quantity": ("tristates", "logic_luts", "slices"), "part": "memory"},
    ),
    Reason(
        "the printed registers U have 32 words for every S, ours as many as an operand (33, 17, 9, "
        "5); and ours assumes full slices, while the printed ones are packed (1.3 times LUTs / 2 "
        "in this stage)",
        _STAGES,
        {"quantity": "slices", "part": "write"},
    ),
    Reason(
        "multiplexers are LUTs here, because the mapper has no tristate buffers",
        _STAGES,
        {"quantity": ("tristates", "logic_luts"), "part": "write"},
    ),
    Reason(
        "with the wide bus, operand A comes from its memory digit by digit, and is in no shift "
        "register",
        _STAGES,
        {"quantity": "shift_register_luts"},
    ),
    Reason(
        "here one constant, R^2 mod N, and the exponent; in the document RAM1 with its constants, "
        "4,096 bits for every S; it does not say which they are, and has the exponent in a "
        "register E",
        _STAGES,
        {"quantity": "single_port_memory_luts"},
    ),
    Reason(
        "LUTs have 16 words, and an operand has 33, 17, 9 or 5 words, where the printed memories "
        "have 32, 16, 8 or 4 for each number, and in the last stage 32 words for each U at every S",
        _STAGES,
        {"quantity": "dual_port_memory_luts"},
    ),
    Reason(
        "the exponent's current word (S bits), control and the counters of the bus are in FFs; the "
        "document prints 44 for every S",
        _STAGES,
        {"quantity": "registers"},
    ),
    Reason(
        "ours count what section 17.2 has not, or has otherwise: input rules and a subtractor for "
        "the result (116 to 710 slices), the exponent's word and its counters, and multiplexers in "
        "LUTs, where the document has tristate buffers (at S = 32 in its last stage only)",
        _PROCESSOR,
        {"quantity": "slices"},
    ),
    Reason(
        "clock and time: standard cells of 45 nm against an FPGA of 180 nm",
        _PROCESSOR,
        {"quantity": ("min_period_ns", "time_ms", "area_time_slices_ms")},
    ),
    Reason("a figure of the device, not of a design", "section 17.3"),
    Reason(
        "Blum and Paar's designs, which the document quotes, and its comparison with them: none of "
        "them is a design here",
        "section 17.4",
    ),
)
"""Reasons for differences; of several that hold for a figure, the first is taken."""
