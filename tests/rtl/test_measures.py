"""Measures that change parts of circuits; a small one as an example: parity bits of residues."""

import pytest
from pymtl3 import Bits1, Component, OutPort, Wire, reduce_xor, update, update_ff

from rsaxcel.fl.status import Status
from rsaxcel.rtl import measures, parts
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.lib.verilog_core import VerilogText
from rsaxcel.rtl.multipliers.mont_orup.mont_orup import SureOperandDigits
from rsaxcel.rtl.stores.digit_bank import DigitBank, LaneResidues
from rsaxcel.rtl.stores.digits import DigitStore
from rsaxcel.sim.traces import columns_of
from rsaxcel.sim.translate import translate
from tests.levels.test_clearing import Bench
from tests.levels.test_result_check import row_of
from tests.shared.harness import configure, response_of

FAULT_DETECTED = int(Status.FAULT_DETECTED)


class ParityResidues(LaneResidues):
    """``LaneResidues`` with a parity bit for each register.

    More ports: ``corrupt`` (out, 1 bit): the parity of a register is wrong.
    """

    def construct(s, residue_nbits, sources, widths):
        super().construct(residue_nbits, sources, widths)
        count = sources.registers
        s.corrupt = OutPort(1)
        s.parity_reg = [Wire(Bits1) for _ in range(count)]

        @update_ff
        def seq_parity():
            for i in range(count):
                if s.blank & ~s.takes_results[i]:
                    s.parity_reg[i] <<= 0
                elif s.idle & s.has_first[i]:
                    if s.load:
                        s.parity_reg[i] <<= reduce_xor(s.first[i])
                elif s.kept & s.takes_results[i]:
                    if s.clears | s.written[i]:
                        s.parity_reg[i] <<= reduce_xor(s.result)

        @update
        def comb_corrupt():
            s.corrupt @= 0
            for i in range(count):
                if reduce_xor(s.residue_reg[i]) != s.parity_reg[i]:
                    s.corrupt @= 1


class ParityBank(DigitBank):
    """``DigitBank`` with the port ``corrupt`` of its residues."""

    def add_measures(s, sources):
        super().add_measures(sources)
        s.corrupt = OutPort(1)
        s.corrupt //= s.residues.corrupt


class ParityStore(DigitStore):
    """``DigitStore`` that gives no result once a residue was corrupt (``corrupt``: out, 1 bit)."""

    def construct(s, nbits, program, multiplier, rules, request_type):
        s.corrupt = OutPort(1)
        s.corrupt_reg = Wire(Bits1)
        s.corrupt //= s.corrupt_reg
        super().construct(nbits, program, multiplier, rules, request_type)
        lanes = program.lanes
        s.bank_corrupt = [Wire(Bits1) for _ in range(lanes)]
        for lane in range(lanes):
            s.bank_corrupt[lane] //= getattr(s, f"bank{lane}").corrupt

        @update_ff
        def seq_corrupt():
            for lane in range(lanes):
                if s.bank_corrupt[lane]:
                    s.corrupt_reg <<= 1
            if s.loads:
                s.corrupt_reg <<= 0

    def add_result(s):
        @update
        def comb_sound_result():
            s.results[0] @= s.result
            if s.refused_reg | s.corrupt_reg:
                s.results[0] @= 0


class ParityExecutor(ProgramExecutor):
    """``ProgramExecutor`` that answers ``fault_detected`` if a residue was corrupt."""

    def add_status(s):
        @update
        def comb_sound_status():
            s.send.msg.status @= s.status_reg
            if (s.status_reg == 0) & s.store.corrupt:
                s.send.msg.status @= FAULT_DETECTED


PARITY = parts.CircuitMeasure(
    "parity",
    lambda program: program.split is not None,
    {
        ProgramExecutor: ParityExecutor,
        DigitStore: ParityStore,
        DigitBank: ParityBank,
        LaneResidues: ParityResidues,
    },
)


@pytest.fixture
def parity(monkeypatch):
    """All designs by two primes have parity bits."""
    monkeypatch.setattr(parts, "_MEASURES", [*measures.MEASURES, PARITY])


@pytest.mark.parametrize(
    "params",
    [{}, pytest.param({"states": "doubled"}, marks=pytest.mark.slow)],
    ids=["alone", "doubled"],
)
def test_a_measure_from_outside_refuses_a_flipped_residue(parity, params):
    driven = Bench(configure("crt_window_shared", 8, **params))
    configuration, top = driven.configuration, driven.top
    row = row_of(configuration, 5, 11, 13, 7)
    answers = []
    for flips in (False, True, False):
        driven.ask(row)
        for cycle in range(2 * configuration.cycles(*row)):
            top.sim_edge()
            if flips and cycle == 100:
                (path,) = [x for x in driven.contents() if x.endswith("residues.residue_reg[0]")]
                driven.put({path: driven.contents()[path] ^ 4})
            driven.settle()
            if top.send.val:
                answers.append((int(top.send.msg.r), int(top.send.msg.status)))
                break
    assert answers == [response_of(configuration, row), (0, FAULT_DETECTED), *answers[:1]]


def test_parts_keep_the_names_of_their_modules(parity):
    """No two blocks have one name; module names in Verilog do not tell which measures there are."""
    text = translate(configure("crt_window_shared", 8).component("rtl")).text
    assert "module LaneResidues" in text
    assert "corrupt" in text
    assert "Parity" not in text


def test_traces_show_the_steps_of_a_circuit_with_a_measure():
    component = configure("crt_window_shared", 8, check="public_exponent").component("rtl")
    component.elaborate()
    assert "step" in [column.title for column in columns_of(component)]


def test_a_measure_that_undoes_another_one_is_refused(parity):
    """A method that does not call ``super`` would silently undo the check."""
    component = configure("crt_window_shared", 8, check="public_exponent").component("rtl")
    with pytest.raises(ValueError, match="ParityExecutor and CheckedExecutor change add_status; "):
        component.elaborate()


def test_no_class_shares_its_blocks_with_one_of_two_bases():
    """PyMTL3 finds blocks by the first class that has some: an order of elaboration decides."""

    def below(kind):
        return {kind, *(x for each in kind.__subclasses__() for x in below(each))}

    ours = [x for x in below(Component) if x.__module__.startswith("rsaxcel.rtl")]
    assert SureOperandDigits in ours
    shared = {x for x in ours if len(x.__bases__) > 1 and "_name_rd" not in vars(x)}
    assert shared == {VerilogText}  # which has no blocks


def test_a_circuit_with_a_measure_needs_the_measures(monkeypatch):
    """A part that asks too early is an error, not a part without the measure."""
    monkeypatch.setattr(parts, "_MEASURES", [])
    (program,) = configure("crt_window", 16, states="doubled").programs
    with pytest.raises(AssertionError, match=r"import rsaxcel\.rtl\.measures first"):
        parts.part_of(program, DigitStore)
