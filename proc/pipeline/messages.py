"""Messages between the stages of the pipeline (F, D, X, M, W; see ``proc.proc_rtl``)."""

from pymtl3 import Bits1, Bits4, Bits5, Bits32, mk_bitstruct

from rsaxcel.proc.pipeline.decoder import ControlSignals

#: `writes` = 1: `value` is for register `rd`, which is not x0.
Result = mk_bitstruct("Result", {"writes": Bits1, "rd": Bits5, "value": Bits32})

#: Message from D to X. `writes`: there is a result, for a register that is not x0. `data`: value of
#: a store. `target`: address to which a branch or jump goes. `cause`: not 0 if the program ends
#: here.
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

#: Message from X to M; `result`: result of the ALU, or target of a misaligned jump or branch.
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
