"""Message types of the stream interfaces, shared by all levels."""

from functools import cache

from pymtl3 import mk_bits, mk_bitstruct

from rsaxcel.fl.status import STATUS_NBITS
from rsaxcel.plan.modulus_constants import ModulusConstant, Widths

_FLAG_NBITS = {"status": STATUS_NBITS, "wide": 1, "missing": 1}


@cache
def message(name: str, fields: tuple[tuple[str, int], ...]) -> type:
    """Make the bitstruct type ``name`` from pairs of field and width, most significant first."""
    return mk_bitstruct(name, {field: mk_bits(nbits) for field, nbits in fields})


def product_request(nbits: int, widths: Widths = ()) -> type:
    """Type of the request of a modular multiplier: operands a and b, modulus m and its constants.

    ``widths`` gives the widths of the constants, and of ``a`` and ``b`` if they are wider than m.
    """
    names = ("a", "b", "m", *(name for name, _ in widths if name not in ("a", "b")))
    return value_message("ProductReq", names, nbits, widths)


def product_response(nbits: int) -> type:
    """Type of the response of a modular multiplier: result r."""
    return message(f"ProductResp{nbits}", (("r", nbits),))


def constant_product_messages(nbits: int, modulus: str) -> tuple[type, type, int]:
    """Request type, response type and operand width of a multiplier for one constant modulus.

    ``modulus`` is hexadecimal text. The request has a field of ``nbits`` bits for a modulus, as
    every product request does; the circuit does not read this field. The width is in bits.
    """
    width = (int(modulus, 16) - 1).bit_length()
    request = product_request(nbits, (("a", width), ("b", width)))
    return request, product_response(width), width


def value_message(prefix: str, names: tuple[str, ...], nbits: int, widths: Widths = ()) -> type:
    """Make a message type whose fields are values of ``nbits`` bits, and a status or flags.

    ``widths`` gives the widths of fields that do not have ``nbits`` bits. Names in ``widths`` that
    are not in ``names`` are ignored.
    """
    differing = {n: width for n, width in widths if n in names and width != nbits}
    width_of = _FLAG_NBITS | differing
    fields = tuple((name, width_of.get(name, nbits)) for name in names)
    title = "".join(name.title().replace("_", "") for name in names)
    suffixes = map(str, differing.values())
    return message("_".join([f"{prefix}{title}{nbits}", *suffixes]), fields)


def constant_request(nbits: int) -> type:
    """Type of the request of a unit that computes a constant of the modulus: modulus m."""
    return value_message("ConstantReq", ("m",), nbits)


def constant_response(constant: ModulusConstant) -> type:
    """Type of the response of a unit that computes a constant of the modulus: its value."""
    return value_message("ConstantResp", ("value",), constant.nbits)


def power_request(
    nbits: int, constants: Widths, exponent_nbits: int, modulus_nbits: int = 0
) -> type:
    """Type of the request of an exponentiator: b, e, m (base, exponent, modulus), constants, flags.

    The flag ``wide`` is 1 if an operand has more bits than its field. Requests with constants also
    have the flag ``missing``, which is 1 if the constants do not belong to this modulus. The sender
    (an adapter or an engine) sets the flags, and the exponentiator answers with a status.
    """
    names = tuple(name for name, _ in constants)
    flags = ("wide", "missing") if constants else ("wide",)
    widths = (*constants, ("e", exponent_nbits), ("m", modulus_nbits or nbits))
    return value_message("PowerReq", ("b", "e", "m", *names, *flags), nbits, widths)


def power_response(nbits: int) -> type:
    """Type of the response of an exponentiator: result r (0 unless the status is ok) and status."""
    return value_message("PowerResp", ("r", "status"), nbits)
