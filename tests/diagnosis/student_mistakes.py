"""A multiplier as ``rsaxcel new`` writes it, with mistakes planted in its circuit."""

from dataclasses import dataclass

ADDED = "            s.product @= s.added\n"
SENT = "        s.send.msg.r //= s.p_reg\n"


@dataclass(frozen=True)
class Mistake:
    """A planted mistake, and its expected message.

    Parameters
    ----------
    old, new
        Text of the circuit, and its replacement.
    told
        Parts of the message's first line, after file and line number.
    allowed
        Part of the message's last line.
    statement
        Part of the reported statement; the first line of ``new`` unless given.
    part
        Text of a component to put before the circuit.
    """

    old: str
    new: str
    told: tuple[str, ...]
    allowed: str
    statement: str = ""
    part: str = ""

    @property
    def shown(self) -> str:
        """Part of the reported statement."""
        return self.statement or self.new.strip().splitlines()[0].strip()


def product(value: str, *told: str, allowed: str) -> Mistake:
    """Make a mistake that assigns another value to the product."""
    return Mistake(ADDED, f"            s.product @= {value}\n", (*told, "comb_add"), allowed)


def before_product(text: str, *told: str, allowed: str) -> Mistake:
    """Make a mistake that adds statements before the assignment of the product."""
    return Mistake(ADDED, f"            {text}\n{ADDED}", (*told, "comb_add"), allowed)


def without(old: str, *told: str, statement: str, allowed: str) -> Mistake:
    """Make a mistake that omits a statement."""
    return Mistake(old, "", told, allowed, statement)


UNTRANSLATABLE = {
    "while": before_product(
        "while s.added >= s.modulus:\n                s.product @= 0",
        "a while loop",
        allowed="for ... in range(...)",
    ),
    "comprehension": product(
        "[s.added for i in range(2)][0]", "a list comprehension", allowed="for ... in range(...)"
    ),
    "dict": before_product("table = {0: 1}", "a dict", allowed="if, elif and else"),
    "set": before_product("table = {0, 1}", "a set", allowed="if, elif and else"),
    "try": before_product(
        "try:\n                s.product @= 0\n            except ValueError:\n"
        "                s.product @= 1",
        "try",
        allowed="if, elif and else",
    ),
    "float": product("s.added * 0.5", "a float (0.5)", allowed="whole numbers"),
    "string": product("'added'", "a string ('added')", allowed="whole numbers"),
    "call": product("max(s.added, s.doubled)", "a call of max", allowed="concat, zext"),
    "unknown-function": product("rotate(s.added)", "a call of rotate", allowed="concat, zext"),
    "unknown-name": product("ZERO", "the name ZERO is not known", allowed="names of this file"),
    "augmented": before_product("s.product += 1", "+= in an update block", allowed="@="),
    "moving-slice": Mistake(
        "s.p_reg <<= s.product[0:nbits]",
        "s.p_reg <<= s.product[s.b_reg:nbits]",
        ("a slice whose width changes", "seq_operands"),
        "known when the circuit is built",
    ),
    "and": product("s.added and s.doubled", "and, or", allowed="& and |"),
    "floor-division": product("s.added // 2", "the operator //", allowed=">>"),
    "modulo": product("s.added % s.modulus", "% by a signal", allowed="rtl/lib/divider.py"),
    "power": product("s.added ** 2", "** of a signal", allowed="<<"),
    "minus": product("-s.added", "a signal with -", allowed="0 - s.x"),
    "not-imported": product(
        "sext(s.a_reg, Sum)", "sext is not imported", allowed="from pymtl3 import sext"
    ),
    "signals-range": before_product(
        "for i in range(s.b_reg):\n                s.product @= i",
        "a loop over range(s.b_reg)",
        allowed="known when the circuit is built",
    ),
    "chain": product("0 < s.added < 2", "a chain of comparisons", allowed="joined by &"),
    "print": before_product("print(s.added)", "without assignment", allowed="assignments"),
    "docstring": before_product("'The product.'", "a string as a statement", allowed="#"),
}

