"""CompressorTree: adds up the bits of an operation modulo a constant until two rows are left."""

from pymtl3 import Component, InPort, OutPort, Wire, connect, mk_bits, update

from rsaxcel.plan.compressors.netlist import CORRECTION, OPERAND, REVERSED
from rsaxcel.rtl.lib.compressors.banks import BANKS, INPUTS, OUTPUTS


class Reverse(Component):
    """Reverses the order of the ``nbits`` bits of ``x``."""

    def construct(s, nbits):
        s.x = InPort(nbits)
        s.reversed = OutPort(nbits)
        last = nbits - 1

        @update
        def comb_reverse():
            for place in range(nbits):
                s.reversed[place] @= s.x[last - place]


class CompressorTree(Component):
    """Banks of cells (``rtl.lib.compressors.banks``), connected as a plan says.

    It is a part of the multiplier ``rtl.multipliers.compressor_tree`` and of the remainder
    ``rtl.reductions.compressor_tree``, which have the same class name.

    Parameters
    ----------
    plan : Plan; plan of ``plan.compressors``

    Ports
    -----
    x : in, plan.nbits bits; the first operand
    y : in, plan.nbits bits; the second operand of a product; for a square, the same operand again;
        missing for a residue
    rows[0], rows[1] : out, plan.modular_sum.nbits bits each; the sum of both and of the plan's
        correction is congruent to the result modulo m

    Combinational.
    """

    def construct(s, plan):
        Row = mk_bits(plan.modular_sum.nbits)
        s.x = InPort(plan.nbits)
        s.rows = [OutPort(Row) for _ in plan.rows]
        vectors = {OPERAND: s.x}
        if plan.reads_reversed:
            s.y = InPort(plan.nbits)
            s.reverse = Reverse(plan.nbits)
            s.reverse.x //= s.y
            vectors[REVERSED] = s.reverse.reversed
        if plan.correction_row:
            Correction = mk_bits(plan.columns)
            s.correction = Wire(Correction)
            s.correction //= Correction(plan.correction_row)
            vectors[CORRECTION] = s.correction

        def wire(port, runs):
            offset = 0
            for run in runs:
                constant = run.vector not in vectors
                source = 0 if constant else vectors[run.vector]
                whole = run.length == port.get_type().nbits
                sink = port if whole else port[offset : offset + run.length]
                if not constant and run.length < source.get_type().nbits:
                    source = source[run.offset : run.offset + run.length]
                connect(sink, source)
                offset += run.length

        for index, bank in enumerate(plan.banks):
            part = BANKS[bank.cell](bank.count)
            setattr(s, f"{bank.cell.name}_{index}", part)
            for name, runs in zip(INPUTS, bank.inputs, strict=False):
                wire(getattr(part, name), runs)
            for number, name in enumerate(OUTPUTS[: len(bank.cell.weights)], bank.vector):
                vectors[number] = getattr(part, name)
        for row, runs in zip(s.rows, plan.rows, strict=True):
            wire(row, runs)
