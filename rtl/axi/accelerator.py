"""BusAccelerator: any exponentiator behind registers on a bus, with a padding circuit."""

from collections.abc import Callable

from pymtl3 import Bits1, Bits32, Component, OutPort, Wire, connect, mk_bits, update
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL, RecvIfcRTL

from rsaxcel.fl.bus import AccessReqMsg, AccessRespMsg, EntropyMsg
from rsaxcel.fl.register_map import (
    BLOCKED,
    BUSY,
    CONSTANT_WORDS,
    CONSTANTS,
    CONTROL,
    DECRYPT,
    DESIGN_ID,
    DONE,
    DROPPED,
    EXPONENT_NBITS,
    IDENTIFICATION,
    INPUT_FIFO,
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    INTERRUPTS,
    LENGTH_ERROR,
    MAGIC,
    MODE,
    MODULUS,
    NBITS,
    OUTPUT_FIFO,
    OUTPUT_LENGTH,
    PRIVATE_EXPONENT,
    PUBLIC_EXPONENT,
    READ_ADDRESS,
    REGISTERS,
    SIGNATURE,
    STATUS,
    STATUS_CODE,
    UNPADDED,
    WIDTHS,
    WORD_NBITS,
    WORD_NBYTES,
)
from rsaxcel.fl.word_serial import words_per_constant, words_per_operand
from rsaxcel.plan.halves import Halves, modulus_nbits
from rsaxcel.plan.modulus_constants import Widths
from rsaxcel.rtl.axi.access import AccessPort, HeldWord
from rsaxcel.rtl.axi.control import Commands, Control, Interrupts, LengthRules, RevisedControl
from rsaxcel.rtl.axi.key_registers import KeyRegisters
from rsaxcel.rtl.axi.padding import BlockBuffer, OutputWindow, Padding
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.word_lane import index_nbits

MODE_NBITS = sum(field.nbits for field in MODE.fields)


