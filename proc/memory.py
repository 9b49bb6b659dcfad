"""Behavioural memory behind the processor's interfaces, for simulation in PyMTL3."""

from collections import deque
from random import Random

from pymtl3 import Bits2, Bits4, Component, update_ff
from pymtl3.stdlib.mem import MemMsgType
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from proc.ports import MemReqMsg, MemRespMsg, Word

_OUTSIDE = 1


class Memory(Component):
    """Memory with several ports, which see each other's writes at once.

    Parameters
    ----------
    contents : bytearray
        The memory from address 0; changed in place.
    num_ports : int
        Number of ports.
    latency : int
        Cycles from a request to its response, at least 1.
    stall : float
        Share of the cycles in which a port takes no request, and of those in which it gives no
        response that is due; below 1.
    seed : int
        Of the stalls.

    Ports
    -----
    ifc : list of minion; messages as in ``proc.ports``

    One request per cycle and port. A request that is not a read or write within the memory is
    answered with ``test`` = 1 and changes nothing.
    """

    def construct(
        s,
        contents: bytearray,
        num_ports: int = 2,
        latency: int = 1,
        stall: float = 0.0,
        seed: int = 0,
    ):
        s.ifc = [MinionIfcRTL(MemReqMsg, MemRespMsg) for _ in range(num_ports)]
        s.ports = [
            MemoryPort(contents, latency, stall, seed * num_ports + i) for i in range(num_ports)
        ]
        for ifc, port in zip(s.ifc, s.ports, strict=True):
            ifc //= port.ifc


class MemoryPort(Component):
    """One port of a ``Memory``; the parameters are those of the memory."""

    def construct(s, contents: bytearray, latency: int, stall: float, seed: int):
        s.ifc = MinionIfcRTL(MemReqMsg, MemRespMsg)
        s.contents = contents
        s.random = Random(seed)
        # Responses that are due, each with the cycles until then.
        s.responses = deque()

        @update_ff
        def seq_port():
            if s.reset:
                s.responses.clear()
                s.ifc.req.rdy <<= 0
                s.ifc.resp.val <<= 0
            else:
                taken = bool(s.ifc.resp.val & s.ifc.resp.rdy)
                held = bool(s.ifc.resp.val) and not taken
                if taken:
                    s.responses.popleft()
                for response in s.responses:
                    response[0] -= 1
                if s.ifc.req.val & s.ifc.req.rdy:
                    s.responses.append([latency - 1, s._answer(s.ifc.req.msg)])
                s.ifc.req.rdy <<= len(s.responses) <= latency and s.random.random() >= stall
                is_due = bool(s.responses) and s.responses[0][0] <= 0
                # What is valid stays valid until it is taken.
                is_valid = held or (is_due and s.random.random() >= stall)
                s.ifc.resp.val <<= is_valid
                s.ifc.resp.msg <<= s.responses[0][1] if is_valid else MemRespMsg()

    def _answer(s, request):
        """Do what a request asks for, and give the response."""
        kind, start = int(request.type_), int(request.addr)
        nbytes = int(request.len) or 4
        test = data = 0
        if start + nbytes > len(s.contents) or kind not in (MemMsgType.READ, MemMsgType.WRITE):
            test = _OUTSIDE
        elif kind == MemMsgType.READ:
            data = int.from_bytes(s.contents[start : start + nbytes], "little")
        else:
            value = int(request.data) & (1 << 8 * nbytes) - 1
            s.contents[start : start + nbytes] = value.to_bytes(nbytes, "little")
        return MemRespMsg(Bits4(kind), request.opaque, Bits2(test), request.len, Word(data))
