"""Cores in Verilog of each protocol: those that ``rsaxcel new core`` writes, and others."""

from pathlib import Path

from rsaxcel.plan.protocols import (
    MOST,
    Axi4Lite,
    Core,
    Data,
    Piece,
    Port,
    Pulse,
    Read,
    Repeat,
    Reset,
    StartDone,
    Stream,
    Streams,
    Wait,
    Words,
    Write,
    Xcel,
)

_ROOT = Path(__file__).parents[2]
SKELETON = _ROOT / "course/core_skeleton"
OTHERS = Path(__file__).with_name("cores")


VARIANTS = "variant", "beats", "pointers", "product"
"""Cores of which a shell knows by ``started`` and others."""


def inputs(**widths: int) -> tuple[Port, ...]:
    return tuple(Port(name, nbits, True) for name, nbits in widths.items())


def outputs(**widths: int) -> tuple[Port, ...]:
    return tuple(Port(name, nbits, False) for name, nbits in widths.items())


def text_of(protocol: str) -> str:
    """Verilog of a core and of all its modules."""
    power = SKELETON / "power.v"
    if protocol in VARIANTS:
        files: tuple[Path, ...] = power, OTHERS / f"{protocol}.v"
    elif protocol in ("axi4_lite", "xcel"):
        files = power, SKELETON / "words/core.v", OTHERS / f"{protocol}.v"
    else:
        files = power, SKELETON / protocol / "core.v"
    return "\n".join(x.read_text("utf-8") for x in files)


def data(port: str, fields: str, nbits: int) -> Data:
    return Data(port, tuple(Piece(x, nbits) for x in fields))


def steps(scale: int = 1) -> tuple:
    """Steps on the registers of the core behind words."""
    operands = (Write(a * scale, x, order=MOST) for a, x in ((1, "b"), (2, "e"), (3, "m")))
    return *operands, Pulse(0), Wait(0), Read(4 * scale)


def core_of(protocol: str, nbits: int, **changes) -> Core:
    """Core of a protocol; ``changes`` are of its fields."""
    width, clock, reset, module = nbits, "clk", Reset("reset"), "skeleton_core"
    basic = inputs(clk=1, reset=1)
    if protocol == "streams":
        found = Streams(
            (Stream("operands_valid", "operands_ready", (data("operands", "bem", width),)),),
            Stream("result_valid", "result_ready", (data("result", "r", width),)),
        )
        ports = inputs(operands_valid=1, operands=3 * width, result_ready=1)
        ports += outputs(operands_ready=1, result_valid=1, result=width)
    elif protocol == "start_done":
        found = StartDone(
            "start",
            tuple(data(x, x[0], width) for x in ("base", "exponent", "modulus")),
            data("result", "r", width),
            done="done",
            sampled=True,
            result_held=True,
        )
        ports = inputs(start=1, base=width, exponent=width, modulus=width)
        ports += outputs(done=1, result=width)
    elif protocol == "words":
        found = Words(steps(), 32, "write", "address", "write_data", "read_data", "select")
        ports = inputs(select=1, write=1, address=3, write_data=32) + outputs(read_data=32)
    elif protocol == "axi4_lite":
        given = {"awaddr": 5, "awprot": 3, "awvalid": 1, "wdata": 32, "wstrb": 4, "wvalid": 1}
        given |= {"bready": 1, "araddr": 5, "arprot": 3, "arvalid": 1, "rready": 1}
        answered = {"awready": 1, "wready": 1, "bresp": 2, "bvalid": 1}
        answered |= {"arready": 1, "rdata": 32, "rresp": 2, "rvalid": 1}
        found = Axi4Lite(steps(4), 32, tuple((x, x) for x in (*given, *answered)))
        ports = inputs(**given) + outputs(**answered)
        module, clock, reset = "skeleton_axi", "aclk", Reset("aresetn", active_high=False)
        basic = inputs(aclk=1, aresetn=1)
    else:
        signals = ("req_msg", "req_val", "req_rdy", "resp_msg", "resp_val", "resp_rdy")
        found = Xcel(steps(), 32, tuple((x, f"xcel{x}") for x in signals))
        ports = inputs(xcelreq_msg=38, xcelreq_val=1, xcelresp_rdy=1)
        ports += outputs(xcelreq_rdy=1, xcelresp_msg=33, xcelresp_val=1)
        module = "skeleton_xcel"
    fields = {
        "module": module,
        "nbits": nbits,
        "ports": basic + ports,
        "clock": clock,
        "reset": reset,
        "protocol": found,
        "parameters": (("WIDTH", width),),
    }
    return Core(**fields | changes)


