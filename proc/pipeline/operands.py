"""Register file with bypasses: operands as the program order wants them."""

from pymtl3 import Bits32, Component, InPort, OutPort, update
from pymtl3.stdlib.basic_rtl import RegisterFile

from proc.pipeline.messages import Result


class Operands(Component):
    """Values of two registers, from the youngest instruction in X, M or W that writes them.

    Ports
    -----
    rs : list of two, in, 5 bits; register numbers
    value : list of two, out, 32 bits; x0 is 0
    in_x : list of two, out; the value comes from the instruction in X
    x, m, w : in, ``Result``; what is in w goes to the registers at the end of the cycle
    """

    def construct(s):
        s.rs = [InPort(5) for _ in range(2)]
        s.value = [OutPort(32) for _ in range(2)]
        s.in_x = [OutPort(1) for _ in range(2)]
        s.x = InPort(Result)
        s.m = InPort(Result)
        s.w = InPort(Result)

        s.registers = RegisterFile(Bits32, 32, rd_ports=2, wr_ports=1)
        s.registers.wen[0] //= s.w.writes
        s.registers.waddr[0] //= s.w.rd
        s.registers.wdata[0] //= s.w.value
        for i in range(2):
            s.registers.raddr[i] //= s.rs[i]

        @update
        def comb_value():
            for i in range(2):
                s.in_x[i] @= s.x.writes & (s.x.rd == s.rs[i])
                if s.in_x[i]:
                    s.value[i] @= s.x.value
                elif s.m.writes & (s.m.rd == s.rs[i]):
                    s.value[i] @= s.m.value
                elif s.w.writes & (s.w.rd == s.rs[i]):
                    s.value[i] @= s.w.value
                elif s.rs[i] == 0:
                    s.value[i] @= 0
                else:
                    s.value[i] @= s.registers.rdata[i]
