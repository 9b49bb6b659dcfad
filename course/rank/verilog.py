"""Restricts Verilog to the subset that translations of PyMTL3 circuits use.

Full Verilog could run programs in the simulator, behave differently in simulation and in synthesis,
or give registers initial values, which the registers of a circuit do not have.
"""

from __future__ import annotations

import re

from pymtl3.passes.backends.verilog.util.utility import verilog_reserved

from sim.check.refused import Refused
from store.code import without_comments

_ALLOWED = frozenset(
    "always_comb always_ff assign begin else end endmodule for if input int localparam logic "
    "module output packed posedge struct typedef unsigned".split()
)
_SPLIT = "/* verilator split_var */"
_LARGEST = 1 << 25
_TOKEN = re.compile(
    r"""(?P<literal> \d* \s* '[sS]? [dDbBhHoO] \s* [0-9a-fA-FxXzZ?_]+ )
      | (?P<word> [A-Za-z_][\w$]* )
      | (?P<number> \d[\d_]* )
      | (?P<fill> ' [01xXzZ] \b )
      | (?P<attribute> \( \* (?! \s* \) ) )
      | (?P<comment> /[/*] )
      | (?P<sign> \S )""",
    re.VERBOSE,
)
_SIGNS = frozenset("[](){}.,:;=<>&|^~!+-*/%?@'")


def check_verilog(text: str) -> str:
    """Check a Verilog text and return it without comments.

    Raises
    ------
    Refused
        If the text is too long, or a token is not allowed; the message names the token's line.
    """
    if len(text) > _LARGEST:
        raise Refused("verilog", f"more than {_LARGEST >> 20} MB of Verilog")
    text = without_comments(text, ".v")
    bare = text.replace(_SPLIT, "")
    for number, line in enumerate(bare.splitlines(), 1):
        for token in _TOKEN.finditer(line):
            if not _allowed(token):
                raise Refused(
                    "verilog", f"line {number}: {token[0]} is not allowed: {line.strip()}"
                )
    return text


def _allowed(token: re.Match[str]) -> bool:
    kind, value = token.lastgroup, token[0]
    if kind == "word":
        return "$" not in value and (value in _ALLOWED or value not in verilog_reserved)
    if kind == "literal":
        return not re.search(r"[xXzZ?]", value.partition("'")[2])
    if kind == "fill":
        return value[1] in "01"
    return kind == "number" or (kind == "sign" and value in _SIGNS)