class BusAccelerator(Component):
    """Registers of ``fl.register_map`` and padding, in front of an exponentiator.

    Registers hold the key and the bytes of the message, also after an operation. The result stays
    in the exponentiator, which holds its response until the next start.

    Parameters
    ----------
    nbits : int; width in bits of base and result. It is also the width of the modulus, unless
        ``halves`` is given
    exponentiator : callable; returns a new exponentiator: ``recv`` {b, e, m, wide}, or with host
        constants {b, e, m, constants, wide, missing} (``fl.messages.power_request``); ``send``
        {r, status}, held until it is taken
    design_id : int; number of the design
    constants : tuple of (str, int); names of the constants that the host supplies, and their widths
        in bits
    exponent_nbits : int; width of the exponents in bits
    halves : plan.halves.Halves or None; layout of a modulus that consists of two moduli, the primes
        of a key (CRT); None: the modulus is one number
    revises : bool; the exponentiator may turn a response that waits into a refusal

    Ports
    -----
    access : minion; req {type_, addr, data, strb}, resp {type_, error, data}
    entropy : random bytes for paddings of block type 2; ready while a byte is needed
    interrupt : out, 1 bit; level-sensitive

    Latency of an access: 1 cycle, also while an operation runs. As long as responses are taken, an
    access can be made in every cycle.
    Latency of an operation: see ``rtl.axi.control``.
    """

    def construct(
        s,
        nbits: int,
        exponentiator: Callable[[], Component],
        design_id: int,
        constants: Widths,
        exponent_nbits: int,
        halves: Halves | None = None,
        revises: bool = False,
    ):
        s.port = AccessPort(len(REGISTERS))
        s.access = MinionIfcRTL(AccessReqMsg, AccessRespMsg)
        s.entropy = RecvIfcRTL(EntropyMsg)
        s.interrupt = OutPort(1)
        s.access //= s.port.access
        words = words_per_operand(nbits)
        buffer_nbits = WORD_NBITS * words
        operand_nbits = max(nbits, modulus_nbits(nbits, halves))

        def written(register):
            return s.port.written[register.offset // WORD_NBYTES]

        s.control = (RevisedControl if revises else Control)(words)
        s.commands = Commands(len(BLOCKED), words)
        s.commands.busy //= s.control.busy
        s.commands.data //= s.port.data
        s.commands.mask //= s.port.mask
        s.commands.status //= written(STATUS)
        s.commands.control //= written(CONTROL)
        taken = dict(zip(BLOCKED, s.commands.takes, strict=True))
        for register, asks in zip(BLOCKED, s.commands.asks, strict=True):
            asks //= written(register)

        s.input_length = HeldWord(WORD_NBITS)
        s.read_address = HeldWord(WORD_NBITS)
        s.input_fifo = HeldWord(WORD_NBITS)
        s.mode = HeldWord(MODE_NBITS)
        s.enable = HeldWord(1)
        for held, write, nbits_held, is_cleared in (
            (s.input_length, taken[INPUT_LENGTH], WORD_NBITS, True),
            (s.read_address, written(READ_ADDRESS), WORD_NBITS, False),
            (s.input_fifo, taken[INPUT_FIFO], WORD_NBITS, True),
            (s.mode, taken[MODE], MODE_NBITS, False),
            (s.enable, written(INTERRUPT_ENABLE), 1, False),
        ):
            held.write //= write
            held.data //= s.port.data[0:nbits_held]
            held.mask //= s.port.mask[0:nbits_held]
            connect(held.clear, s.control.zero if is_cleared else Bits1(0))

        # A clearing writes zeros to the key, not the data from the bus.
        s.key = KeyRegisters(nbits, exponent_nbits, constants, halves)
        key_writes = [s.key.write_modulus, s.key.write_public, s.key.write_private]
        key_writes.append(s.key.write_constants)
        nkeys = len(key_writes)
        s.key_taken = [Wire(Bits1) for _ in range(nkeys)]
        s.key_write = [Wire(Bits1) for _ in range(nkeys)]
        for i, register in enumerate((MODULUS, PUBLIC_EXPONENT, PRIVATE_EXPONENT, CONSTANTS)):
            s.key_taken[i] //= taken[register]
            key_writes[i] //= s.key_write[i]
        s.key.private //= s.commands.decrypt

        @update
        def comb_key():
            s.key.data @= s.port.data
            if s.control.zero:
                s.key.data @= 0
            for i in range(nkeys):
                s.key_write[i] @= s.key_taken[i] | s.control.zero
            s.key.rewind @= s.control.rewind | s.commands.rewind

        #: Buffer of the block, and the circuits that add or remove its padding.
        s.rules = LengthRules(words)
        s.rules.written //= s.input_length.value
        s.rules.block //= s.key.nbytes
        s.rules.decrypt //= s.commands.decrypt
        s.rules.unpadded //= s.mode.value[UNPADDED.lsb]
        s.rules.signature //= s.mode.value[SIGNATURE.lsb]
        s.padding = Padding(words)
        s.entropy //= s.padding.entropy
        s.padding.padded //= s.rules.padded
        s.padding.signature //= s.mode.value[SIGNATURE.lsb]
        s.padding.length //= s.rules.length
        s.padding.block //= s.key.nbytes
        s.buffer = BlockBuffer(words)
        s.buffer.word //= s.input_fifo.value
        s.buffer.byte_index //= s.padding.index
        s.buffer.write_byte //= s.padding.write
        s.buffer.octet //= s.padding.octet
        s.buffer.word_index //= s.port.data[0 : index_nbits(words)]
        s.buffer.write_word //= s.commands.stores

        s.control.start //= s.commands.start
        s.control.clear //= s.commands.clear
        s.control.refusal //= s.rules.status
        s.control.removes //= s.rules.removes
        s.control.block //= s.key.nbytes
        for name in ("fill", "scan", "cancel", "active", "good", "found"):
            connect(getattr(s.control, name), getattr(s.padding, name))

        s.exponentiator = exponentiator()
        s.exponentiator.recv.msg.b //= s.buffer.value[0:nbits]
        s.exponentiator.recv.msg.e //= s.key.exponent
        s.exponentiator.recv.msg.m //= s.key.modulus
        for name in (*(name for name, _ in constants), *(("missing",) if constants else ())):
            connect(getattr(s.key, name), getattr(s.exponentiator.recv.msg, name))
        if buffer_nbits > nbits:
            s.excess = Wire(mk_bits(buffer_nbits - nbits))
            s.excess //= s.buffer.value[nbits:buffer_nbits]

            @update
            def comb_wide_block():
                s.exponentiator.recv.msg.wide @= s.key.wide | (s.excess != 0)

        else:
            s.exponentiator.recv.msg.wide //= s.key.wide
        s.control.recv_val //= s.exponentiator.recv.val
        s.control.recv_rdy //= s.exponentiator.recv.rdy
        s.control.send_val //= s.exponentiator.send.val
        s.control.send_rdy //= s.exponentiator.send.rdy
        s.control.send_status //= s.exponentiator.send.msg.status

        s.window = OutputWindow(nbits)
        s.window.value //= s.exponentiator.send.msg.r
        s.window.address //= s.read_address.value
        s.window.length //= s.control.length
        s.window.looks //= s.padding.active
        s.window.index //= s.padding.index
        s.window.octet //= s.padding.seen

        s.interrupts = Interrupts()
        s.interrupts.ends //= s.control.ends
        s.interrupts.acknowledge //= written(INTERRUPTS)
        s.interrupts.count //= s.port.data
        s.interrupt //= lambda: s.enable.value & (s.interrupts.waiting != 0)

        #: Values of the readable registers; all other registers read 0.
        s.status = Wire(Bits32)
        flags = {DECRYPT: s.commands.decrypt, BUSY: s.control.busy, LENGTH_ERROR: s.rules.exceeds}
        flags |= {DONE: s.control.done, DROPPED: s.commands.dropped}
        for i in range(WORD_NBITS):
            bits = [signal for field, signal in flags.items() if field.lsb == i]
            connect(s.status[i], bits[0] if bits else Bits1(0))
        values = {
            STATUS: s.status,
            INPUT_LENGTH: s.rules.length,
            OUTPUT_LENGTH: s.control.length,
            OUTPUT_FIFO: s.window.word,
            IDENTIFICATION: Bits32(MAGIC << WORD_NBITS // 2 | design_id << DESIGN_ID.lsb),
            WIDTHS: Bits32(nbits << NBITS.lsb | exponent_nbits << EXPONENT_NBITS.lsb),
            CONSTANT_WORDS: Bits32(
                words_per_constant(operand_nbits, (width for _, width in constants))
                * len(constants)
            ),
            MODE: s.mode.value,
            STATUS_CODE: s.control.status,
            INTERRUPT_ENABLE: s.enable.value,
            INTERRUPTS: s.interrupts.waiting,
        }
        for register in REGISTERS:
            value = values.get(register, Bits32(0))
            port = s.port.values[register.offset // WORD_NBYTES]
            if isinstance(value, Bits32):
                port //= value
            else:
                connect_low(port, value)

    def line_trace(s):
        return f"{s.access}({s.exponentiator.line_trace()})"
