"""More mistakes planted in a multiplier's circuit, by kind; each with its message."""

from dataclasses import replace

from tests.diagnosis.student_mistakes import ADDED, SENT, Mistake, before_product, product

FF = "        @update_ff\n        def seq_operands():\n"
SLICE = "s.p_reg <<= s.product[0:nbits]"
LOAD = "            if s.control.load:\n"
BITS = "both bounds, without a step"
REGISTER = "a register"

NOT = '''

class Not(Component):
    """Inverts a bit."""

    def construct(s):
        s.i = InPort(1)
        s.o = OutPort(1)

        @update
        def comb_o():
            s.o @= ~s.i
'''


PASS = '''

class Pass(Component):
    """Passes bits on."""

    def construct(s, nbits):
        s.i = InPort(nbits)
        s.o = OutPort(8)

        @update
        def comb_o():
            s.o @= s.i
'''


def block(name: str, *lines: str) -> str:
    """Return the text of a combinational block."""
    return f"        @update\n        def {name}():\n" + "".join(
        f"            {x}\n" for x in lines
    )


def added(
    declared: str, *blocks: str, told: str, allowed: str, statement: str, part: str = ""
) -> Mistake:
    """Make a mistake that adds signals, joined by ``;``, and blocks."""
    lines = "".join(f"        {x.strip()}\n" for x in declared.split(";"))
    text = lines + "".join(f"\n{x}" for x in blocks) + f"\n{FF}"
    return Mistake(FF, text, (told,), allowed, statement, part)


def loop(declared: str, *blocks: str, names: str, statement: str, part: str = "") -> Mistake:
    """Make a combinational loop through signals."""
    told = "combinational loop in "
    made = added(declared, *blocks, told=names, allowed=REGISTER, statement=statement, part=part)
    return Mistake(made.old, made.new, (told, names), REGISTER, statement, part)


def latch(*lines: str, statement: str = "s.x @= 1", kind: str = "Wire(4)") -> Mistake:
    """Make a block that does not assign ``s.x`` on every path."""
    told = "not assigned on every path of comb_x: a latch"
    allowed = "before the if, or in an else"
    return added(
        f"s.x = {kind}", block("comb_x", *lines), told=told, allowed=allowed, statement=statement
    )


SLICES = {
    "no-lower-bound": Mistake(SLICE, "s.p_reg <<= s.product[:nbits]", ("without a bound",), BITS),
    "no-upper-bound": Mistake(SLICE, "s.p_reg <<= s.a_reg[0:]", ("without a bound",), BITS),
    "no-bounds": Mistake(SLICE, "s.p_reg <<= s.a_reg[:]", ("without a bound",), BITS),
    "no-bound-in-a-target": before_product("s.product[:1] @= 0", "without a bound", allowed=BITS),
    "step": Mistake(SLICE, "s.p_reg <<= s.product[0:nbits:1]", ("with a step",), BITS),
    "no-bound-in-a-connection": Mistake(
        SENT,
        "        s.send.msg.r //= s.p_reg[0:]\n",
        ("s.p_reg has no bits [0:]",),
        "s.p_reg[0:2]",
    ),
    "beyond-in-a-connection": Mistake(
        SENT, "        s.send.msg.r //= s.product[2:5]\n", ("no bits [2:5]",), "bits 0 to 2"
    ),
    "beyond": Mistake(
        SLICE, "s.p_reg <<= s.product[0:nbits + 5]", ("s.product has no bit [0:13]",), "bits 0 to 8"
    ),
    "negative": Mistake(
        "s.b_reg[nbits - 1]:", "s.b_reg[-1]:", ("s.b_reg has no bit [-1]",), "bits 0 to 7"
    ),
    "empty": Mistake(
        SLICE, "s.p_reg <<= s.product[nbits:nbits]", ("s.product has no bit [2:2]",), "bits 0 to 2"
    ),
    "of-a-message": Mistake(
        "s.a_reg <<= s.recv.msg.a",
        "s.a_reg <<= s.recv.msg[0:nbits]",
        ("s.recv.msg is a message", "seq_operands"),
        "the fields a, b, m",
    ),
    "bit-of-a-message": Mistake(
        "if s.b_reg[nbits - 1]:",
        "if s.recv.msg[0]:",
        ("s.recv.msg is a message",),
        "fields a, b, m",
    ),
    "of-a-message-in-a-connection": Mistake(
        SENT, "        s.send.msg[0:nbits] //= s.p_reg\n", ("s.send.msg is a message",), "fields r"
    ),
    "of-a-list": added(
        "s.x = [Wire(1) for _ in range(4)]; s.y = Wire(2)",
        block("comb_x", "for i in range(4):", "    s.x[i] @= 0"),
        block("comb_y", "s.y @= s.x[0:2]"),
        told="s.x[0:2] is a list",
        allowed="one element",
        statement="s.y @= s.x[0:2]",
    ),
    "of-a-slice": Mistake(
        SLICE, "s.p_reg <<= s.product[0:nbits + 1][0:nbits]", ("a slice of a slice",), "one index"
    ),
    "of-an-expression": Mistake(
        SLICE, "s.p_reg <<= (s.added + 0)[0:nbits]", ("a slice of an expression",), "a wire"
    ),
    "by-a-narrow-index": added(
        "s.x = Wire(1)",
        block("comb_x", "s.x @= s.a_reg[s.b_reg[0:1]]"),
        told="expects a 3-bit index",
        allowed="zext, trunc",
        statement="s.x @= s.a_reg[s.b_reg[0:1]]",
    ),
    "beyond-a-list": added(
        "s.x = [Wire(1) for _ in range(4)]",
        block("comb_x", "for i in range(5):", "    s.x[i] @= 1"),
        told="s.x has no element [4]",
        allowed="elements 0 to 3",
        statement="s.x[i] @= 1",
    ),
}

