"""FPGA resources of a design's parts: measured once, as facts on the document's stages."""

from pathlib import Path

import pytest

from rsaxcel.eval.measure.parts import fpga_parts
from rsaxcel.eval.studies.cilardo import NARROW, PORTS, STAGES, SUMS_OF_STAGES, WIDE
from rsaxcel.flow.errors import ToolFailure

NBITS, DIGIT, WORDS = 30, 8, 12


@pytest.mark.slow
@pytest.mark.xdist_group("rsaxcel-fpga")
def test_stages_of_the_pipeline(here):
    measurement = fpga_parts("digit_serial_r2l", NBITS, "xcve", STAGES[WIDE], digit_nbits=DIGIT)
    job = measurement.job
    assert job.find(*job.arguments) is None
    result = job.function(*job.arguments, progress=lambda line: None)
    assert job.find(*job.arguments) == result

    facts = {(fact.part, fact.quantity): fact for fact in measurement.facts(result)}
    assert {part for part, _ in facts} == {"memory", "adder", "write", "interface"}
    fact = facts["adder", "logic_luts"]
    assert (fact.nbits, fact.choices, fact.kind) == (NBITS, f"digit_nbits={DIGIT}", "estimated")
    values = {key: fact.value for key, fact in facts.items()}
    # two adders of a digit and a carry, two flip-flops of carries, two LUTs to a slice
    assert values["adder", "logic_luts"] == 2 * (DIGIT + 1)
    assert (values["adder", "registers"], values["adder", "slices"]) == (2, DIGIT + 1)
    # two running sums of four words in memories of 16
    assert values["write", "dual_port_memory_luts"] == 2 * 2 * DIGIT
    assert values["write", "slices"] >= (values["write", "logic_luts"] + 4 * DIGIT) / 2
    # base, exponent, modulus, R^2 and result pass the interface at full width
    assert values["interface", "registers"] > 2 * NBITS
    assert all(value == 0 for (_, quantity), value in values.items() if quantity == "tristates")


#: LUTs per bit of a word: as dual-port memory and as single-port memory in the memory's stage, as
#: shift registers in the last stage. A LUT has 16 words, one of a dual-port memory half of them.
MEMORIES = {
    # r, b, R^2, m and 2B + N; the exponent; none
    NARROW: ({}, (5 * 2, 1, 0)),
    # 48 words of r, b, m and 2B + N; R^2 and the exponent; two operands a
    PORTS: ({"memory": PORTS}, (3 * 2, 2, 2)),
}


@pytest.mark.slow
@pytest.mark.xdist_group("rsaxcel-fpga")
@pytest.mark.parametrize("form", MEMORIES)
def test_a_bus_of_a_digit_has_no_wide_registers(here, form):
    """No register is as wide as an operand; sums of parts add up; a memory has one copy."""
    memory, luts = MEMORIES[form]
    own = {"digit_nbits": DIGIT, "bus": NARROW, "lanes": 2, **memory}
    measurement = fpga_parts(
        "digit_serial_r2l", WORDS * DIGIT - 2, "xcve", STAGES[form], SUMS_OF_STAGES, **own
    )
    result = measurement.job.function(*measurement.job.arguments, progress=lambda line: None)
    # registers hold a digit, such as an addend, or are counters and flags
    assert max(x.get("flip_flops", 0) for x in result.values()) <= 3 * DIGIT
    facts = {(fact.part, fact.quantity): fact for fact in measurement.facts(result)}
    parts = [facts[part, "logic_luts"].value for part in ("memory", "adder", "write")]
    assert facts["without_interface", "logic_luts"].value == sum(parts)
    whole = facts["", "slices"]
    assert whole.library == ""
    assert whole.choices.startswith(f"bus={NARROW},digit_nbits={DIGIT},lanes=2")
    assert whole.value > facts["without_interface", "slices"].value
    measured = (
        facts["memory", "dual_port_memory_luts"],
        facts["memory", "single_port_memory_luts"],
        facts["write", "shift_register_luts"],
    )
    assert tuple(fact.value / DIGIT for fact in measured) == luts


def test_log_of_a_failure_stays(here, monkeypatch):
    def fail(verilog, top, family, work):
        log = work / "yosys.log"
        log.write_text("ERROR: no luck")
        raise ToolFailure(f"Yosys: no luck (log: {log})")

    monkeypatch.setattr("rsaxcel.eval.measure.parts.count_resources_by_module", fail)
    measurement = fpga_parts("montmul_r2l", 8, "xcve", {})
    job = measurement.job
    with pytest.raises(ToolFailure) as failure:
        job.function(*job.arguments, progress=lambda line: None)
    log = Path(str(failure.value).partition("log: ")[2].rstrip(")"))
    assert log.read_text() == "ERROR: no luck"
    assert (log.parent / "design.v").read_text().count("endmodule")


def test_designs_and_their_parameters_are_checked():
    with pytest.raises(ValueError, match="digit_nbits=4"):
        fpga_parts("digit_serial_r2l", NBITS, "xcve", STAGES[WIDE], digit_nbits=4)
