"""Messages as rows of 32-bit words, least significant first, and back."""

from collections.abc import Sequence

import numpy as np

from sim.translate import Field, Message

# Column by column, because a loop over 100,000 small requests in Python takes as long as the
# simulation.


def words(nbits: int) -> int:
    """Return the number of 32-bit words that hold ``nbits``."""
    return -(-nbits // 32)


def pack(message: Message, values: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Pack field values, which must fit, into one row per message."""
    rows = np.zeros((len(values), words(message.width)), np.uint32)
    for field, column in zip(message.fields, zip(*values, strict=True), strict=bool(values)):
        chunks = _to_chunks(field, column)
        for index in range(chunks.shape[1]):
            word, shift = divmod(field.lsb + 32 * index, 32)
            shifted = chunks[:, index].astype(np.uint64) << np.uint64(shift)
            rows[:, word] |= shifted.astype(np.uint32)
            if word + 1 < rows.shape[1]:
                rows[:, word + 1] |= (shifted >> np.uint64(32)).astype(np.uint32)
    return rows


def unpack(message: Message, rows: np.ndarray) -> list[tuple[int, ...]]:
    """Take field values out of one row per message."""
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
    return list(zip(*columns, strict=True))


def _to_chunks(field: Field, column: Sequence[int]) -> np.ndarray:
    count = words(field.width)
    if count == 1:
        return np.array(column, np.uint32).reshape(-1, 1)
    data = b"".join([value.to_bytes(4 * count, "little") for value in column])
    return np.frombuffer(data, np.uint32).reshape(-1, count)


def _from_chunks(chunks: np.ndarray) -> list[int]:
    size = 4 * chunks.shape[1]
    if size == 4:
        return chunks[:, 0].tolist()
    data = chunks.tobytes()
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