STATEMENTS = {
    "match": before_product(
        "match s.b_reg[0]:\n                case 0:\n                    s.product @= 0",
        "match can't be part of a circuit",
        allowed="if, elif and else",
    ),
    "match-in-ff": Mistake(
        LOAD,
        "            match s.control.step:\n                case 1:\n"
        f"                    s.p_reg <<= 0\n{LOAD}",
        ("match can't be part", "seq_operands"),
        "if, elif and else",
    ),
    "pass": Mistake(LOAD, f"            pass\n{LOAD}", ("pass can't be part",), "an assignment"),
    "else-of-a-loop": before_product(
        "for i in range(2):\n                s.product @= i\n            else:\n"
        "                s.product @= 0",
        "else of a loop",
        allowed="after the loop",
    ),
    "endless-loop": before_product(
        "for i in range(1 << 30):\n                s.product @= 0",
        "range(1 << 30): more than 100,000 steps",
        allowed="room for",
    ),
    "true": product("True", "True is no number", allowed="1"),
    "modulo-zero": product("s.added % (nbits - nbits)", "% by 0", allowed="above 0"),
    "zext-without-a-width": product("zext(s.a_reg)", "has no width", allowed="zext(s.x, 9)"),
    "value-of-an-interface": product(
        "s.recv", "s.recv is no signal, but RecvIfcRTL", allowed="a field of a message"
    ),
    "value-of-a-part": product(
        "s.control", "s.control is no signal, but SerialControl", allowed="a port of a part"
    ),
    "loop-below-zero": before_product(
        "for i in range(3, -1, -1):\n                s.product @= i",
        "range(3, -1, -1) goes below 0",
        allowed="[n - 1 - i]",
    ),
    "list-of-numbers": added(
        "s.k = [1, 2]; s.x = Wire(4)",
        block("comb_x", "s.x @= s.k[s.a_reg[0]]"),
        told="s.k has numbers, and a signal as index",
        allowed="a list of signals",
        statement="s.x @= s.k[s.a_reg[0]]",
    ),
    "variable-with-a-type": before_product("t: int = 3", "with a type", allowed="a wire"),
    "number-to-a-message": Mistake(
        SENT,
        block("comb_send", "s.send.msg @= 0"),
        ("s.send.msg is a message, 0 a number", "comb_send"),
        "(r)",
        "s.send.msg @= 0",
    ),
    "assigned-part": before_product(
        "s.control @= 1", "s.control is not a signal, but SerialControl", allowed="Wire(...)"
    ),
    "assigned-parameter": before_product(
        "nbits @= 1", "nbits is not a signal", allowed="s.x = Wire(...)"
    ),
}

