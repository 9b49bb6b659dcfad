"""Shell commands that run a vector again."""

import json
from collections.abc import Mapping
from shlex import quote
from typing import Any

from rsaxcel.circuit import Circuit
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import named, operation
from rsaxcel.sim.vector_keys import MODULUS


def replay(
    configuration: Circuit, level: str, engine: str, operands: Operands, modulus: int = 0
) -> str:
    """Return a shell command that runs a vector and traces every cycle.

    ``modulus`` reduces the result.
    """
    values = {
        **named(operation(configuration), operands),
        **({MODULUS: modulus} if modulus else {}),
    }
    vector = json.dumps({key: f"{x:x}" for key, x in values.items()})
    command = sim_command(configuration.design_name, configuration.nbits, configuration.params)
    options = [f"--level {level}", *(["--engine pymtl"] if engine == "pymtl" else [])]
    return f"echo {quote(vector)} | {command} {' '.join(options)} --vectors - --trace"


def sim_command(name: str, nbits: int, params: Mapping[str, Any]) -> str:
    """Return ``rsaxcel sim ...`` for a design with its width and parameters."""
    chosen = [f"--param {quote(f'{k}={v}')}" for k, v in params.items()]
    return " ".join((f"rsaxcel sim {name} --nbits {nbits}", *chosen))
