"""Packs messages into rows of 32-bit words, least significant first, and unpacks them.

A field's values are a column: an array up to 64 bits, else a list. With arrays, no Python loop runs
over millions of small requests, which would take longer than their simulation.
"""

from collections.abc import Sequence

import numpy as np

from rsaxcel.sim.batch import Column
from rsaxcel.sim.translate import Message, MessageField

_ARRAY_NBITS = 64


def words(nbits: int) -> int:
    return -(-nbits // 32)


def port_words(message: Message) -> int:
    """Return the number of words of all digits of a message, each digit in words of its own."""
    return message.digits * words(message.port_nbits)


def pack(message: Message, columns: Sequence[Column]) -> np.ndarray:
    """Pack a column per field into a row per message; each digit of a message has its own words."""
    rows = _pack_whole(message, columns)
    return rows if message.digits == 1 else _split(message, rows)


def unpack(message: Message, rows: np.ndarray) -> list[Column]:
    """Unpack rows into one column per field: an array for a field of up to 64 bits, else a list."""
    if message.digits > 1:
        rows = _join(message, rows)
    return _unpack_whole(message, rows)


def _split(message: Message, rows: np.ndarray) -> np.ndarray:
    """Split rows of whole messages into digits."""
    digits, nbits = message.digits, message.port_nbits
    bits = _bits(rows)[:, : message.width].reshape(len(rows), digits, nbits)
    padded = np.zeros((len(rows), digits, 32 * words(nbits)), np.uint8)
    padded[:, :, :nbits] = bits
    return _words(padded.reshape(len(rows), digits * 32 * words(nbits)))


def _join(message: Message, rows: np.ndarray) -> np.ndarray:
    """Join digits to rows of whole messages."""
    digits, nbits = message.digits, message.port_nbits
    bits = _bits(rows).reshape(len(rows), digits, 32 * words(nbits))[:, :, :nbits]
    padded = np.zeros((len(rows), 32 * words(message.width)), np.uint8)
    padded[:, : message.width] = bits.reshape(len(rows), message.width)
    return _words(padded)


def _bits(rows: np.ndarray) -> np.ndarray:
    return np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little")


def _words(bits: np.ndarray) -> np.ndarray:
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint32)


def _pack_whole(message: Message, columns: Sequence[Column]) -> np.ndarray:
    rows = np.zeros((len(columns[0]), words(message.width)), np.uint32)
    for field, column in zip(message.fields, columns, strict=True):
        chunks = _to_chunks(field, column)
        for index in range(chunks.shape[1]):
            word, shift = divmod(field.lsb + 32 * index, 32)
            shifted = chunks[:, index].astype(np.uint64) << np.uint64(shift)
            rows[:, word] |= shifted.astype(np.uint32)
            if word + 1 < rows.shape[1]:
                rows[:, word + 1] |= (shifted >> np.uint64(32)).astype(np.uint32)
    return rows


def _unpack_whole(message: Message, rows: np.ndarray) -> list[Column]:
    columns = []
    for field in message.fields:
        chunks = np.empty((len(rows), words(field.width)), np.uint32)
        for index in range(chunks.shape[1]):
            word, shift = divmod(field.lsb + 32 * index, 32)
            both = rows[:, word].astype(np.uint64)
            if word + 1 < rows.shape[1]:
                both |= rows[:, word + 1].astype(np.uint64) << np.uint64(32)
            chunks[:, index] = (both >> np.uint64(shift)).astype(np.uint32)
        if field.width % 32:
            chunks[:, -1] &= np.uint32((1 << field.width % 32) - 1)
        columns.append(_from_chunks(chunks))
    return columns


def _to_chunks(field: MessageField, column: Column) -> np.ndarray:
    count = words(field.width)
    if count == 1:
        return np.asarray(column, np.uint32).reshape(-1, 1)
    if isinstance(column, np.ndarray) and field.width <= _ARRAY_NBITS:
        return column.astype("<u8").view(np.uint32).reshape(-1, count)
    data = b"".join([int(value).to_bytes(4 * count, "little") for value in column])
    return np.frombuffer(data, np.uint32).reshape(-1, count)


def _from_chunks(chunks: np.ndarray) -> Column:
    count = chunks.shape[1]
    if count == 1:
        return chunks[:, 0]
    if 32 * count <= _ARRAY_NBITS:
        return chunks.view("<u8")[:, 0]
    size, data = 4 * count, chunks.tobytes()
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