NAMES = {
    "self-in-a-block": Mistake(
        ADDED, ADDED.replace("s.product", "self.product"), ("the name self",), "def construct(s, "
    ),
    "self-in-construct": Mistake(
        "def construct(s, nbits):",
        "def construct(self, nbits):",
        ("name 's' is not defined",),
        "def construct(s, ",
        "s.recv = RecvIfcRTL(product_request(nbits))",
    ),
    "alias": added(
        "control = s.control; s.x = Wire(1)",
        block("comb_x", "s.x @= control.load"),
        told="control, without s,",
        allowed="begin with s.",
        statement="s.x @= control.load",
    ),
    "underscore": added(
        "s._x = Wire(1)",
        block("comb_x", "s._x @= 1"),
        told="s._x of ",
        allowed="such as s.x",
        statement="s._x = Wire(1)",
    ),
    "tuple": added(
        "s.x = (Wire(1), Wire(1))",
        block("comb_x", "s.x[0] @= 1"),
        told="s.x of ",
        allowed="a list",
        statement="s.x = (Wire(1), Wire(1))",
    ),
    "list-of-several-types": added(
        "s.k = [1, 2]", told="s.k of ", allowed="lists of one type", statement="s.k = [1, 2]"
    ),
    "reserved-block": added(
        "s.x = Wire(1)",
        block("always", "s.x @= 1"),
        told="always is a reserved word",
        allowed="block_always",
        statement="def always():",
    ),
    "block-and-signal": added(
        "s.both = Wire(1)",
        block("both", "s.both @= 1"),
        told="both is the name of a signal, too",
        allowed="another name",
        statement="def both():",
    ),
    "clk": added(
        "s.clk = Wire(1)", told="field clk", allowed="clk and reset", statement="s.clk = Wire(1)"
    ),
    "no-s": Mistake(
        "def construct(s, nbits):",
        "def construct(nbits):",
        ("construct() takes 1 positional argument but 2 were given",),
        "def construct(s, ",
    ),
    "arguments-of-a-block": Mistake(
        "        def comb_add():", "        def comb_add(s):", ("takes s",), "def comb_add():"
    ),
    "parameter-of-a-part": Mistake(
        "SerialControl(nbits, finish_cycles=0)",
        "SerialControl(nbits, finish=0)",
        ("unexpected keyword argument 'finish'",),
        "finish_cycles=1",
        "s.control = SerialControl(nbits, finish=0)",
    ),
    "field-of-bits": Mistake(
        "s.a_reg <<= s.recv.msg.a",
        "s.a_reg <<= s.recv.msg.a.low",
        ("s.recv.msg.a has no low",),
        "s.x[0:8]",
    ),
    "no-decorator": Mistake(
        "        @update\n        def comb_add():",
        "        def comb_add():",
        ("nothing drives s.product", "this function is no update block"),
        "@update",
    ),
    "decorator-with-parentheses": Mistake(
        "        @update\n        def comb_add():",
        "        @update()\n        def comb_add():",
        ("update() missing",),
        "without parentheses",
    ),
    "variable-of-one-branch": replace(
        before_product(
            "if s.a_reg[0]:\n                t = s.added\n            s.product @= t",
            "read before comb_add assigns it",
            allowed="an assignment first",
        ),
        statement="s.product @= t",
    ),
}

WIDTHS = {
    "comparison": Mistake(
        "if s.added >= s.modulus:",
        "if s.added >= s.m_reg:",
        ("s.added is Bits9, s.m_reg is Bits8",),
        "zext",
    ),
    "shift": product("s.added << s.a_reg", "s.added is Bits9, s.a_reg is Bits8", allowed="zext"),
    "number": product("100000", "100000 does not fit into s.product", allowed="0 to 511"),
    "negative-number": product("-1", "-1 does not fit into s.product", allowed="0 to 511"),
    "number-in-a-sum": product(
        "s.added + (1 << nbits + 2)",
        "1 << nbits + 2, 1024, does not fit into s.added",
        allowed="0 to 511",
    ),
    "choice": product(
        "s.added if s.a_reg[0] else s.a_reg", "s.added is Bits9, s.a_reg is Bits8", allowed="zext"
    ),
    "second-part-of-a-class": added(
        "s.one = Pass(8); s.two = Pass(9); s.one.i //= 0; s.two.i //= 0",
        told="s.o is Bits8, s.i is Bits9 (Pass, nbits=9, comb_o)",
        allowed="zext",
        statement="s.o @= s.i",
        part=PASS,
    ),
    "number-of-a-connection": added(
        "s.x = Wire(2); s.x //= 9",
        told="Value 0x9 is too wide for Bits2",
        allowed="the same width",
        statement="s.x //= 9",
    ),
    "width-zero": added(
        "s.x = Wire(0)", told="Bits0", allowed="Wire(8)", statement="s.x = Wire(0)"
    ),
    "cast": product("Sum(s.a_reg)", "Sum is Bits9, s.a_reg is Bits8", allowed="zext"),
    "zext-to-fewer-bits": product(
        "zext(s.added, Value)", "zext of Bits9 to Bits8", allowed="trunc"
    ),
    "connection": Mistake(
        SENT, "        s.send.msg.r //= s.p_reg[0:1]\n", ("Bits2 != Bits1",), "same width"
    ),
}

