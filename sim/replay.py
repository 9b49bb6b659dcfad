"""Shell commands that run a vector again."""

import json
from collections.abc import Mapping
from shlex import quote
from typing import Any

from rsaxcel import catalog
from rsaxcel.circuit import Circuit
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import named, operation
from rsaxcel.sim.vectors import MODULUS


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
    command = command_of("sim", configuration)
    options = [f"--level {level}", *(["--engine pymtl"] if engine == "pymtl" else [])]
    return f"echo {quote(vector)} | {command} {' '.join(options)} --vectors - --trace"


def command_of(verb: str, circuit: Circuit) -> str:
    """Return ``rsaxcel VERB ...`` for a circuit, with its width and parameters."""
    return command(verb, circuit.design_name, circuit.nbits, circuit.params)


def command(verb: str, name: str, nbits: int, params: Mapping[str, Any]) -> str:
    """Return ``rsaxcel VERB ...`` for a design with its width and parameters."""
    given = {k: catalog.typed(v) if k == "multiplier" else v for k, v in params.items()}
    chosen = [f"--param {quote(f'{k}={v}')}" for k, v in given.items()]
    return " ".join((f"rsaxcel {verb} {quote(catalog.typed(name))} --nbits {nbits}", *chosen))
