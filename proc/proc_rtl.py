"""The processor at RTL, pipelined in five stages."""

from pymtl3 import Component, connect, update

from rsaxcel.proc.instruction_sets import INSTRUCTION_SETS, RV32IM
from rsaxcel.proc.pipeline.decode import Decode
from rsaxcel.proc.pipeline.execute import Execute
from rsaxcel.proc.pipeline.fetch import Fetch
from rsaxcel.proc.pipeline.memory import Memory
from rsaxcel.proc.pipeline.mul import Mul
from rsaxcel.proc.pipeline.muldiv import MulDiv
from rsaxcel.proc.ports import add_processor_ports

#: Ports of the processor that belong to the stages M and W.
MEMORY_STAGE_PORTS = (
    "mngr2proc",
    "proc2mngr",
    "core_id",
    "stats_en",
    "commit_inst",
    "trap_val",
    "trap_cause",
    "trap_pc",
    "trap_inst",
    "trap_value",
)


class ProcRTL(Component):
    """In-order processor: one instruction per cycle, with all bypasses.

    Stages: F fetches; D decodes, reads operands and jumps; X has the ALU, decides branches and
    sends requests; M takes responses and exchanges messages with the manager (the software or
    testbench around the processor); W writes registers. Stall cycles, with memories that answer in
    one cycle:

    - jump: 1; a jump to a register also waits until the register's value has reached W;
    - taken branch, ``fence.i``: 2;
    - a result that comes in M (load, division, control register; multiplication unless
      ``product_stage`` is X) and is used by the next instruction: 1;
    - division: 0 to 16 with the default divider (two quotient bits per cycle, leading zero bytes
      are skipped); 1 more if the next instruction is also a division;
    - accelerator or manager not ready: until it is ready.

    Instructions send requests to the data memory, the accelerator and the manager only when all
    earlier instructions are sure to commit; only instruction fetches are speculative.

    Parameters
    ----------
    product_stage : str; stage in which a product is available: ``"M"``, or ``"X"``, which makes the
        critical path longer
    divider : str; type of the divider: ``"skipping"``, ``"restoring"`` or ``"aligning"`` (see
        ``MulDiv``)
    divider_bits_per_cycle : int; quotient bits per cycle
    isa : str; instruction set, a key of ``proc.instruction_sets.INSTRUCTION_SETS``. Circuits that
        only other instructions need are left out: the divider, the high half of the product, the
        corrections for signed operands, loads of bytes and halfwords. Stage X checks the alignment
        of, and asks the memory for, 1, 2 or 4 bytes in all sets

    Ports
    -----
    See ``proc.ports.add_processor_ports``.

    Attributes
    ----------
    decode_stage : type
        Class of stage D; ``proc.rvfi`` has a subclass of the processor with another one.
    unit : type or None
        Class in place of multiplier and divider, for proofs; None: there is no other.
    """

    #: Classes rather than parameters of `construct`, whose values the Verilog would have in a
    #: comment.
    decode_stage: type[Component] = Decode
    unit: type[Component] | None = None

    def construct(
        s, product_stage="M", divider="skipping", divider_bits_per_cycle=2, isa=RV32IM.name
    ):
        add_processor_ports(s)
        s.fetch = Fetch()
        instruction_set = INSTRUCTION_SETS[isa]
        s.decode = s.decode_stage(instruction_set)
        early_product = product_stage == "X"
        s.execute = Execute(early_product)
        is_high = instruction_set.has_high_product
        if s.unit is not None:
            s.muldiv = s.unit(early_product)
        elif instruction_set.divides:
            is_signed = instruction_set.is_signed
            kind = divider, divider_bits_per_cycle
            s.muldiv = MulDiv(*kind, early_product, is_signed, is_high)
        else:
            s.muldiv = Mul(is_high, early_product)
        s.memory = Memory(instruction_set.narrow_loads)

        s.imem //= s.fetch.imem
        s.fetch.take //= s.decode.take
        for name in ("valid", "pc", "inst", "outside"):
            connect(getattr(s.decode, name), getattr(s.fetch, name))
        s.decode.squash //= s.execute.redirect

        @update
        def comb_redirect():
            s.fetch.redirect @= s.execute.redirect | s.decode.redirect
            s.fetch.target @= s.decode.target
            if s.execute.redirect:
                s.fetch.target @= s.execute.target

        s.decode.x //= s.execute.result
        s.decode.m //= s.memory.m
        s.decode.w //= s.memory.w
        s.decode.x_late //= s.execute.late
        s.decode.x_stalls //= s.execute.stalls
        s.execute.go //= s.decode.go
        s.execute.issue //= s.decode.issue
        s.execute.m_stalls //= s.memory.stalls
        s.memory.go //= s.execute.m_go
        s.memory.issue //= s.execute.m_issue

        s.execute.muldiv //= s.muldiv.recv
        if early_product:
            s.execute.product //= s.muldiv.product
        s.memory.muldiv //= s.muldiv.send
        s.execute.dmem //= s.dmem.req
        s.memory.dmem //= s.dmem.resp
        s.execute.xcel //= s.xcel.req
        s.memory.xcel //= s.xcel.resp
        for name in MEMORY_STAGE_PORTS:
            connect(getattr(s, name), getattr(s.memory, name))

    def line_trace(s):
        return f"{s.fetch.line_trace()} {s.dmem}"