DRIVERS = {
    "steps-beside-indices": added(
        "s.x = Wire(4)",
        block("comb_x", "for i in range(0, 4, 2):", "    s.x[i] @= 0"),
        block("comb_y", "s.x[1] @= 1", "s.x[3] @= 1"),
        told="comb_x counts as driver of all of s.x, as its index varies; comb_y drives s.x[1]",
        allowed="one block for all indices",
        statement="s.x[i] @= 0",
    ),
    "steps-beside-steps": added(
        "s.x = [Wire(1) for _ in range(4)]",
        block("comb_x", "for i in range(0, 4, 2):", "    s.x[i] @= 0"),
        block("comb_y", "for i in range(1, 4, 2):", "    s.x[i] @= 1"),
        told="comb_y counts as driver of all of s.x, as its index varies; comb_x drives s.x[0]",
        allowed="one block for all indices",
        statement="s.x[i] @= 1",
    ),
    "steps-beside-a-connection": added(
        "s.x = Wire(2); s.x[1] //= s.a_reg[0]",
        block("comb_x", "for i in range(1):", "    s.x[i] @= 0"),
        told="all of s.x, as its index varies; a connection drives s.x[1]",
        allowed="one block for all indices",
        statement="s.x[i] @= 0",
    ),
    "slices-that-move": added(
        "s.x = Wire(8)",
        block("comb_x", "for i in range(2):", "    s.x[i * 2:i * 2 + 2] @= 0"),
        block("comb_y", "for i in range(2, 4):", "    s.x[i * 2:i * 2 + 2] @= 0"),
        told="comb_y counts as driver of all of s.x, as its index varies; comb_x drives s.x[0:2]",
        allowed="one block for all indices",
        statement="s.x[i * 2:i * 2 + 2] @= 0",
    ),
    "equals-for-a-connection": Mistake(
        SENT, "        s.send.msg.r = s.p_reg\n", ("nothing drives s.send.msg",), "//="
    ),
    "assignment-for-a-connection": Mistake(
        SENT, "        s.send.msg.r @= s.p_reg\n", ("unsupported operand",), "//="
    ),
    "lambda-on-two-lines": added(
        "s.x = Wire(1); s.x //= (  # one bit; lambda: s.a_reg[0]; )",
        told="PyMTL3 can't read this connection",
        allowed="lambda: ... alone on one line",
        statement="s.x //= (",
    ),
    "connection-to-itself": added(
        "s.x = Wire(1); s.x //= s.x",
        told="s.x is connected to itself",
        allowed="one driver",
        statement="s.x //= s.x",
    ),
    "connections-in-a-ring": added(
        "s.x = Wire(1); s.y = Wire(1); s.z = Wire(1); s.x //= s.y; s.y //= s.z; s.z //= s.x",
        told="s.x is connected to itself, also through other signals",
        allowed="one driver",
        statement="s.z //= s.x",
    ),
    "connection-to-none": added(
        "s.x = Wire(1); s.x //= None",
        told="is not a const",
        allowed="to a signal, a number, or lambda",
        statement="s.x //= None",
    ),
    "lambda-twice": added(
        "s.x = Wire(1); s.x //= lambda: s.a_reg[0]; s.x //= lambda: s.b_reg[0]",
        told="two connections of a lambda to one signal",
        allowed="one driver",
        statement="s.x //= lambda: s.b_reg[0]",
    ),
    "index-twice": added(
        "s.x = Wire(4)",
        block("comb_x", "for i in range(4):", "    s.x[i] @= 0"),
        block("comb_y", "s.x[1] @= 1"),
        told="two blocks drive s.x[1] of ",
        allowed="one driver",
        statement="s.x[1] @= 1",
    ),
    "slices": added(
        "s.x = Wire(4)",
        block("comb_x", "s.x[0:2] @= 0"),
        block("comb_y", "s.x[1:4] @= 1"),
        told="two blocks drive s.x[1] of ",
        allowed="one driver",
        statement="s.x[1:4] @= 1",
    ),
    "output-of-a-part": before_product(
        "s.control.load @= 0", "two blocks drive s.control.load of", allowed="one driver"
    ),
    "bits-without-driver": added(
        "s.x = Wire(4); s.y = Wire(4)",
        block("comb_x", "s.x[0:2] @= 0"),
        block("comb_y", "s.y @= s.x"),
        told="nothing drives s.x[2:4] of ",
        allowed="one driver",
        statement="s.x = Wire(4)",
    ),
    "second-part-of-a-class": added(
        "s.one = Not(); s.two = Not(); s.one.i //= s.a_reg[0]; s.x = Wire(1)",
        block("comb_x", "s.x @= s.one.o & s.two.o"),
        told="nothing drives s.i of Not, which is s.two of the circuit",
        allowed="one driver",
        statement="s.two = Not()",
        part=NOT,
    ),
    "bits-through-connections": added(
        "s.x = Wire(4); s.y = Wire(4); s.z = Wire(4); s.y //= s.x; s.z //= s.y; s.one = Wire(2)",
        block("comb_x", "s.x[0:2] @= s.a_reg[0:2]"),
        block("comb_one", "s.one @= s.z[1:3]"),
        told="nothing drives s.x[2] of ",
        allowed="one driver",
        statement="s.x = Wire(4)",
    ),
    "element-beside-a-loop": added(
        "s.x = [Wire(2) for _ in range(3)]; s.y = Wire(2)",
        block("comb_x", "for i in range(2):", "    s.x[i] @= 1"),
        block("comb_y", "s.y @= s.x[2]"),
        told="nothing drives s.x[2] of ",
        allowed="one driver",
        statement="s.x = [Wire(2) for _ in range(3)]",
    ),
}

