"""Message types of the stream interfaces, shared by all levels."""

from functools import cache

from pymtl3 import mk_bits, mk_bitstruct

from rsaxcel.fl.status import STATUS_NBITS
from rsaxcel.plan.modulus_constants import ModulusConstant, Widths

_FLAG_NBITS = {"status": STATUS_NBITS, "wide": 1, "missing": 1}


@cache
def message(name: str, fields: tuple[tuple[str, int], ...]) -> type:
    return mk_bitstruct(name, {field: mk_bits(nbits) for field, nbits in fields})


def product_request(nbits: int, widths: Widths = ()) -> type:
    """Type of a multiplier's request: a, b, m, constants; ``widths`` of fields not as wide as m."""
    names = ("a", "b", "m", *(name for name, _ in widths if name not in ("a", "b")))
    return value_message("ProductReq", names, nbits, widths)


def product_response(nbits: int) -> type:
    """Type of the response of a modular multiplier: result r."""
    return message(f"ProductResp{nbits}", (("r", nbits),))


def constant_product_messages(nbits: int, modulus: str) -> tuple[type, type, int]:
    """Request, response and operand width of a multiplier for one modulus (hexadecimal).

    The circuit does not read the request's field for a modulus.
    """
    width = (int(modulus, 16) - 1).bit_length()
    request = product_request(nbits, (("a", width), ("b", width)))
    return request, product_response(width), width


def value_message(prefix: str, names: tuple[str, ...], nbits: int, widths: Widths = ()) -> type:
    """Make a message type whose fields are values of ``nbits`` bits, and a status or flags.

    ``widths`` has the widths of fields with another one; names that are not in ``names`` are
    ignored.
    """
    differing = {n: width for n, width in widths if n in names and width != nbits}
    width_of = _FLAG_NBITS | differing
    fields = tuple((name, width_of.get(name, nbits)) for name in names)
    title = "".join(name.title().replace("_", "") for name in names)
    suffixes = map(str, differing.values())
    return message("_".join([f"{prefix}{title}{nbits}", *suffixes]), fields)


def constant_request(nbits: int) -> type:
    return value_message("ConstantReq", ("m",), nbits)


def constant_response(constant: ModulusConstant) -> type:
    return value_message("ConstantResp", ("value",), constant.nbits)


def power_request(
    nbits: int, constants: Widths, exponent_nbits: int, modulus_nbits: int = 0
) -> type:
    """Type of an exponentiator's request: b, e, m (base, exponent, modulus), constants, flags.

    `wide`: an operand has more bits than its field. `missing` (only with constants): the constants
    do not belong to this modulus. An adapter or engine sets these flags; the answer is a status.
    """
    names = tuple(name for name, _ in constants)
    flags = ("wide", "missing") if constants else ("wide",)
    widths = (*constants, ("e", exponent_nbits), ("m", modulus_nbits or nbits))
    return value_message("PowerReq", ("b", "e", "m", *names, *flags), nbits, widths)


def power_response(nbits: int) -> type:
    """Type of the response of an exponentiator: result r (0 unless the status is ok) and status."""
    return value_message("PowerResp", ("r", "status"), nbits)
