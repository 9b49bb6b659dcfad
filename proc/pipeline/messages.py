"""Messages between the stages of the pipeline."""

from pymtl3 import Bits1, Bits4, Bits5, Bits32, mk_bitstruct

from proc.pipeline.decoder import ControlSignals

Result = mk_bitstruct("Result", {"writes": Bits1, "rd": Bits5, "value": Bits32})
"""Value for register ``rd``, which is not x0; valid if ``writes`` is 1."""

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

``writes`` is 0 for x0, ``data`` is the value to store, ``target`` belongs to a branch or jump, and
``cause`` is not 0 if the program ends with this instruction.
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
"""Message from X to M: ``result`` of the ALU, or the target of a jump that fails."""
