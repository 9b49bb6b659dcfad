"""Register file with bypasses."""

from pymtl3 import Bits1, Bits32, Component, InPort, OutPort, Wire, update, update_ff

from rsaxcel.proc.pipeline.messages import Result


class RegisterFile(Component):
    """31 registers of 32 bits with two read ports and a write port; x0 reads 0.

    To read a register, each register is combined by AND with a one-hot select signal, and the
    results are combined by OR. In a tree of multiplexers, each bit of a register number would drive
    some hundred gates, and its path would have more buffers than gates.

    Ports
    -----
    rs : in, 5 bits each; numbers of two registers
    value : out, 32 bits each; values of the two registers; a written value is read from the next
        cycle on
    write : in, 1 bit; a register is written
    rd : in, 5 bits; number of the written register, not 0
    data : in, 32 bits; new value of the written register
    """

    def construct(s):
        s.rs = [InPort(5) for _ in range(2)]
        s.value = [OutPort(32) for _ in range(2)]
        s.write = InPort(1)
        s.rd = InPort(5)
        s.data = InPort(32)

        s.registers = [Wire(Bits32) for _ in range(31)]
        for port in range(2):
            reader = ReadPort()
            setattr(s, f"port{port}", reader)
            reader.rs //= s.rs[port]
            reader.value //= s.value[port]
            reader.registers[0] //= 0
            for i in range(31):
                reader.registers[i + 1] //= s.registers[i]

        @update_ff
        def seq_write():
            for i in range(31):
                if s.write & (s.rd == i + 1):
                    s.registers[i] <<= s.data


class ReadPort(Component):
    """Selects one of 32 registers.

    Ports
    -----
    rs : in, 5 bits; number of the register
    registers : in, 32 bits each; values of x0 to x31
    value : out, 32 bits; value of the selected register
    """

    def construct(s):
        s.rs = InPort(5)
        s.registers = [InPort(32) for _ in range(32)]
        s.value = OutPort(32)
        s.selected = [Wire(Bits32) for _ in range(32)]
        s.group = [[Wire(Bits32) for _ in range(4)] for _ in range(8)]
        s.joined = [Wire(Bits32) for _ in range(8)]
        for i in range(32):
            s.group[i // 4][i % 4] //= s.selected[i]

        @update
        def comb_select():
            for i in range(32):
                s.selected[i] @= 0
                if s.rs == i:
                    s.selected[i] @= s.registers[i]

        @update
        def comb_join():
            for i in range(8):
                s.joined[i] @= (s.group[i][0] | s.group[i][1]) | (s.group[i][2] | s.group[i][3])

        @update
        def comb_value():
            s.value @= ((s.joined[0] | s.joined[1]) | (s.joined[2] | s.joined[3])) | (
                (s.joined[4] | s.joined[5]) | (s.joined[6] | s.joined[7])
            )


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
