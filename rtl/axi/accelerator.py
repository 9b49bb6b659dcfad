"""BusAccelerator: any exponentiator behind registers on a bus, with a padding circuit."""

from collections.abc import Callable

from pymtl3 import (
    Bits1,
    Bits32,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    connect,
    mk_bits,
    trunc,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL, RecvIfcRTL

from rsaxcel.fl.bus import AccessReqMsg, AccessRespMsg, EntropyMsg
from rsaxcel.fl.register_map import (
    ADDRESS_NBITS,
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
from rsaxcel.rtl.axi.control import Commands, Control, Interrupts, LengthRules, RevisedControl
from rsaxcel.rtl.axi.padding import BlockBuffer, OutputWindow, Padding
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.lanes import index_nbits
from rsaxcel.rtl.lib.operand_registers import ConstantRegisters, OperandRegister

MODE_NBITS = sum(field.nbits for field in MODE.fields)


class HeldWord(Component):
    """Register with a mask of the bits to write.

    Parameters
    ----------
    nbits : int; width in bits

    Ports
    -----
    write : in, 1 bit
    data, mask : in, nbits bits each; bits outside the mask keep their values
    clear : in, 1 bit; has priority over ``write``
    value : out, nbits bits; 0 after reset
    """

    def construct(s, nbits):
        Word = mk_bits(nbits)
        s.write = InPort(1)
        s.data = InPort(Word)
        s.mask = InPort(Word)
        s.clear = InPort(1)
        s.value = OutPort(Word)
        s.value_reg = Wire(Word)
        s.value //= s.value_reg

        @update_ff
        def seq_value():
            if s.reset | s.clear:
                s.value_reg <<= 0
            elif s.write:
                s.value_reg <<= (s.value_reg & ~s.mask) | (s.data & s.mask)


class AccessPort(Component):
    """Tells which register is written, and answers reads.

    Parameters
    ----------
    count : int; number of registers, in consecutive words from address 0

    Ports
    -----
    access : minion; req {type_, addr, data, strb}, resp {type_, error, data}; error for an address
        without a register
    written : out, 1 bit each; the register is written in this cycle
    mask : out, 32 bits; ones in each byte whose strobe is 1
    data : out, 32 bits; data of the write, 0 outside the mask
    values : in, 32 bits each; value that a read of the register returns

    Latency: 1 cycle; an access per cycle while responses are taken. A read sees all earlier writes.
    """

    def construct(s, count):
        s.access = MinionIfcRTL(AccessReqMsg, AccessRespMsg)
        s.written = [OutPort(1) for _ in range(count)]
        s.mask = OutPort(32)
        s.data = OutPort(32)
        s.values = [InPort(32) for _ in range(count)]
        end = count * WORD_NBYTES

        s.accepts = Wire(Bits1)
        s.exists = Wire(Bits1)
        s.writes = Wire(Bits1)
        s.value = Wire(Bits32)
        s.response = Wire(AccessRespMsg)
        s.full_reg = Wire(Bits1)
        s.response_reg = Wire(AccessRespMsg)
        s.access.resp.val //= s.full_reg
        s.access.resp.msg //= s.response_reg

        @update
        def comb_request():
            s.access.req.rdy @= ~s.full_reg | s.access.resp.rdy
            s.accepts @= s.access.req.val & s.access.req.rdy
            s.exists @= (s.access.req.msg.addr[0:2] == 0) & (s.access.req.msg.addr < end)
            s.writes @= s.accepts & s.access.req.msg.type_ & s.exists & (s.access.req.msg.strb != 0)

        @update
        def comb_write():
            s.mask @= 0
            for i in range(WORD_NBYTES):
                if s.access.req.msg.strb[i]:
                    s.mask[8 * i : 8 * i + 8] @= 0xFF
            s.data @= s.access.req.msg.data & s.mask
            for i in range(count):
                s.written[i] @= s.writes & (s.access.req.msg.addr[2:ADDRESS_NBITS] == i)

        @update
        def comb_read():
            s.value @= 0
            for i in range(count):
                if s.access.req.msg.addr[2:ADDRESS_NBITS] == i:
                    s.value @= s.values[i]
            s.response.type_ @= s.access.req.msg.type_
            s.response.error @= ~s.exists
            s.response.data @= 0
            if s.exists & ~s.access.req.msg.type_:
                s.response.data @= s.value

        @update_ff
        def seq_response():
            if s.reset:
                s.full_reg <<= 0
            elif s.accepts:
                s.full_reg <<= 1
            elif s.access.resp.rdy:
                s.full_reg <<= 0
            if s.accepts:
                s.response_reg <<= s.response


class HalvesLength(Component):
    """Adds the lengths of two numbers in bits, without leading zeros, and rounds up to bytes.

    The sum is valid in the cycle after the last word is written.

    Parameters
    ----------
    words : int; words of the longest product
    nbits : int; greatest length of a product in bits
    halves : plan.halves.Halves; layout of the two numbers, which are written one after the other

    Ports
    -----
    write : in, 1 bit; a word is written
    position : in, clog2(words of both numbers + 1) bits; index of the word
    data : in, 32 bits; the word
    nbytes : out, clog2(4 * words + 1) bits; the greatest length of the product in bytes, at most
        the bytes of ``nbits``; 0 after reset
    """

    def construct(s, words, nbits, halves: Halves):
        each = halves.padded_nbits // WORD_NBITS
        both, low = 2 * each, clog2(WORD_NBITS)
        Bytes = mk_bits(clog2(WORD_NBYTES * words + 1))
        Position = mk_bits(clog2(both + 1))
        Length = mk_bits(clog2(halves.joined_nbits + 1))
        s.write = InPort(1)
        s.position = InPort(Position)
        s.data = InPort(WORD_NBITS)
        s.nbytes = OutPort(Bytes)
        s.length_reg = [Wire(Length) for _ in range(2)]

        s.used = Wire(Length)  #: bits of the word, without leading zeros
        s.high = Wire(Bits1)
        s.word = Wire(Position)  #: index of the word in its half
        s.offset = Wire(Length)  #: bits of the lower words of the half
        s.offset[0:low] //= 0
        connect_low(s.offset[low : Length.nbits], s.word)

        @update
        def comb_used():
            s.used @= 0
            for i in range(WORD_NBITS):
                if s.data[i]:
                    s.used @= Length(i) + 1

        @update
        def comb_word():
            s.high @= s.position >= each
            s.word @= s.position
            if s.high:
                s.word @= s.position - Position(each)

        @update_ff
        def seq_length():
            for half in range(2):
                if s.reset:
                    s.length_reg[half] <<= 0
                elif s.write & (s.position != both):
                    if s.position == 0:
                        s.length_reg[half] <<= 0
                    if (s.high == half) & (s.used != 0):
                        s.length_reg[half] <<= s.offset + s.used

        Wide = mk_bits(max(Length.nbits + 1, Bytes.nbits + 4))
        s.sum = Wire(Wide)
        s.rounded = Wire(Wide)

        @update
        def comb_nbytes():
            s.sum @= zext(s.length_reg[0], Wide) + zext(s.length_reg[1], Wide)
            if s.sum > nbits:
                s.sum @= nbits
            s.rounded @= (s.sum + 7) >> 3
            s.nbytes @= trunc(s.rounded, Bytes)


class ByteLength(Component):
    """Counts the bytes of a number without its leading zero bytes, while the words are written.

    Parameters
    ----------
    words : int; words of the number; further words are ignored

    Ports
    -----
    write : in, 1 bit; a word is written
    position : in, clog2(words + 1) bits; index of the word
    data : in, 32 bits; the word
    nbytes : out, clog2(4 * words + 1) bits; length of the number, valid from the cycle after its
        last word is written; 0 after reset
    """

    def construct(s, words):
        Length = mk_bits(clog2(WORD_NBYTES * words + 1))
        Position = mk_bits(clog2(words + 1))
        Wide = mk_bits(Position.nbits + 2)
        s.write = InPort(1)
        s.position = InPort(Position)
        s.data = InPort(WORD_NBITS)
        s.nbytes = OutPort(Length)
        s.nbytes_reg = Wire(Length)
        s.nbytes //= s.nbytes_reg
        s.used = Wire(Wide)  #: bytes of the word, without leading zeros

        @update
        def comb_used():
            s.used @= 0
            if s.data[24:32] != 0:
                s.used @= 4
            elif s.data[16:24] != 0:
                s.used @= 3
            elif s.data[8:16] != 0:
                s.used @= 2
            elif s.data[0:8] != 0:
                s.used @= 1

        s.sum = Wire(Wide)
        s.first = Wire(Wide)
        s.first[0:2] //= 0
        s.first[2 : Wide.nbits] //= s.position

        @update
        def comb_sum():
            s.sum @= s.first + s.used

        @update_ff
        def seq_nbytes():
            if s.reset:
                s.nbytes_reg <<= 0
            elif s.write & (s.position != words):
                if s.used != 0:
                    s.nbytes_reg <<= s.sum[0 : Length.nbits]
                elif s.position == 0:
                    s.nbytes_reg <<= 0


class KeyRegisters(Component):
    """Holds a key for an exponentiator.

    Parameters
    ----------
    nbits, exponent_nbits : int; widths of the base and of the exponents in bits
    constants : tuple of (str, int); names of the constants that the host supplies, and their widths
        in bits
    halves : plan.halves.Halves or None; layout of a modulus that consists of two moduli, the primes
        of a key (CRT); None: the modulus is one number, as wide as the base

    Ports
    -----
    data : in, 32 bits; the written word
    write_modulus, write_public, write_private, write_constants : in, 1 bit each; ``data`` is
        written to the modulus, the public exponent, the private exponent, the constants
    rewind : in, 1 bit; the next word of each register is its first one
    private : in, 1 bit; selects the private exponent
    modulus : out, nbits bits, or the width of two halves
    exponent : out, exponent_nbits bits; the selected exponent
    wide : out, 1 bit; modulus or selected exponent is too wide
    nbytes : out, clog2(4 * words of the base + 1) bits; bytes of a block: the length of the
        modulus, or the greatest length of the product of its halves
    one port per constant, with its name : out, the constant's width in bits
    missing : out, 1 bit; the constants are incomplete or too wide (``ConstantRegisters``); only if
        there are constants
    """

    def construct(s, nbits, exponent_nbits, constants: Widths, halves: Halves | None = None):
        words = words_per_operand(nbits)
        width = modulus_nbits(nbits, halves)
        s.data = InPort(WORD_NBITS)
        s.write_modulus = InPort(1)
        s.write_public = InPort(1)
        s.write_private = InPort(1)
        s.write_constants = InPort(1)
        s.rewind = InPort(1)
        s.private = InPort(1)
        s.modulus = OutPort(width)
        s.exponent = OutPort(exponent_nbits)
        s.wide = OutPort(1)
        s.nbytes = OutPort(clog2(WORD_NBYTES * words + 1))

        s.modulus_words = OperandRegister(width)
        s.public_words = OperandRegister(exponent_nbits)
        s.private_words = OperandRegister(exponent_nbits)
        for operand, write in (
            (s.modulus_words, s.write_modulus),
            (s.public_words, s.write_public),
            (s.private_words, s.write_private),
        ):
            operand.write //= write
            operand.data //= s.data
            operand.rewind //= s.rewind
        s.modulus //= s.modulus_words.value
        s.length = HalvesLength(words, nbits, halves) if halves else ByteLength(words)
        s.length.write //= s.write_modulus
        s.length.position //= s.modulus_words.position
        s.length.data //= s.data
        s.length.nbytes //= s.nbytes

        @update
        def comb_exponent():
            s.exponent @= s.public_words.value
            s.wide @= s.modulus_words.wide | s.public_words.wide
            if s.private:
                s.exponent @= s.private_words.value
                s.wide @= s.modulus_words.wide | s.private_words.wide

        if constants:
            s.missing = OutPort(1)
            s.constants = ConstantRegisters(max(nbits, width), constants)
            s.constants.write //= s.write_constants
            s.constants.data //= s.data
            s.constants.rewind //= s.rewind
            s.constants.modulus_write //= s.write_modulus
            s.constants.missing //= s.missing
            for name, constant_nbits in constants:
                setattr(s, name, OutPort(constant_nbits))
                connect(getattr(s.constants, name), getattr(s, name))


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