LATCHES = {
    "elif": latch("if s.a_reg[0]:", "    s.x @= 1", "elif s.b_reg[0]:", "    s.x @= 0"),
    "nested": latch(
        "if s.a_reg[0]:", "    if s.b_reg[0]:", "        s.x @= 1", "else:", "    s.x @= 0"
    ),
    "other-bits": latch(
        "if s.a_reg[0]:",
        "    s.x[0:2] @= 1",
        "else:",
        "    s.x[2:4] @= 1",
        statement="s.x[0:2] @= 1",
    ),
    "upper-bits": latch(
        "s.x[0:2] @= 0", "if s.a_reg[0]:", "    s.x @= 1", statement="s.x[0:2] @= 0"
    ),
    "one-element": latch(
        "s.x[s.a_reg[0:2]] @= 1",
        kind="[Wire(1) for _ in range(4)]",
        statement="s.x[s.a_reg[0:2]] @= 1",
    ),
    "one-bit": latch("s.x[s.a_reg[0:2]] @= 1", statement="s.x[s.a_reg[0:2]] @= 1"),
    "field": Mistake(
        SENT,
        block("comb_x", "if s.a_reg[0]:", "    s.send.msg.r @= s.p_reg"),
        ("s.send.msg.r of", "not assigned on every path of comb_x: a latch"),
        "before the if, or in an else",
        "s.send.msg.r @= s.p_reg",
    ),
}

_TAKES_A = "            if s.control.load:\n                s.a_reg <<= s.recv.msg.a\n"

