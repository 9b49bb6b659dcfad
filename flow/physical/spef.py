"""SPEF files: their head with the names, the total capacitance of each net, and its check."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np

from flow.errors import FlowError

_HEAD = """*SPEF "IEEE 1481-1998"
*DESIGN "{design}"
*DATE "-"
*VENDOR "rsaxcel"
*PROGRAM "rsaxcel"
*VERSION "1"
*DESIGN_FLOW "EXTERNAL_LOADS" "EXTERNAL_SLEWS" "MISSING_NETS"
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER []
*T_UNIT 1 NS
*C_UNIT 1 FF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY

*NAME_MAP
"""
_INDEX = re.compile(r"(.*)(\[\d+\])")
_SPECIAL = re.compile(r"([^A-Za-z0-9_])")
_ESCAPE = re.compile(r"\\(.)")
_HIGHEST_FF = 1e5
"""Highest plausible capacitance of a net's wires in fF: 1 m of wire."""


def spef_head(
    design: str, nets: Sequence[str], instances: Sequence[str], ports: Collection[int] = ()
) -> str:
    """Head of a SPEF file up to its name map.

    Parameters
    ----------
    design
        Name of the top module.
    nets, instances
        Names without backslashes; nets get the numbers from 1 on, then follow the instances.
    ports
        Numbers of the instances that stand for ports. A bit of a port has its index in brackets,
        and a net that has the same name is that bit.
    """
    bits = {instances[port] for port in ports}
    is_port = set(ports)
    named = [spef_name(name, is_bit=name in bits) for name in nets]
    named += [spef_name(name, is_bit=at in is_port) for at, name in enumerate(instances)]
    rows = [f"*{number} {name}\n" for number, name in enumerate(named, 1)]
    return _HEAD.format(design=design) + "".join(rows) + "\n"


def spef_name(name: str, *, is_bit: bool = False) -> str:
    """Escape a name; the brackets around the index of a port's bit stay plain."""
    bit = _INDEX.fullmatch(name) if is_bit else None
    if bit:
        return _SPECIAL.sub(r"\\\1", bit[1]) + bit[2]
    return _SPECIAL.sub(r"\\\1", name)
