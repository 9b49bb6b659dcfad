"""Records shared by Python and C++: another layout than the compiled library's is refused."""

import ctypes

import numpy as np
import pytest

from rsaxcel.sim.native.compiled import stream_driver
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.native.protocol import CallControl, ModelSetup, StreamBatch
from rsaxcel.sim.native.records import ForeignRecord, check_layout, records_source
from rsaxcel.sim.native.toolchain import ToolError
from tests.sim.cases import CASES

FIELDS = StreamBatch._fields_


@pytest.fixture(scope="module")
def library(gcd):
    return NativeEngine(gcd).library(None)


def altered(fields) -> type[ForeignRecord]:
    """Make a record of the same name with other fields."""
    return type("StreamBatch", (ForeignRecord,), {"_fields_": tuple(fields)})


def test_the_library_has_the_records_of_python(library):
    check_layout(library, [CallControl, ModelSetup, StreamBatch, altered(FIELDS)])


@pytest.mark.parametrize("first", range(len(FIELDS) - 1))
def test_fields_in_another_order_are_refused(library, first):
    """Swapped neighbours often have one type, so that only their names differ."""
    fields = list(FIELDS)
    fields[first : first + 2] = fields[first + 1], fields[first]
    with pytest.raises(ToolError, match=rf"StreamBatch\.{fields[first][0]} has another layout"):
        check_layout(library, [CallControl, altered(fields)])


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        (FIELDS[:-1], "error"),
        ((*FIELDS, ("more", ctypes.c_uint64)), "more"),
        ((*FIELDS[:-1], ("error", ctypes.c_char * 255)), "error"),
        ((("requests", ctypes.c_uint32), *FIELDS[1:]), "requests"),
    ],
    ids=["one less", "one more", "shorter", "narrower"],
)
def test_other_fields_are_refused(library, fields, name):
    with pytest.raises(ToolError, match=rf"library\.so: StreamBatch\.{name} has another layout"):
        check_layout(library, [altered(fields)])


def test_a_record_that_the_library_does_not_have_is_refused(library):
    other = type("Other", (ForeignRecord,), {"_fields_": (("x", ctypes.c_uint64),)})
    with pytest.raises(ToolError, match=r"Other\.x has another layout"):
        check_layout(library, [other])


def test_an_engine_refuses_a_library_with_fields_in_another_order(gcd, monkeypatch):
    def reordered(module, trace=None):
        lines = "    uint64_t lanes;\n", "    uint64_t count;\n"
        text = stream_driver(module, trace)
        assert "".join(lines) in text
        return text.replace("".join(lines), "".join(lines[::-1]))

    monkeypatch.setattr(NativeEngine, "driver", staticmethod(reordered))
    engine = NativeEngine(gcd)
    with pytest.raises(ToolError, match=r"StreamBatch\.lanes has another layout .* remove") as e:
        engine.run(CASES["gcd"].requests(5))
    assert "\n" not in str(e.value)


def test_records_take_arrays_of_their_type_alone():
    for wrong in (np.zeros(4, np.int32), np.zeros(4, np.uint64), np.zeros(8, np.uint32)[::2]):
        with pytest.raises(TypeError, match=r"StreamBatch\.requests: .* array, expected uint32"):
            StreamBatch(requests=wrong)
    with pytest.raises(TypeError, match="StreamBatch has no field cycle"):
        StreamBatch(cycle=5)


def test_arrays_live_as_long_as_their_record():
    batch = StreamBatch(requests=np.arange(1000, dtype=np.uint32) * 3, count=1000)
    np.zeros(1000, np.uint32)
    assert [batch.requests[i] for i in (0, 1, 999)] == [0, 3, 2997]


def test_declarations_of_every_kind():
    inner = type("Inner", (ForeignRecord,), {"_fields_": (("a", ctypes.c_int64),)})
    call = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint32)
    fields = (
        ("inner", inner),
        ("inners", ctypes.POINTER(inner)),
        ("call", call),
        ("path", ctypes.c_char_p),
        ("table", ctypes.c_uint8 * 6),
    )
    outer = type("Outer", (ForeignRecord,), {"_fields_": fields})
    source = records_source([inner, outer])
    for line in (
        "Inner inner;",
        "Inner *inners;",
        "void (*call)(uint64_t, uint32_t);",
        "const char* path;",
        "uint8_t table[6];",
    ):
        assert f"    {line}\n" in source
