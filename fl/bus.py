"""The accelerator on a bus as the bus master sees it: golden model of the register map.

``BusUnit`` answers the messages of register accesses by the model.
"""

from collections.abc import Callable, Iterable
from typing import Any

from pymtl3 import Bits1, Component, OutPort, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL, RecvIfcRTL

from rsaxcel.fl.messages import message
from rsaxcel.fl.pkcs1 import OVERHEAD_NBYTES, UNPADDED_NBYTES, BlockType, nonzero, pad, unpad
from rsaxcel.fl.register_map import (
    ADDRESS_NBITS,
    BLOCKED,
    BUSY,
    CLEAR,
    CONSTANT_WORDS,
    CONSTANTS,
    CONTROL,
    DECRYPT,
    DESIGN_ID,
    DONE,
    DROPPED,
    ENABLE,
    EXPONENT_NBITS,
    IDENTIFICATION,
    INPUT_FIFO,
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    INTERRUPTS,
    INTERRUPTS_NBITS,
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
    REWIND,
    SIGNATURE,
    START,
    STATUS,
    STATUS_CODE,
    UNPADDED,
    WIDTHS,
    WORD_NBITS,
    WORD_NBYTES,
    WRITE_ADDRESS,
    is_there,
)
from rsaxcel.fl.status import InputRuleError, Status
from rsaxcel.fl.word_serial import OperandFile, words_per_operand

MAX_INTERRUPTS = (1 << INTERRUPTS_NBITS) - 1
ALL_BYTES = (1 << WORD_NBYTES) - 1

_BLOCKED = {register.offset for register in BLOCKED}


