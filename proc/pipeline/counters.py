"""Counters of cycles and instructions, and constant registers, which a program can read."""

from pymtl3 import Bits32, Component, InPort, OutPort, Wire, update, update_ff

from rsaxcel.proc.pipeline.control import CsrRead

# PyMTL3 accepts plain integers in update blocks, but no members of an IntEnum.
CYCLE, INSTRET, COREID = int(CsrRead.CYCLE), int(CsrRead.INSTRET), int(CsrRead.COREID)
CYCLEH, INSTRETH = int(CsrRead.CYCLEH), int(CsrRead.INSTRETH)


class Counters(Component):
    """Counters of cycles since reset and of committed instructions, and two constant registers.

    Each counter has 64 bits in two registers. The upper register changes at most once in 2**32
    cycles, so that its clock can be gated.

    Parameters
    ----------
    num_cores : int; value of the control register ``numcores``

    Ports
    -----
    core_id : in, 32 bits; value of the control register ``coreid``
    commits : in, 1 bit; an instruction commits in this cycle
    select : in, 3 bits; ``proc.pipeline.control.CsrRead``
    value : out, 32 bits; value of the selected register
    """

    def construct(s, num_cores=1):
        s.core_id = InPort(32)
        s.commits = InPort(1)
        s.select = InPort(3)
        s.value = OutPort(32)
        s.cycle_reg = Wire(Bits32)
        s.instret_reg = Wire(Bits32)
        s.cycleh_reg = Wire(Bits32)
        s.instreth_reg = Wire(Bits32)

        @update
        def comb_value():
            if s.select == CYCLE:
                s.value @= s.cycle_reg
            elif s.select == INSTRET:
                s.value @= s.instret_reg
            elif s.select == CYCLEH:
                s.value @= s.cycleh_reg
            elif s.select == INSTRETH:
                s.value @= s.instreth_reg
            elif s.select == COREID:
                s.value @= s.core_id
            else:
                s.value @= num_cores

        @update_ff
        def seq_counters():
            if s.reset:
                s.cycle_reg <<= 0
                s.instret_reg <<= 0
                s.cycleh_reg <<= 0
                s.instreth_reg <<= 0
            else:
                s.cycle_reg <<= s.cycle_reg + 1
                if s.cycle_reg == 0xFFFFFFFF:
                    s.cycleh_reg <<= s.cycleh_reg + 1
                if s.commits:
                    s.instret_reg <<= s.instret_reg + 1
                if s.commits & (s.instret_reg == 0xFFFFFFFF):
                    s.instreth_reg <<= s.instreth_reg + 1
