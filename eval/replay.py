"""The command that runs a vector again."""

import json
from shlex import quote

from catalog import AnyConfiguration
from eval.operations import Operands, named, operation


def replay(configuration: AnyConfiguration, level: str, engine: str, operands: Operands) -> str:
    """Give the command for a shell, with all parameters, that shows every cycle.

    Parameters
    ----------
    configuration : Configuration or MultiplierConfiguration
        Design or multiplier.
    level, engine : str
        Level, and the engine of a simulation: ``"native"``, ``"pymtl"`` or ``"python"``.
    operands : tuple of int
        The vector's operands, in their order.
    """
    values = named(operation(configuration), operands)
    vector = json.dumps({key: f"{x:x}" for key, x in values.items()})
    options = [f"--nbits {configuration.nbits}"]
    options += [f"--param {quote(f'{k}={v}')}" for k, v in configuration.params.items()]
    options += [f"--level {level}", *(["--engine pymtl"] if engine == "pymtl" else [])]
    name = configuration.design.name
    return f"echo {quote(vector)} | rsaxcel sim {name} {' '.join(options)} --vectors - --trace"