def started(width: int, **changes) -> Core:
    """Core ``variant`` with parameters and a protocol that fits them."""
    told = {"level", "sampled", "result_held", "settles", "resets", "done", "busy", "ready"}
    operands = tuple(data(x, x[0], width) for x in ("base", "exponent", "modulus"))
    given = {k: v for k, v in changes.items() if k in told}
    protocol = StartDone("start", operands, data("result", "r", width), **given)
    ports = inputs(clock=1, rst_n=1, start=1, base=width, exponent=width, modulus=width, mode=4)
    return Core(
        "variant",
        width,
        ports + outputs(done=1, busy=1, ready=1, result=width),
        "clock",
        Reset("rst_n", False, False, changes.get("cycles", 1)),
        protocol,
        (("WIDTH", width), *((k, v) for k, v in changes.items() if k.isupper())),
        held=(("mode", 9),),
    )


def in_beats(width: int, waits: bool) -> Core:
    """Core ``beats``, with a result that waits or not."""
    key = data("exponent_beat", "e", width), data("modulus_beat", "m", width)
    ready = "result_ready" if waits else ""
    protocol = Streams(
        (
            Stream("key_valid", "key_ready", key, MOST, "key_last"),
            Stream("base_valid", "", (data("base_beat", "b", width),)),
        ),
        Stream("result_valid", ready, (data("result_beat", "r", width),), MOST, "result_last"),
    )
    ports = inputs(clk=1, reset=1, key_valid=1, key_last=1, exponent_beat=3, modulus_beat=3)
    ports += inputs(base_valid=1, base_beat=3, result_ready=1)
    ports += outputs(key_ready=1, result_valid=1, result_last=1, result_beat=3)
    held = () if waits else (("result_ready", 0),)
    parameters = ("WIDTH", width), ("WAITS", int(waits))
    return Core("beats", width, ports, "clk", Reset("reset"), protocol, parameters, held)


def with_pointers(**changes) -> Core:
    """Core ``pointers``; ``zeros`` replaces the number of zero words of the exponent."""
    protocol = Words(
        (
            Repeat(2, (Write(0x10, increment=1), Write(0x11, "b"))),
            Write(0x20, "m", stride=1),
            Write(0x30, "e", zeros=changes.get("zeros", 1)),
            Pulse(port="go"),
            Wait(port="finished"),
            Read(0x40, order=MOST, stride=1),
        ),
        8,
        "we",
        "address",
        "write_data",
        "read_data",
        read="re",
        read_cycles=changes.get("read_cycles", 1),
    )
    ports = inputs(clk=1, reset=1, we=1, re=1, address=8, write_data=8, go=1)
    ports += outputs(read_data=8, finished=1)
    return Core("pointers", 16, ports, "clk", Reset("reset"), protocol)


def of_product(width: int) -> Core:
    """Core ``product``, which has no reset."""
    operands = tuple(data(x, x, width) for x in "abm")
    result = Stream("ended", "", (data("r", "r", width),))
    protocol = Streams((Stream("valid", "", operands),), result)
    ports = inputs(clk=1, valid=1, a=width, b=width, m=width) + outputs(ended=1, r=width)
    parameters = (("WIDTH", width),)
    return Core("product", width, ports, "clk", None, protocol, parameters, is_product=True)
