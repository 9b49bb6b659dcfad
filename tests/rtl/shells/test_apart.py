"""A core and its shell apart: beside each other they are what a core in its shell is."""

from dataclasses import replace

import pytest

from rsaxcel.diagnosis.component import message_types
from rsaxcel.flow.shells import verilog_of
from rsaxcel.rtl.shells import Apart
from rsaxcel.sim.native.engine import NativeEngine
from tests.rtl.shells.test_shells import EACH, SHELLS, drawn, opened, rules_of, text_for


def apart(core, text, *, counted):
    return Apart(core, rules_of(core), text, counted)


@pytest.mark.slow_cases("axi4_lite", "held", "level", "short", "pointers", "beats", "xcel")
@pytest.mark.parametrize("name", EACH)
def test_beside_each_other_they_are_the_circuit(name):
    core, _ = SHELLS[name]
    module = verilog_of(apart(core, text_for(name), counted=True), "both", message_types)
    requests, _ = drawn(core.nbits, 12)
    requests.append((*requests[-1][:-1], 1))  # refused
    found, wanted = (x.run(requests) for x in (NativeEngine(module), opened(name)))
    assert (found.responses, found.cycles) == (wanted.responses, wanted.cycles)


@pytest.mark.parametrize("low", [False, True])
def test_the_core_alone_has_its_own_ports(low):
    """Its clock is clk; a port that is held has none; the reset is active as the core wants it."""
    core, _ = SHELLS["start_done"]
    names = {"clk": "ck", "exponent": "clk"}
    ports = tuple(replace(x, name=names.get(x.name, x.name)) for x in core.ports)
    data = tuple(replace(x, port=names.get(x.port, x.port)) for x in core.protocol.operands)
    changed = replace(
        core,
        ports=(*ports, replace(ports[0], name="test_mode", nbits=2)),
        clock="ck",
        held=(("test_mode", 2),),
        protocol=replace(core.protocol, operands=data),
        reset=replace(core.reset, active_high=not low),
    )
    own = apart(changed, "module front; endmodule", counted=False)
    text = own.alone("top")
    head = text[text.index("module top") : text.index(");")]
    assert "input clk," in head
    assert "input reset," in head
    assert "pin_clk" in head
    assert "test_mode" not in head
    for wired in (".ck(clk)", ".test_mode(2'd2)", ".clk(pin_clk)", ".reset(reset)"):
        assert wired in text
    assert own.wires["pins_reset"] == "reset"
    assert own.wires["pin_clk"] == "pin_clk"
    shell = verilog_of(replace(own, is_counted=True), "top", message_types).text
    assert ("assign pins_reset = ~" in shell or "pins_reset = ~resets" in shell) is low
    assert shell.count("module front") == 1  # the shell's own module has another name


@pytest.mark.parametrize(("module", "name"), [("shell", "core1"), ("reset", "core1"), ("a", "a")])
def test_the_core_has_one_name(module, name):
    """Whether its shell is beside it or not: no other thing around it has the name."""
    core, _ = SHELLS["start_done"]
    names = {"exponent": "core"}
    ports = tuple(replace(x, name=names.get(x.name, x.name)) for x in core.ports)
    data = tuple(replace(x, port=names.get(x.port, x.port)) for x in core.protocol.operands)
    protocol = replace(core.protocol, operands=data)
    changed = replace(core, module=module, ports=ports, protocol=protocol)
    own = apart(changed, f"module {module}; endmodule", counted=True)
    assert own.core == name
    for text in (own.alone("top"), verilog_of(own, "top", message_types).text):
        assert f" {name} (\n    ." in text
