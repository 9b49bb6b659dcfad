"""Register file with bypasses."""

from pymtl3 import Bits1, Bits32, Component, InPort, OutPort, Wire, update

from rsaxcel.proc.pipeline.messages import Result
from rsaxcel.proc.pipeline.register_file import RegisterFile


class Operands(Component):
    """Reads two registers; a value that is not yet written to its register comes by a bypass.

    If instructions in the stages X, M or W write the register, the youngest of them provides the
    value.

    Ports
    -----
    rs : in, 5 bits each; numbers of two registers
    value : out, 32 bits each; values of the two registers; x0 is 0
    in_x : out, 1 bit each; the instruction in X writes the register
    early : out, 32 bits; value of the first register without the bypasses from X and M, on a
        shorter path than ``value``; valid unless ``pending``
    pending : out, 1 bit; the instruction in X or M writes the first register
    x, m, w : in, ``Result`` each; results of the instructions in stages X, M, W; w is written to
        its register at the end of the cycle
    """

    def construct(s):
        s.rs = [InPort(5) for _ in range(2)]
        s.value = [OutPort(32) for _ in range(2)]
        s.in_x = [OutPort(1) for _ in range(2)]
        s.early = OutPort(32)
        s.pending = OutPort(1)
        s.x = InPort(Result)
        s.m = InPort(Result)
        s.w = InPort(Result)

        s.registers = RegisterFile()
        s.registers.write //= s.w.writes
        s.registers.rd //= s.w.rd
        s.registers.data //= s.w.value
        for i in range(2):
            s.registers.rs[i] //= s.rs[i]

        s.in_m = [Wire(Bits1) for _ in range(2)]
        s.older = [Wire(Bits32) for _ in range(2)]

        @update
        def comb_older():
            for i in range(2):
                s.older[i] @= s.registers.value[i]
                if s.w.writes & (s.w.rd == s.rs[i]):
                    s.older[i] @= s.w.value

        @update
        def comb_value():
            for i in range(2):
                s.in_x[i] @= s.x.writes & (s.x.rd == s.rs[i])
                s.in_m[i] @= s.m.writes & (s.m.rd == s.rs[i])
                if s.in_x[i]:
                    s.value[i] @= s.x.value
                elif s.in_m[i]:
                    s.value[i] @= s.m.value
                else:
                    s.value[i] @= s.older[i]

        @update
        def comb_early():
            s.early @= s.older[0]
            s.pending @= s.in_x[0] | s.in_m[0]
