"""Messages between the stages of the pipeline (F, D, X, M, W; see ``proc.proc_rtl``)."""

from pymtl3 import Bits1, Bits4, Bits5, Bits32, mk_bitstruct

from rsaxcel.proc.pipeline.decoder import ControlSignals

Result = mk_bitstruct("Result", {"writes": Bits1, "rd": Bits5, "value": Bits32})
"""Result of an instruction: ``value`` for register ``rd``.

If ``writes`` is 0, the instruction has no result. If it is 1, ``rd`` is not x0.
"""

ExecuteMsg = mk_bitstruct(
    "ExecuteMsg",
    {
        "control": ControlSignals,
        "writes": Bits1,
        "cause": Bits4,
        "pc": Bits32,
        "inst": Bits32,
        "op1": Bits32,
        "op2": Bits32,
        "data": Bits32,
        "target": Bits32,
    },
)
"""Message from D to X.

``writes`` is 1 if the instruction has a result, and its register is not x0. ``data`` is the value
that a store writes. ``target`` is the address to which a branch or jump goes. ``cause`` is not 0 if
the program ends with this instruction.
"""

MemoryMsg = mk_bitstruct(
    "MemoryMsg",
    {
        "control": ControlSignals,
        "writes": Bits1,
        "cause": Bits4,
        "pc": Bits32,
        "inst": Bits32,
        "result": Bits32,
    },
)
"""Message from X to M; ``result``: of the ALU, or the target of a misaligned jump or branch."""
