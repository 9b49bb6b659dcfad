"""Message types of the stream interfaces, shared by all levels."""

from functools import cache

from pymtl3 import mk_bits, mk_bitstruct

from fl.status import STATUS_NBITS

_FLAG_NBITS = {"status": STATUS_NBITS, "wide": 1}


@cache
def message(name: str, fields: tuple[tuple[str, int], ...]) -> type:
    """Bitstruct ``name`` with (field, width in bits) pairs, the first field most significant."""
    return mk_bitstruct(name, {field: mk_bits(nbits) for field, nbits in fields})


def product_request(nbits: int) -> type:
    """Request of a modular multiplier: operands a and b, modulus m."""
    return message(f"ProductReq{nbits}", (("a", nbits), ("b", nbits), ("m", nbits)))


def product_response(nbits: int) -> type:
    """Response of a modular multiplier: result r."""
    return message(f"ProductResp{nbits}", (("r", nbits),))


def value_message(prefix: str, names: tuple[str, ...], nbits: int) -> type:
    """Message between step machines: status or flags, and values of ``nbits`` bits."""
    fields = tuple((name, _FLAG_NBITS.get(name, nbits)) for name in names)
    return message(f"{prefix}{''.join(n.title() for n in names)}{nbits}", fields)


def power_request(nbits: int) -> type:
    """Request of an exponentiator: base b, exponent e, modulus m, and ``wide``.

    ``wide`` is 1 where an operand has bits beyond ``nbits``, which the ports can't carry: whoever
    assembles the operands (an adapter, an engine) sets it, and the hardware answers with a status.
    """
    return value_message("PowerReq", ("b", "e", "m", "wide"), nbits)


def power_response(nbits: int) -> type:
    """Response of an exponentiator: result r (0 unless ok) and status."""
    return value_message("PowerResp", ("r", "status"), nbits)
