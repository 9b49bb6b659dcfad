"""Records that Python and C++ share, declared as ctypes structures; the C++ is generated.

A compiled library exports the offset and size of each field, which :func:`check_layout` compares: a
misplaced field would silently give wrong data.
"""

import ctypes
from collections.abc import Iterable
from enum import IntEnum
from itertools import zip_longest
from typing import Any

import numpy as np

from rsaxcel.sim.native.toolchain import ToolError
from rsaxcel.store.foreign import ForeignLibrary

_SCALARS = {
    ctypes.c_char: "char",
    ctypes.c_uint8: "uint8_t",
    ctypes.c_int32: "int32_t",
    ctypes.c_uint32: "uint32_t",
    ctypes.c_int64: "int64_t",
    ctypes.c_uint64: "uint64_t",
    ctypes.c_float: "float",
    ctypes.c_double: "double",
    ctypes.c_char_p: "const char*",
}

_TABLE = """
struct FieldLayout {
    const char *record, *field;
    uint64_t offset, size;
};

// Offset and size of each field in this library.
extern "C" __attribute__((visibility("default"))) const FieldLayout* record_layout() {
    static const FieldLayout layout[] = {
%s        {},
    };
    return layout;
}
"""


class ForeignRecord(ctypes.Structure):
    """Base class of the records; fields without a value are zero.

    The value of a pointer is a contiguous array of its type, or a list of records, which is copied;
    the record keeps the array alive.
    """

    def __init__(self, **values: Any) -> None:
        kinds = dict(field_types(type(self)))
        if unknown := values.keys() - kinds:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(sorted(unknown))}")
        #: Arrays that the pointers point to, by field.
        self.arrays = {n: value for n, value in values.items() if isinstance(value, np.ndarray)}
        self._lists = {n: value for n, value in values.items() if isinstance(value, list)}
        label = type(self).__name__
        pointers = {n: _pointer(f"{label}.{n}", kinds[n], a) for n, a in self.arrays.items()}
        copies = {n: (kinds[n]._type_ * len(list_))(*list_) for n, list_ in self._lists.items()}
        super().__init__(**(values | pointers | copies))


def _pointer(name: str, kind: Any, array: np.ndarray) -> Any:
    pointed = np.dtype(kind._type_)
    if array.dtype != pointed or not array.flags.c_contiguous:
        raise TypeError(f"{name}: {array.dtype} array, expected {pointed} without gaps")
    return array.ctypes.data_as(kind)


def field_types(record: type[ctypes.Structure]) -> list[tuple[str, Any]]:
    return [(name, kind) for name, kind, *_ in record._fields_]


def records_source(
    records: Iterable[type[ForeignRecord]], enums: Iterable[type[IntEnum]] = ()
) -> str:
    """Generate the C++ of records, enumerations and ``record_layout``; parts come before wholes."""
    records = list(records)
    parts = [
        f"enum {enum.__name__} : int32_t {{ {', '.join(f'{e.name} = {e.value}' for e in enum)} }};"
        for enum in enums
    ]
    rows = []
    for record in records:
        name, fields = record.__name__, field_types(record)
        lines = [f"    {_declaration(kind, field)};" for field, kind in fields]
        parts.append("\n".join((f"struct {name} {{", *lines, "};")))
        for field, _ in fields:
            place = f"offsetof({name}, {field}), sizeof({name}::{field})"
            rows.append(f'        {{"{name}", "{field}", {place}}},\n')
    return "\n\n".join(parts) + "\n" + _TABLE % "".join(rows)


def _declaration(kind: Any, name: str) -> str:
    """C++ declaration of a variable of a ctypes type."""
    if kind in _SCALARS:
        return f"{_SCALARS[kind]} {name}"
    if issubclass(kind, ForeignRecord):
        return f"{kind.__name__} {name}"
    if issubclass(kind, ctypes.Array):
        return _declaration(kind._type_, f"{name}[{kind._length_}]")
    if issubclass(kind, ctypes._Pointer):
        return _declaration(kind._type_, f"*{name}")
    arguments = ", ".join(_declaration(argument, "").rstrip() for argument in kind._argtypes_)
    return f"void (*{name})({arguments})"


class _FieldLayout(ctypes.Structure):
    """Offset and size of one field in a compiled library, as the C++ in ``_TABLE`` lists them."""

    _fields_ = (
        ("record", ctypes.c_char_p),
        ("field", ctypes.c_char_p),
        ("offset", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
    )


def check_layout(library: ForeignLibrary, records: Iterable[type[ctypes.Structure]]) -> None:
    """Compare the layout of records in Python and in a compiled library.

    ``ToolError`` if it differs.
    """
    table = library.declare("record_layout", ctypes.POINTER(_FieldLayout))()
    found: list[tuple[str, str, int, int]] = []
    while (row := table[len(found)]).record:
        found.append((row.record.decode(), row.field.decode(), row.offset, row.size))
    for record in records:
        name = record.__name__
        theirs = [place for place in found if place[0] == name]
        for (field, _), place in zip_longest(field_types(record), theirs, fillvalue=("", None)):
            here = getattr(record, field) if field else None
            if here is None or place != (name, field, here.offset, here.size):
                raise ToolError(
                    f"{library._name}: {name}.{field or place[1]} has another layout in "
                    "Python; remove the library to compile it again"
                )
