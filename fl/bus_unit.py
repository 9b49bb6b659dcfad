"""Messages of register accesses, and a component that answers them by the golden model."""

from collections.abc import Callable

from pymtl3 import Bits1, Component, OutPort, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL, RecvIfcRTL

from rsaxcel.fl.bus import BusRegisters
from rsaxcel.fl.messages import message
from rsaxcel.fl.register_map import ADDRESS_NBITS, WORD_NBITS, WORD_NBYTES

EntropyMsg = mk_bits(8)  #: a random byte

#: Request: byte address; for a write (type_ 1), also data and byte strobes.
AccessReqMsg = message(
    "AccessReq",
    (("type_", 1), ("addr", ADDRESS_NBITS), ("data", WORD_NBITS), ("strb", WORD_NBYTES)),
)

#: Response: data of a read, 0 for a write; error is 1 if no register has the address.
AccessRespMsg = message("AccessResp", (("type_", 1), ("error", 1), ("data", WORD_NBITS)))


class BusUnit(Component):
    """Golden model of the registers on a bus, as a component.

    Parameters
    ----------
    make_registers : callable; returns new registers; called at every reset

    Ports
    -----
    access : minion; req {type_, addr, data, strb}, resp {type_, error, data}
    entropy : random bytes; ready while the padding waits for one
    interrupt : out, 1 bit; level

    Latency: 1 cycle; an access per cycle while responses are taken. An operation has ended when the
    next access after its start is executed, unless its padding still waits for random bytes.
    """

    def construct(s, make_registers: Callable[[], BusRegisters]):
        s.access = MinionIfcRTL(AccessReqMsg, AccessRespMsg)
        s.entropy = RecvIfcRTL(EntropyMsg)
        s.interrupt = OutPort(1)
        s.full_reg = Wire(Bits1)
        s.response_reg = Wire(AccessRespMsg)
        s.wants_reg = Wire(Bits1)
        s.interrupt_reg = Wire(Bits1)
        s.registers = make_registers()

        @update
        def comb_handshake():
            s.access.req.rdy @= ~s.full_reg | s.access.resp.rdy

        s.access.resp.val //= s.full_reg
        s.access.resp.msg //= s.response_reg
        s.entropy.rdy //= s.wants_reg
        s.interrupt //= s.interrupt_reg

        @update_ff
        def seq_registers():
            if s.reset:
                s.registers = make_registers()
                s.full_reg <<= 0
            else:
                if s.entropy.val & s.entropy.rdy:
                    s.registers.feed(int(s.entropy.msg))
                s.registers.finish()
                if s.access.req.val & s.access.req.rdy:
                    request = s.access.req.msg
                    address, data = int(request.addr), 0
                    if request.type_:
                        error = s.registers.write(address, int(request.data), int(request.strb))
                    else:
                        data, error = s.registers.read(address)
                    s.full_reg <<= 1
                    s.response_reg <<= AccessRespMsg(int(request.type_), int(error), data)
                elif s.access.resp.rdy:
                    s.full_reg <<= 0
            s.wants_reg <<= s.registers.wants_entropy
            s.interrupt_reg <<= s.registers.interrupt

    def line_trace(s):
        return f"{s.access}(){int(s.interrupt)}"
