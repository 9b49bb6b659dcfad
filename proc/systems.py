"""Systems: a processor of any level with any accelerator, or none."""

from pymtl3 import Component, InPort, OutPort, connect
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL, RecvIfcRTL, SendIfcRTL

from proc.ports import MemReqMsg, MemRespMsg, Word

_PORTS = (
    *("imem", "dmem", "mngr2proc", "proc2mngr", "core_id", "stats_en", "commit_inst"),
    *("trap_val", "trap_cause", "trap_pc", "trap_inst", "trap_value"),
)


class ProcXcel(Component):
    """A processor and an accelerator.

    Parameters
    ----------
    processor : Component
        With the ports of ``proc.ports``, not elaborated.
    accelerator : Component
        With ``xcel`` minion, not elaborated.

    Ports
    -----
    Those of the processor, except ``xcel``.
    """

    def construct(s, processor, accelerator):
        s.imem = MasterIfcRTL(MemReqMsg, MemRespMsg)
        s.dmem = MasterIfcRTL(MemReqMsg, MemRespMsg)
        s.mngr2proc = RecvIfcRTL(Word)
        s.proc2mngr = SendIfcRTL(Word)
        s.core_id = InPort(Word)
        s.stats_en = OutPort(1)
        s.commit_inst = OutPort(1)
        s.trap_val = OutPort(1)
        s.trap_cause = OutPort(4)
        s.trap_pc = OutPort(Word)
        s.trap_inst = OutPort(Word)
        s.trap_value = OutPort(Word)

        s.proc = processor
        s.xcel = accelerator
        s.proc.xcel //= s.xcel.xcel
        for name in _PORTS:
            connect(getattr(s, name), getattr(s.proc, name))

    def line_trace(s):
        return f"{s.proc.line_trace()} {s.xcel.line_trace()}"