LOOPS = {
    "latch-of-two-blocks": Mistake(
        FF + _TAKES_A,
        "        s.held = Wire(Value)\n\n"
        + block(
            "comb_held", "s.held @= s.a_reg", "if s.control.load:", "    s.held @= s.recv.msg.a"
        )
        + block("comb_a", "s.a_reg @= s.held")
        + FF
        + LOAD,
        ("combinational loop in ", "s.held -> s.a_reg -> s.held"),
        REGISTER,
        "s.held @= s.a_reg",
    ),
    "block-and-connection": loop(
        "s.x = Wire(4); s.y = Wire(4); s.y //= s.x",
        block("comb_x", "s.x @= s.y + 1"),
        names="s.x -> s.y -> s.x",
        statement="s.x @= s.y + 1",
    ),
    "bits-of-a-signal": loop(
        "s.x = Wire(4)",
        block("comb_x", "s.x[0:2] @= s.x[2:4]"),
        block("comb_y", "s.x[2:4] @= s.x[0:2]"),
        names="s.x[0:2] -> s.x[2:4] -> s.x[0:2]",
        statement="s.x[0:2] @= s.x[2:4]",
    ),
    "fields": loop(
        "s.x = Wire(product_request(nbits))",
        block("comb_x", "s.x.a @= s.x.b"),
        block("comb_y", "s.x.b @= s.x.a"),
        names="s.x.a -> s.x.b -> s.x.a",
        statement="s.x.a @= s.x.b",
    ),
    "condition": loop(
        "s.x = Wire(1); s.y = Wire(1)",
        block("comb_x", "s.x @= 0", "if s.y:", "    s.x @= 1"),
        block("comb_y", "s.y @= s.x"),
        names="s.x -> s.y -> s.x",
        statement="if s.y:",
    ),
    "lambdas": loop(
        "s.x = Wire(1); s.y = Wire(1); s.x //= lambda: s.y & s.a_reg[0]; s.y //= lambda: ~s.x",
        names="s.x -> s.y -> s.x",
        statement="s.x //= lambda: s.y & s.a_reg[0]",
    ),
    "two-modules": loop(
        "s.one = Not(); s.two = Not(); s.one.i //= s.two.o; s.two.i //= s.one.o",
        names="s.two.o -> s.one.i -> s.one.o -> s.two.i -> s.two.o",
        statement="s.o @= ~s.i",
        part=NOT,
    ),
    "module-and-block": loop(
        "s.one = Not()",
        block("comb_i", "s.one.i @= s.one.o & s.a_reg[0]"),
        names="s.one.o -> s.one.i -> s.one.o",
        statement="s.o @= ~s.i",
        part=NOT,
    ),
    "handshake": Mistake(
        "        s.control.send_rdy //= s.send.rdy\n",
        block("comb_rdy", "s.control.send_rdy @= s.send.rdy & s.control.recv_rdy"),
        ("s.control.send_rdy -> s.control.recv_rdy -> s.control.send_rdy",),
        REGISTER,
        "s.control.send_rdy @= s.send.rdy & s.control.recv_rdy",
    ),
    "elements": loop(
        "s.x = [Wire(1) for _ in range(2)]; s.y = [Wire(1) for _ in range(2)]",
        block("comb_x", "for i in range(2):", "    s.x[i] @= s.y[i]"),
        block("comb_y", "for i in range(2):", "    s.y[i] @= s.x[1 - i]"),
        names="s.x[0] -> s.y[1] -> s.x[1] -> s.y[0] -> s.x[0]",
        statement="s.x[i] @= s.y[i]",
    ),
    "chosen-element": loop(
        "s.x = [Wire(1) for _ in range(4)]; s.y = Wire(1)",
        block("comb_x", "for i in range(4):", "    s.x[i] @= s.y"),
        block("comb_y", "s.y @= s.x[s.a_reg[0:2]]"),
        names="s.x[0] -> s.y -> s.x[0]",
        statement="s.x[i] @= s.y",
    ),
    "carry": loop(
        "s.x = Wire(4); s.y = Wire(4)",
        block("comb_x", "s.x @= s.y + 1"),
        block("comb_y", "s.y @= s.x >> 1"),
        names="s.x -> s.y -> s.x",
        statement="s.x @= s.y + 1",
    ),
    "variable": loop(
        "s.x = Wire(4); s.y = Wire(4)",
        block("comb_x", "t = s.y + 1", "s.x @= t"),
        block("comb_y", "s.y @= s.x"),
        names="s.x -> s.y -> s.x",
        statement="t = s.y + 1",
    ),
}

KINDS = {
    "slice": SLICES,
    "statement": STATEMENTS,
    "name": NAMES,
    "width": WIDTHS,
    "driver": DRIVERS,
    "latch": LATCHES,
    "loop": LOOPS,
}
BY_KIND = {f"{kind}: {x}": y for kind, found in KINDS.items() for x, y in found.items()}
