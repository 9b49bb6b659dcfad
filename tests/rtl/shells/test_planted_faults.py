"""Faults in cores and in their shells, one at a time: `rsaxcel check` finds each of them."""

import pytest

from rsaxcel.catalog.given import GivenEntry
from rsaxcel.catalog.registry import GIVEN, register_given
from rsaxcel.rtl.shells import shell
from rsaxcel.sim.translate import translate
from tests.rtl.shells.test_shells import SHELLS, rules_of, text_for

NAME = "planted"
IDLE = "state_reg == 2'( __const___IDLE )"
CIRCUIT, ORDER = "circuit", "order"

FAULTS = {
    # shell, Verilog, what stands there instead, step of the check that finds it, what is told
    "core_loses_a_bit": ("streams", "if (bits == 0)", "if (bits <= 1)", CIRCUIT, "result"),
    "core_compares_wrong": ("streams", "added >= {", "added > {", CIRCUIT, "result"),
    "core_keeps_no_modulus": (
        "start_done",
        "1'b0, modulus_reg",
        "1'b0, modulus",
        CIRCUIT,
        "result",
    ),
    "core_keeps_last_result": ("words", "result       <= 1;", "", CIRCUIT, "result"),
    "core_hangs": ("start_done", "if (start)", "if (start && base != 77)", CIRCUIT, "no answer"),
    "core_has_no_reset": ("streams", "busy <= 1'b0;\n    else", ";\n    else", ORDER, "no answer"),
    "core_drops_a_result": ("streams", "= done || waits", "= done", ORDER, "no answer"),
    "core_is_ready_too_early": ("words", "{31'd0, !busy}", "{31'd0, 1'b1}", CIRCUIT, "result"),
    "reset_is_lost": ("start_done", "core_reset = reset", "core_reset = 1'd0", ORDER, "reset"),
    "front_sends_a_result": ("words", "send__msg.r = 8'd0;", "", CIRCUIT, "base_too_large"),
    "front_ignores_wide": ("streams", "wide = recv__msg.wide", "wide = 1'd0", CIRCUIT, "too_wide"),
    "front_accepts_two": ("xcel", f"recv__rdy = ( ( {IDLE} )", "recv__rdy = ( 1'd1", ORDER, ""),
    "request_is_not_held": ("held", "if ( load )", "if ( 1'd1 )", CIRCUIT, "result"),
    "step_is_passed_over": ("words", "at_reg + 3'd1", "at_reg + 3'd2", CIRCUIT, "no answer"),
    "poll_without_a_mask": ("words", "( word ^ value ) & mask", "word & 32'd0", CIRCUIT, "result"),
    "result_is_not_kept": ("short", "result_reg <= result", "", ORDER, "wait"),
    "last_beat_is_lost": ("beats", "comes = ( valid & takes )", "comes = ( 1'd0 )", CIRCUIT, ""),
}
QUICK = {
    "core_keeps_no_modulus",
    "core_drops_a_result",
    "front_ignores_wide",
    "step_is_passed_over",
}


@pytest.mark.parametrize(
    "fault", [pytest.param(x, marks=[] if x in QUICK else [pytest.mark.slow]) for x in FAULTS]
)
def test_a_fault_is_found(rsaxcel, fault):
    name, old, new, step, told = FAULTS[fault]
    core, _ = SHELLS[name]
    right = translate(shell(core, rules_of(core), text_for(name)), top=NAME).text
    wrong = right.replace(old, new)
    assert wrong != right
    entry = GivenEntry(
        NAME, "", range(core.nbits, core.nbits + 1), lambda _: wrong, odd_modulus=True
    )
    register_given(entry)
    try:
        done = rsaxcel("check", NAME, "--nbits", core.nbits, "--only", step)
    finally:
        del GIVEN[NAME]
    assert done.status == 1, done
    print(fault, (done.out + done.err)[-300:])
    assert told in done.out + done.err
