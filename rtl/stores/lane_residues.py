"""LaneResidues: the registers of a lane's residues."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, connect, mk_bits, update, update_ff

from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.stores.lane_sources import LaneSources


class LaneResidues(Component):
    """Registers of residues, which start with a value of the request or 1, and take results.

    Residues whose lifetimes do not overlap share a register (``plan.kept_results``).

    Parameters
    ----------
    residue_nbits : int; width of a residue in bits
    sources : rtl.stores.lane_sources.LaneSources; registers and what they hold
    widths : tuple of int; width of each port ``given`` in bits

    Ports
    -----
    idle : in, 1 bit; there is no request
    load : in, 1 bit; in a cycle with ``idle``, each register that has an initial value takes it: a
        value of the request, or 1
    given : list of in, one port for each of ``widths``, with that many bits; the values that the
        request loads (``LaneSources.given``)
    blank : in, 1 bit; registers that take no results become zeros
    kept : in, 1 bit; ``result`` is a new result
    result : in, residue_nbits bits; last result of the lane
    written : in, a bit per register; register (one-hot) that takes the result; 0: none
    clears : in, 1 bit; in a cycle with ``kept``, ``result`` is written to every register that takes
        results, not only to the one in ``written``. This clears them, because ``result`` is 0 then
    loaded : in, a bit per register; register (one-hot) that ``operand`` reads
    operand : out, residue_nbits bits; 0 if ``loaded`` is 0
    residues : out, residue_nbits bits each; contents of the registers

    A register has its new value from the next cycle on. ``operand`` is combinational.
    """

    def construct(s, residue_nbits: int, sources: LaneSources, widths):
        count = sources.registers
        Residue, Registers = mk_bits(residue_nbits), mk_bits(count)
        s.idle = InPort(1)
        s.load = InPort(1)
        s.given = [InPort(width) for width in widths]
        s.blank = InPort(1)
        s.kept = InPort(1)
        s.result = InPort(Residue)
        s.written = InPort(Registers)
        s.clears = InPort(1)
        s.loaded = InPort(Registers)
        s.operand = OutPort(Residue)
        s.residues = [OutPort(Residue) for _ in range(count)]

        s.residue_reg = [Wire(Residue) for _ in range(count)]
        s.first = [Wire(Residue) for _ in range(count)]
        s.has_first = [Wire(Bits1) for _ in range(count)]
        s.takes_results = [Wire(Bits1) for _ in range(count)]
        s.loadable = [Wire(Residue) for _ in range(count)]
        ports = {
            sources.kept.register(each.name, each.half): port
            for each, port in zip(sources.given, s.given, strict=True)
        }
        for i in range(count):
            s.residues[i] //= s.residue_reg[i]
            s.has_first[i] //= int(i in ports or i in sources.ones)
            s.takes_results[i] //= int(i in sources.written)
            if i in ports:
                connect_low(s.first[i], ports[i])
            else:
                s.first[i] //= int(i in sources.ones)
            connect(s.loadable[i], s.residue_reg[i] if i in sources.loaded else 0)

        @update_ff
        def seq_residues():
            for i in range(count):
                if s.blank & ~s.takes_results[i]:
                    s.residue_reg[i] <<= 0
                elif s.idle & s.has_first[i]:  # `idle` is a register; `load` has deep logic
                    if s.load:
                        s.residue_reg[i] <<= s.first[i]
                elif s.kept & s.takes_results[i]:
                    if s.clears | s.written[i]:
                        s.residue_reg[i] <<= s.result

        @update
        def comb_operand():
            s.operand @= 0
            for i in range(count):
                if s.loaded[i]:
                    s.operand @= s.operand | s.loadable[i]
