"""PyMTL3's ``Bits`` at the widths of RSA: up to 65,535 bits instead of 1023.

PyMTL3 refuses widths beyond two lists of extreme values; nothing else depends on that limit.
"""

from collections.abc import Callable
from typing import Any

from pymtl3.datatypes import PythonBits, bits_import

from rsaxcel.store.errors import SetupError

PYMTL3_LIMIT = 1024
LIMIT = 1 << 16  #: least refused width, because of a limit of Verilator

INSTALL = "install the pinned one, as `rsaxcel doctor` says"


class UnsupportedPymtl3Error(SetupError, ImportError):
    """Raised if PyMTL3 is not built as expected; the message is one line."""


class _Bounds(dict):
    """Mapping from a width to its largest (or smallest) value, computed at the first look-up.

    The values of all widths together would fill 500 MB.
    """

    def __init__(self, bound: Callable[[int], int]) -> None:
        super().__init__()
        self._bound = bound

    def __missing__(self, nbits: int) -> int:
        value = self[nbits] = self._bound(nbits)
        return value


def _largest(nbits: int) -> int:
    return (1 << nbits) - 1


def _smallest(nbits: int) -> int:
    return -(1 << (nbits - 1))


def lift(module: Any = PythonBits, used: type = bits_import.Bits) -> None:
    """Let ``Bits`` be up to ``LIMIT - 1`` bits wide in this process; further calls do nothing.

    ``fl``, ``rtl`` and ``sim`` call this when imported; all code with wide components imports one
    of them. ``UnsupportedPymtl3Error`` for another PyMTL3.
    """
    if isinstance(getattr(module, "_upper", None), _Bounds):
        return
    if used is not getattr(module, "Bits", None):
        raise UnsupportedPymtl3Error(
            f"PyMTL3 takes Bits from {used.__module__}, which can't be made wider than "
            f"{PYMTL3_LIMIT - 1} bits; uninstall it, or set PYMTL_BITS=1"
        )
    for name, bound in (("_upper", _largest), ("_lower", _smallest)):
        table = getattr(module, name, None)
        if not isinstance(table, list) or table[2:] != [
            bound(nbits) for nbits in range(2, PYMTL3_LIMIT)
        ]:
            raise UnsupportedPymtl3Error(f"PyMTL3's table of bounds, {name}, changed; {INSTALL}")
    code = used.__init__.__code__
    # The compiled ``Bits.__init__`` has the limit twice: as a number, and in an error message.
    limits = [index for index, constant in enumerate(code.co_consts) if _is_limit(constant)]
    texts = [index for index, constant in enumerate(code.co_consts) if _names_limit(constant)]
    if len(limits) != 1 or len(texts) != 1:
        raise UnsupportedPymtl3Error(
            f"PyMTL3's Bits.__init__ has {len(limits)} limits of {PYMTL3_LIMIT} bits and names "
            f"{len(texts)}, not one each; {INSTALL}"
        )
    constants = list(code.co_consts)
    constants[limits[0]] = LIMIT
    constants[texts[0]] = constants[texts[0]].replace(str(PYMTL3_LIMIT), str(LIMIT))
    used.__init__.__code__ = code.replace(co_consts=tuple(constants))
    module._upper, module._lower = _Bounds(_largest), _Bounds(_smallest)


def _is_limit(constant: Any) -> bool:
    return type(constant) is int and constant == PYMTL3_LIMIT


def _names_limit(constant: Any) -> bool:
    return isinstance(constant, str) and str(PYMTL3_LIMIT) in constant