class BusRegisters:
    """Golden model of the registers of one accelerator on a bus, without timing.

    After a start, the accelerator is busy until a call of ``finish`` ends the operation.
    """

    def __init__(self, configuration: Any):
        self._configuration = configuration
        self._nbytes = WORD_NBYTES * words_per_operand(configuration.nbits)
        self._held = dict.fromkeys(
            (r.offset for r in (INPUT_LENGTH, READ_ADDRESS, INPUT_FIFO, MODE, INTERRUPT_ENABLE)), 0
        )
        self._decrypt = self._dropped = False
        self._interrupts = 0
        self._wipe()

    def _wipe(self) -> None:
        """Clear key, constants, message and output."""
        configuration = self._configuration
        widths = {
            MODULUS.offset: configuration.modulus_nbits,
            PUBLIC_EXPONENT.offset: configuration.exponent_nbits,
            PRIVATE_EXPONENT.offset: configuration.exponent_nbits,
        }
        self._key = OperandFile(configuration, widths, MODULUS.offset, CONSTANTS.offset)
        self._buffer = bytearray(self._nbytes)
        self._held[INPUT_LENGTH.offset] = self._held[INPUT_FIFO.offset] = 0
        self._busy = self._done = self._clears = False
        self._entropy = bytearray()
        self._end(Status.OK)

    def write(self, address: int, data: int, strobes: int = ALL_BYTES) -> bool:
        """Write the bytes of a 32-bit word that have a strobe; return whether the access fails.

        Other bytes keep their values in STATUS.DECRYPT and ``_held`` registers, such as MODE;
        elsewhere they are zero.
        """
        if not is_there(address):
            return True
        if not strobes:
            return False
        mask = sum(0xFF << 8 * i for i in range(WORD_NBYTES) if strobes >> i & 1)
        data &= mask
        if address in _BLOCKED and self._busy:
            self._dropped = True
        elif address in self._held:
            self._held[address] = self._held[address] & ~mask | data
        elif address in self._key:
            self._key.write(address, data)
        elif address == WRITE_ADDRESS.offset:
            self._store(data)
        elif address == STATUS.offset:
            self._write_status(data, mask)
        elif address == CONTROL.offset:
            self._control(data)
        elif address == INTERRUPTS.offset:
            self._interrupts = max(0, self._interrupts - data)
        return False

    def read(self, address: int) -> tuple[int, bool]:
        """Read 32 bits; return these, and whether the access fails."""
        if not is_there(address):
            return 0, True
        configuration = self._configuration
        flags = {
            DECRYPT: self._decrypt,
            BUSY: self._busy,
            LENGTH_ERROR: self._length > self._most,
            DONE: self._done,
            DROPPED: self._dropped,
        }
        values = {
            STATUS.offset: sum(value << field.lsb for field, value in flags.items()),
            INPUT_LENGTH.offset: min(self._length, self._most),
            OUTPUT_LENGTH.offset: self._output_nbytes,
            OUTPUT_FIFO.offset: self._output_word(),
            IDENTIFICATION.offset: MAGIC << 16 | configuration.design_id << DESIGN_ID.lsb,
            WIDTHS.offset: configuration.nbits << NBITS.lsb
            | configuration.exponent_nbits << EXPONENT_NBITS.lsb,
            CONSTANT_WORDS.offset: self._key.constants.count,
            MODE.offset: self._held[MODE.offset] & (1 << UNPADDED.lsb | 1 << SIGNATURE.lsb),
            STATUS_CODE.offset: int(self._status),
            INTERRUPT_ENABLE.offset: ENABLE.of(self._held[INTERRUPT_ENABLE.offset]),
            INTERRUPTS.offset: self._interrupts,
        }
        return values.get(address, 0), False

    @property
    def interrupt(self) -> bool:
        return bool(self._interrupts and ENABLE.of(self._held[INTERRUPT_ENABLE.offset]))

    @property
    def busy(self) -> bool:
        return self._busy

    @property
    def wants_entropy(self) -> bool:
        """Whether the padding waits for a random byte."""
        return self._busy and not self._clears and len(self._entropy) < self._entropy_nbytes

    def feed(self, byte: int) -> None:
        """Supply a random byte for the padding; a zero is skipped."""
        self._entropy.extend(nonzero((byte,)))

    def finish(self, entropy: Iterable[int] = ()) -> None:
        """End the operation or clearing, if the padding has its random bytes from ``entropy``."""
        source = iter(entropy)
        while self.wants_entropy:
            byte = next(source, None)
            if byte is None:
                return
            self.feed(byte)
        if not self._busy:
            return
        if self._clears:
            self._wipe()
        else:
            self._operate()
            self._busy, self._done = False, True
        self._interrupts = min(self._interrupts + 1, MAX_INTERRUPTS)

    @property
    def _length(self) -> int:
        """Bytes of the message, as written to INPUT_LENGTH."""
        return self._held[INPUT_LENGTH.offset]

    @property
    def _block_nbytes(self) -> int:
        """Length of a block in bytes, which is the length of the modulus."""
        words = words_per_operand(self._configuration.modulus_nbits)
        kept = self._key[MODULUS.offset] % (1 << WORD_NBITS * words)
        return int(self._configuration.block_nbytes(kept))

    @property
    def _padded(self) -> bool:
        """Whether blocks have a padding."""
        return not UNPADDED.of(self._held[MODE.offset]) and self._block_nbytes > UNPADDED_NBYTES

    @property
    def _block_type(self) -> BlockType:
        """Block type of the padding."""
        signature = SIGNATURE.of(self._held[MODE.offset])
        return BlockType.SIGNATURE if signature else BlockType.ENCRYPTION

    @property
    def _removes(self) -> bool:
        """Whether a padding is removed after the exponentiation: in decryption and verification."""
        return self._padded and self._decrypt == (self._block_type is BlockType.ENCRYPTION)

    @property
    def _most(self) -> int:
        """Length of the longest allowed message in bytes."""
        overhead = OVERHEAD_NBYTES if self._padded and not self._removes else 0
        return max(0, self._block_nbytes - overhead)

    @property
    def _refusal(self) -> Status:
        """Status with which an operation is refused before it begins; OK if nothing forbids it."""
        if self._padded and self._block_nbytes < OVERHEAD_NBYTES:
            return Status.KEY_TOO_SHORT
        if self._length > self._most:
            return Status.MESSAGE_TOO_LONG
        if self._removes and self._length != self._block_nbytes:
            return Status.LENGTH_WRONG
        return Status.OK

    @property
    def _entropy_nbytes(self) -> int:
        """Number of random bytes that the padding needs."""
        if not self._padded or self._removes or self._refusal is not Status.OK:
            return 0
        if self._block_type is BlockType.SIGNATURE:
            return 0
        return self._block_nbytes - self._length - 3

    def _store(self, index: int) -> None:
        """Store the word of INPUT_FIFO at an index in the buffer."""
        if index * WORD_NBYTES < self._nbytes:
            word = self._held[INPUT_FIFO.offset].to_bytes(WORD_NBYTES, "little")
            self._buffer[index * WORD_NBYTES : (index + 1) * WORD_NBYTES] = word
        else:
            self._dropped = True

    def _write_status(self, data: int, mask: int) -> None:
        if DROPPED.of(data):
            self._dropped = False
        if self._busy:
            self._dropped = self._dropped or bool(START.of(data))
        else:
            if DECRYPT.of(mask):
                self._decrypt = bool(DECRYPT.of(data))
            if START.of(data):
                self._key.rewind()
                self._end(Status.OK)
                self._busy, self._done = True, False
                self._entropy.clear()

    def _control(self, data: int) -> None:
        if CLEAR.of(data):
            self._busy = self._clears = True
            self._done = False
            self._end(Status.OK)
        elif REWIND.of(data) and self._busy:
            self._dropped = True
        elif REWIND.of(data):
            self._key.rewind()

    def _end(self, status: Status, output: int = 0, nbytes: int = 0) -> None:
        self._status, self._output, self._output_nbytes = status, output, nbytes

    def _output_word(self) -> int:
        shift = WORD_NBITS * self._held[READ_ADDRESS.offset]
        return self._output >> shift & (1 << WORD_NBITS) - 1 if shift < 8 * self._nbytes else 0

    def _operate(self) -> None:
        """Add the padding, exponentiate, remove the padding, as MODE and STATUS.DECRYPT decide."""
        if self._refusal is not Status.OK:
            self._end(self._refusal)
            return
        length, nbytes = self._length, self._block_nbytes
        message = bytes(self._buffer[:length][::-1])  # the first byte is the most significant one
        if self._padded and not self._removes:
            message = pad(message, nbytes, self._block_type, self._entropy)
        self._buffer[:] = message[::-1].ljust(self._nbytes, b"\0")
        base = int.from_bytes(message, "big")
        exponent = self._key[(PRIVATE_EXPONENT if self._decrypt else PUBLIC_EXPONENT).offset]
        modulus, constants = self._key[MODULUS.offset], self._key.constants
        result, status = self._configuration.outcome(
            base, exponent, modulus, constants.values, constants.missing
        )
        if status != Status.OK:
            self._end(status)
        elif self._removes:
            self._remove(result.to_bytes(nbytes, "big"))
        else:
            self._end(Status.OK, result, nbytes)

    def _remove(self, block: bytes) -> None:
        try:
            message = unpad(block, self._block_type)
        except InputRuleError as error:
            self._end(error.status)
        else:
            self._end(Status.OK, int.from_bytes(message, "big"), len(message))


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
