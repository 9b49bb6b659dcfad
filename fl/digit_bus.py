"""Messages on a bus of one digit, and the component that puts any model behind the bus.

A message is sent digit by digit, bits 0 to ``digit_nbits - 1`` first, with fields of whole digits:

=========  ==============================================  =======================================
direction  digits, in their order                          contents
=========  ==============================================  =======================================
request    1                                               bit 0 ``missing`` (if the host sends
                                                           constants), then ``wide``
           operand_digits for each constant of the modulus constants in reverse order
           operand_digits                                  modulus
           ceil(exponent_nbits / digit_nbits)              exponent
           operand_digits                                  base
response   1                                               status
           operand_digits                                  result, 0 unless the status is ok
=========  ==============================================  =======================================

Each operand is sent with its least significant digit first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pymtl3 import Bits1, Component, Wire, clog2, concat, connect, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import message


@dataclass(frozen=True)
class Frames:
    """Messages of a circuit whose ports are narrower.

    Request and response have a multiple of ``digit_nbits`` bits.
    """

    request: type[Any]
    response: type[Any]
    digit_nbits: int

    @property
    def request_digits(self) -> int:
        return int(self.request.nbits) // self.digit_nbits

    @property
    def response_digits(self) -> int:
        return int(self.response.nbits) // self.digit_nbits


def power_frames(
    digit_nbits: int, operand_digits: int, exponent_nbits: int, constants: Sequence[str]
) -> Frames:
    """Messages of an exponentiator on a bus of one digit.

    ``operand_digits``: number of digits of the base.
    """
    operand = operand_digits * digit_nbits
    exponent = -(-exponent_nbits // digit_nbits) * digit_nbits
    names = (("b", operand), ("e", exponent), ("m", operand), *((x, operand) for x in constants))
    flags = (("wide", digit_nbits - 1), ("missing", 1)) if constants else (("wide", digit_nbits),)
    shape = f"{digit_nbits}_{operand_digits}_{exponent}"
    title = "".join(x.title().replace("_", "") for x in constants)
    request = message(f"PowerReq{title}By{shape}", (*names, *flags))
    response = message(f"PowerRespBy{shape}", (("r", operand), ("status", digit_nbits)))
    return Frames(request, response, digit_nbits)


class DigitBusUnit(Component):
    """Puts a model with whole messages behind a bus of one digit.

    The model is offered a request with the request's last digit. From the cycle in which the
    response is valid, its digits leave; the last digit takes the response.

    Parameters
    ----------
    frames : Frames
    model : type; component with whole messages
    arguments : tuple; of the model after the types of request and response

    Ports
    -----
    recv, send : ``frames.digit_nbits`` bits each
    """

    def construct(s, frames: Frames, model: type[Component], arguments: tuple[Any, ...]):
        nin, nout, width = frames.request_digits, frames.response_digits, frames.digit_nbits
        Digit, Request = mk_bits(width), mk_bits(frames.request.nbits)
        kept = frames.request.nbits - width
        to_request, to_bits = frames.request.from_bits, frames.response.to_bits
        last_in, last_out = nin - 1, nout - 1
        s.frames = frames
        s.recv = RecvIfcRTL(Digit)
        s.send = SendIfcRTL(Digit)
        s.model = model(frames.request, frames.response, *arguments)
        s.in_reg = Wire(mk_bits(clog2(nin + 1)))
        s.out_reg = Wire(mk_bits(clog2(nout + 1)))
        s.held_reg = Wire(mk_bits(kept))
        s.whole = Wire(Request)
        s.digits = [Wire(Digit) for _ in range(nout)]
        s.answer = Wire(mk_bits(frames.response.nbits))
        s.takes = Wire(Bits1)
        s.gives = Wire(Bits1)
        for i in range(nout):
            s.digits[i] //= s.answer[i * width : (i + 1) * width]
        connect(s.recv.rdy, s.model.recv.rdy)
        connect(s.send.val, s.model.send.val)

        @update
        def comb_request():
            s.takes @= s.recv.val & s.recv.rdy
            s.whole @= concat(s.recv.msg, s.held_reg)
            s.model.recv.val @= s.recv.val & (s.in_reg == last_in)
            s.model.recv.msg @= to_request(s.whole)

        @update
        def comb_response():
            s.answer @= to_bits(s.model.send.msg)
            s.send.msg @= s.digits[s.out_reg]
            s.gives @= s.send.val & s.send.rdy
            s.model.send.rdy @= s.send.rdy & (s.out_reg == last_out)

        @update_ff
        def seq_digits():
            if s.reset:
                s.in_reg <<= 0
                s.out_reg <<= 0
            else:
                if s.takes:
                    s.held_reg <<= s.whole[width : kept + width]
                    s.in_reg <<= 0 if s.in_reg == last_in else s.in_reg + 1
                if s.gives:
                    s.out_reg <<= 0 if s.out_reg == last_out else s.out_reg + 1

    def line_trace(s):
        return f"{s.recv}({s.in_reg}/{s.out_reg}){s.send}"
