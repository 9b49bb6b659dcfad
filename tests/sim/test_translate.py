"""Translated Verilog is complete, legal for both tools, and means the same in both."""

import inspect
import re
import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from pymtl3 import Component, InPort, OutPort, mk_bits, mk_bitstruct, update
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.sim.native.build import BuildOptions
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.translate import MessageField, TranslationError, translate, translate_cached
from tests.shared.yosys import through_yosys
from tests.sim.cases import CASES
from tests.sim.components import Constants, Gcd, Inverter, TableLookup


@pytest.mark.quick_cases("kitchen_sink-", "table_lookup---keep-hierarchy")
@pytest.mark.parametrize("hierarchy", ["", "--keep-hierarchy"])
@pytest.mark.parametrize("name", ["pipeline", "table_lookup", "kitchen_sink"])
def test_yosys_reads_the_same_design(engine_of, tmp_path, name, hierarchy):
    module = translate(CASES[name].factory())
    steps = [f"synth -flatten -top {module.top}", "check -assert"]
    netlist = through_yosys(module, tmp_path, steps, hierarchy)
    requests = CASES[name].requests(100)
    engine = NativeEngine(netlist, options=BuildOptions(netlist=True))
    batch = engine.run(requests, in_flight=None)
    assert batch.responses == CASES[name].answer(requests)
    assert batch == engine_of("native", name).run(requests, in_flight=None)


@pytest.mark.parametrize("end", ["\n", "\r", "\x0b", "\u2028"])
def test_path_of_a_source_adds_no_line(tmp_path, monkeypatch, end):
    """Comments with the path of a source file are left out, whatever the path is."""
    source = Path(inspect.getfile(Gcd))
    copy = tmp_path / f"a{end}module evil;" / "components.py"
    copy.parent.mkdir()
    shutil.copy(source, copy)
    spec = spec_from_file_location("copied_components", copy)
    copied = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "copied_components", copied)
    spec.loader.exec_module(copied)
    assert translate(copied.Gcd(16)).text == translate(Gcd(16)).text


def module_names(text):
    return re.findall(r"^module (\S+)", text, re.MULTILINE)


def test_module_names_are_identifiers_and_one_per_variant():
    module = translate(CASES["table_lookup"].factory())
    assert module.top == "TableLookup"
    assert module_names(module.text) == [
        "AddConstant",
        "XorConstant",
        "AddConstant_2",
        "TableLookup",
    ]


def test_classes_of_one_name_are_told_apart(tmp_path):
    def make(operator):
        class Unit(Component):
            def construct(s, nbits, constants):
                s.x, s.y = InPort(nbits), OutPort(nbits)
                if operator == "+":

                    @update
                    def comb_plus():
                        s.y @= s.x + 9

                else:

                    @update
                    def comb_minus():
                        s.y @= s.x - 7

        return Unit

    def factory():
        return TableLookup(8, make("+"), make("-"), Constants(1))

    rom = 0x9E3779B97F4A7C15 & 0xFF
    assert NativeEngine.from_component(factory).run([(0, 0)]).responses == [
        ((rom + 9 - 7 + 9) % 256, 0)
    ]


def test_top_name_can_be_chosen():
    module = translate(Gcd(8), "gcd_of_8")
    assert module.top == "gcd_of_8"
    assert module_names(module.text) == ["gcd_of_8"]


@pytest.mark.parametrize("name", ["a__b", "a b", "-"])
def test_top_name_must_be_an_identifier(name):
    with pytest.raises(ValueError, match="single underscores only"):
        translate(Gcd(8), name)


def test_fields_lie_in_message_order():
    module = translate(Gcd(8))
    assert (module.request.port, module.request.width) == ("recv__msg", 16)
    assert module.request.fields == (MessageField("a", 8, 8), MessageField("b", 0, 8))
    assert module.response.fields == (MessageField("r", 1, 8), MessageField("odd", 0, 1))


def test_text_depends_on_nothing_but_the_component():
    first, second = (translate(CASES["table_lookup"].factory()).text for _ in range(2))
    assert first == second
    assert __file__.rpartition("/")[0] not in first


class TwoBodies(Component):
    """Two update blocks with one name, of which PyMTL3 keeps one source."""

    def construct(s, minus):
        s.x, s.y = InPort(8), OutPort(8)
        if minus:

            @update
            def comb_y():
                s.y @= s.x - 1

        else:

            @update
            def comb_y():
                s.y @= s.x + 1


class UsesTwoBodies(Component):
    def construct(s):
        Gcd.construct(s, 8)
        s.first, s.second = TwoBodies(False), TwoBodies(True)
        s.first.x //= s.a_reg
        s.second.x //= s.a_reg


def test_blocks_of_one_name_are_refused_where_pymtl3_would_mix_them_up():
    with pytest.raises(ValueError, match=r"TwoBodies: update blocks of one name, comb_y, at"):
        translate(UsesTwoBodies())


class Untranslatable(Component):
    def construct(s):
        Gcd.construct(s, 8)
        s.y = OutPort(8)

        @update
        def comb_untranslatable():
            s.y @= max(s.a_reg, s.b_reg)


def test_refusal_is_one_line():
    with pytest.raises(TranslationError, match=r"^Untranslatable: .*max") as caught:
        translate(Untranslatable())
    assert "\n" not in str(caught.value)


class OnlyRecv(Component):
    def construct(s):
        s.recv = RecvIfcRTL(mk_bitstruct("OnlyRecvMsg", {"x": mk_bits(8)}))


class PlainBits(Component):
    def construct(s):
        s.recv, s.send = RecvIfcRTL(mk_bits(8)), SendIfcRTL(mk_bits(8))


@pytest.mark.parametrize(
    ("component", "message"),
    [
        (PlainBits, r"PlainBits: recv\.msg is Bits8, expected a bitstruct"),
        (OnlyRecv, "OnlyRecv has no send = SendIfcRTL"),
        (lambda: Inverter(8), "Inverter has no recv = RecvIfcRTL"),
    ],
)
def test_component_without_the_streams_is_refused(component, message):
    with pytest.raises(ValueError, match=message):
        translate(component())


def test_translation_is_kept_until_a_source_changes(tmp_path):
    source = tmp_path / "sources" / "unit.py"
    source.parent.mkdir()
    source.write_text("x = 1  # one")
    calls = []

    def factory():
        calls.append(1)
        return Gcd(8)

    def get(key="gcd nbits=8", top=None):
        return translate_cached(
            key, factory, sources=[source.parent], top=top, directory=tmp_path / "store"
        )

    first = get()
    assert first == translate(Gcd(8))
    assert get() == first
    assert len(calls) == 1
    source.write_text("x = 1  # two")
    assert get() == first
    assert len(calls) == 1
    source.write_text("x = 2")
    assert get() == first
    assert len(calls) == 2
    get(key="other")
    assert get(top="other").top == "other"
    assert len(calls) == 4
    source.with_name("new.py").write_text("")
    get()
    assert len(calls) == 5
