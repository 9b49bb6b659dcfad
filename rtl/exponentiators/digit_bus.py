"""DigitBusExponentiator: operands come, and the result leaves, digit by digit."""

from pymtl3 import Bits1, Component, Wire, mk_bits, trunc, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.digit_bus import Frames
from rsaxcel.fl.status import STATUS_NBITS, InputRules
from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.program_executor import CHECK, DONE, IDLE, RUN, START
from rsaxcel.rtl.exponentiators.sequencer import Sequencer
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.stores.bus_digits import BusLoader, BusUnloader
from rsaxcel.rtl.stores.memory import MODULUS, WordMemory, loaded_names
from rsaxcel.rtl.stores.port_memory import PortMemory, add_engine_on_ports
from rsaxcel.rtl.stores.words import add_engine


class DigitBusExponentiator(Component):
    """Modular exponentiation on words of a memory, with a request bus and a response bus of a word.

    Digits of a request go to memories as they come, so that no port is as wide as an operand, and
    no register either, unless the schedule scans the exponent from the top or in windows.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    program : plan.programs.Program; residues, steps and lanes; the only program of its plan, with
        the result ``r``
    multiplier : catalog.units.Unit; word multiplier (``rtl.stores.words``) without constants of the
        modulus; its words are as wide as the bus
    frames : fl.digit_bus.Frames; messages, and width of a digit
    ports : bool; the numbers share a memory with two ports (``rtl.stores.port_memory``); else each
        has a memory of its own

    Ports
    -----
    recv, send : ``frames.digit_nbits`` bits each; the digits of request and response in the order
        of ``fl.digit_bus``. Digits of the next request are accepted after the last digit of the
        response has been taken

    Latency from the acceptance of the request's last digit to the offer of the response's last one:
    3 cycles; for each step the latency of the multiplier, plus 1; twice the digits of an operand. A
    request against the input rules is answered by its status and zeros, from the third cycle on.
    """

    def construct(
        s, nbits, program: Program, multiplier, rules: InputRules, frames: Frames, ports=False
    ) -> None:
        contract = multiplier.build("fl", nbits)
        digits, digit_nbits = contract.words, contract.word_nbits
        Digit = mk_bits(digit_nbits)
        s.frames = frames
        s.recv = RecvIfcRTL(Digit)
        s.send = SendIfcRTL(Digit)

        constants = tuple(
            name
            for name in reversed(tuple(frames.request.__bitstruct_fields__))
            if name not in ("b", "e", "m", "wide", "missing")
        )
        s.loader = BusLoader(digit_nbits, digits, constants, rules)
        s.sequencer = Sequencer(program, digit_nbits)
        s.unloader = BusUnloader(digit_nbits, digits)
        if ports:
            s.memory = PortMemory(program, digit_nbits, digits)
            s.memory.load_word //= s.recv.msg
            add_engine_on_ports(s, nbits, program, multiplier, s.sequencer)
        else:
            ahead = contract.fetches_ahead
            s.memory = WordMemory(program, digit_nbits, digits, contract.one_index, ahead)
            for word in s.memory.load_words:
                word //= s.recv.msg
            add_engine(s, nbits, program, multiplier, s.sequencer)

        s.state_reg = Wire(mk_bits(3))
        s.status_reg = Wire(mk_bits(STATUS_NBITS))
        s.loader.digit //= s.recv.msg
        s.loader.modulus //= s.memory.unload_modulus
        s.unloader.value //= s.memory.unload_value
        s.unloader.modulus //= s.memory.unload_modulus
        s.unloader.status //= s.status_reg
        connect_named(s.unloader, s.send, "val", "rdy")
        s.unloader.digit //= s.send.msg

        # Each operand but the exponent is written to a bank of the memory.
        places = (*constants, MODULUS, "e", "b")
        for name, load in zip(loaded_names(program), s.memory.loads, strict=True):
            load //= s.loader.writes[places.index(name)]
        exponent = places.index("e")
        s.sequencer.exponent_in //= s.recv.msg
        Place = s.sequencer.fill_index._dsl.Type
        Index = s.memory.load_index._dsl.Type

        @update
        def comb_bus():
            s.recv.rdy @= s.state_reg == IDLE
            s.loader.comes @= s.recv.val & s.recv.rdy
            s.memory.load_index @= trunc(s.loader.index, Index)
            s.memory.unload_index @= s.unloader.index
            if s.loader.compares:
                s.memory.unload_index @= trunc(s.loader.index, Index)

        @update
        def comb_exponent():
            s.sequencer.fill @= s.loader.writes[exponent]
            s.sequencer.fill_index @= trunc(s.loader.index, Place)
            s.sequencer.load @= s.state_reg == CHECK

        s.refused = Wire(Bits1)

        @update
        def comb_control():
            s.refused @= (s.state_reg == START) & (s.loader.status != 0)
            s.sequencer.start @= (s.state_reg == START) & ~s.refused
            s.unloader.start @= s.sequencer.finished
            s.unloader.refuse @= s.refused

        @update_ff
        def seq_state():
            if s.reset | s.unloader.ends:
                s.state_reg <<= IDLE
            elif s.loader.loaded:
                s.state_reg <<= CHECK
            elif s.state_reg == CHECK:
                s.state_reg <<= START
            elif s.refused | s.sequencer.finished:
                s.state_reg <<= DONE
            elif s.sequencer.start:
                s.state_reg <<= RUN

        @update_ff
        def seq_status():
            if s.state_reg == START:
                s.status_reg <<= s.loader.status

    def line_trace(s):
        return f"{s.recv}({int(s.state_reg)}:{s.sequencer.line_trace()}){s.send}"