ELABORATION = {
    "two-blocks": Mistake(
        "        @update_ff\n",
        "        @update\n        def comb_again():\n            s.twice @= 0\n\n"
        "        @update_ff\n",
        ("two blocks drive s.twice of", "comb_again and comb_double"),
        "one driver",
        "s.twice @= 0",
    ),
    "two-connections": Mistake(
        SENT,
        f"{SENT}        s.send.msg.r //= s.a_reg\n",
        ("two drivers of one net", "s.a_reg and s.p_reg"),
        "one driver",
        "s.send.msg.r //= s.a_reg",
    ),
    "block-and-connection": Mistake(
        SENT,
        f"{SENT}        s.product //= s.doubled\n",
        ("two drivers of one net", "s.doubled and s.product"),
        "one driver",
        "s.product //= s.doubled",
    ),
    "field-in-a-block": Mistake(
        "s.a_reg <<= s.recv.msg.a",
        "s.a_reg <<= s.recv.msg.x",
        ("s.recv.msg has no x",),
        "the fields a, b, m",
    ),
    "field-in-a-connection": Mistake(
        SENT,
        "        s.send.msg.result //= s.p_reg\n",
        ("has no attribute 'result'",),
        "the fields r",
    ),
    "port": Mistake("s.control.load:", "s.control.start:", ("s.control has no start",), "load"),
    "wire-of-a-part": Mistake(
        "s.control.load:",
        "s.control.skips:",
        ("Wire s.control.skips is read in seq_operands",),
        "OutPorts of its parts",
    ),
    "input-of-its-own": Mistake(
        ADDED,
        f"{ADDED}            s.recv.val @= 0\n",
        ("InPort s.recv.val is written in comb_add",),
        "InPorts of its parts",
        "s.recv.val @= 0",
    ),
    "signal": Mistake(
        ADDED, ADDED.replace("product", "prodct"), ("s has no prodct",), "p_reg, product, recv"
    ),
    "index": Mistake(
        "s.b_reg[nbits - 1]", "s.b_reg[nbits]", ("s.b_reg has no bit [2]", "nbits=2"), "bits 0 to 1"
    ),
    "number": Mistake(
        "s.a_reg = Wire(Value)",
        "s.a_reg = 0",
        ("s.a_reg is not a signal, but 0",),
        "Wire(...)",
        "s.a_reg <<= s.recv.msg.a",
    ),
    "blocks-of-one-name": Mistake(
        "        def seq_operands():\n",
        "        def comb_add():\n",
        ("same name comb_add",),
        "a name of its own",
        "@update_ff",
    ),
    "equals": Mistake(ADDED, ADDED.replace("@", ""), ("= in an update block",), "@="),
    "equals-in-ff": Mistake("s.p_reg <<= 0", "s.p_reg = 0", ("= in an update_ff block",), "<<="),
    "other-assignment": Mistake(
        "s.p_reg <<= 0", "s.p_reg @= 0", ("@= in an update_ff block",), "@= is for update"
    ),
    "width-of-a-connection": Mistake(
        SENT, "        s.send.msg.r //= s.product\n", ("idth mismatch", "Bits2 != Bits3"), "zext"
    ),
    "name-in-construct": Mistake(
        "s.a_reg = Wire(Value)", "s.a_reg = Wire(Vlaue)", ("name 'Vlaue'",), "names of this file"
    ),
}
"""Mistakes that PyMTL3 reports while it elaborates the circuit."""

CHECKED = {
    "loop": Mistake(
        "s.twice @= zext(s.p_reg, Sum) << 1",
        "s.twice @= ~s.product",
        ("combinational loop in ", ".doubled -> s", ".product -> s"),
        "a register",
    ),
    "width-of-operands": Mistake(
        "s.added @= s.doubled + zext(s.a_reg, Sum)",
        "s.added @= s.doubled + s.a_reg",
        ("s.doubled is Bits9, s.a_reg is Bits8", "nbits=8", "comb_add"),
        "zext",
    ),
    "width-of-an-assignment": Mistake(
        "s.p_reg <<= s.product[0:nbits]",
        "s.p_reg <<= s.product",
        ("s.p_reg is Bits8, s.product is Bits9", "nbits=8", "seq_operands"),
        "zext",
    ),
    "latch": without(
        "            s.added @= s.doubled\n",
        "s.added of",
        "not assigned on every path of comb_add: a latch",
        statement="s.added @= s.doubled + zext(s.a_reg, Sum)",
        allowed="before the if, or in an else",
    ),
    "read-too-early": Mistake(
        "            s.added @= s.doubled\n",
        "            s.added @= s.product + 1\n",
        ("s.product of", "is read before comb_add assigns it"),
        "a register",
    ),
    "keyword": Mistake(
        "        s.product = Wire(Sum)\n",
        "        s.product = Wire(Sum)\n        s.reg = Wire(Sum)\n",
        ("s.reg of", "a reserved word of SystemVerilog"),
        "another name, such as reg_value",
        "s.reg = Wire(Sum)",
    ),
    "no-val": without(
        "        s.control.send_val //= s.send.val\n",
        "nothing drives s.send.val of",
        statement="s.send = SendIfcRTL(product_response(nbits))",
        allowed="one driver",
    ),
    "no-rdy": without(
        "        s.control.recv_rdy //= s.recv.rdy\n",
        "nothing drives s.recv.rdy of",
        statement="s.recv = RecvIfcRTL(product_request(nbits))",
        allowed="one driver",
    ),
    "no-input-of-a-part": without(
        "        s.control.recv_val //= s.recv.val\n",
        "nothing drives s.recv_val of SerialControl",
        "s.control of the circuit",
        statement="s.control = SerialControl(nbits, finish_cycles=0)",
        allowed="one driver",
    ),
    "no-wire": without(
        "            s.modulus @= zext(s.m_reg, Sum)\n",
        "nothing drives s.modulus of",
        statement="s.modulus = Wire(Sum)",
        allowed="one driver",
    ),
    "no-result": without(
        SENT,
        "nothing drives s.send.msg of",
        statement="s.send = SendIfcRTL(product_response(nbits))",
        allowed="one driver",
    ),
}
"""Mistakes that PyMTL3 does not report."""

WRONG_RESULT = ("s.doubled + zext(s.a_reg, Sum)", "s.doubled + zext(s.b_reg, Sum)")
WRONG_CYCLES = ("SerialControl(nbits, finish_cycles=0)", "SerialControl(nbits, finish_cycles=1)")
