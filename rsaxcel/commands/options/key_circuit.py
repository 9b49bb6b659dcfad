"""Chooses the circuit for the modulus of an RSA key, and vectors that test it with the key."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import catalog
from catalog import Configuration
from catalog.choices import MAX_GROWTH_NBITS
from diagnosis.silent import silent
from fl.modulus_parameter import MODULUS
from fl.pseudo_modulus import NoPseudoModulus, PseudoModulus, find_pseudo_modulus
from rsaxcel.commands.options.vectors import VectorSource, choose_vectors
from rsaxcel.crypt import check_fit
from rsaxcel.crypt_actions import ACTIONS
from rsaxcel.pem import RsaKey, read_key
from sim.operations import operation
from sim.vectors import Vector
from store.errors import UserError

PSEUDO_DESIGN = "cm_pm_r2l"
"""Default design for a key whose modulus has a pseudo-modulus."""
DESIGN = "cm_r2l"
"""Default design for all other keys."""


@dataclass(frozen=True)
class KeyCircuit:
    """Key, pseudo-modulus of its modulus, and configuration of the circuit for it.

    Parameters
    ----------
    file : Path
        PEM file of the key.
    key : RsaKey
        Key.
    pseudo : PseudoModulus, optional
        Cheapest pseudo-modulus of the key's modulus; None if there is none.
    reason : str
        Why the modulus has no pseudo-modulus; empty if it has one.
    configuration : Configuration
        Circuit, as wide as the modulus.
    """

    file: Path
    key: RsaKey
    pseudo: PseudoModulus | None
    reason: str
    configuration: Configuration

    @property
    def name(self) -> str:
        """Name of the key's file."""
        return str(self.file)

    @property
    def cofactor(self) -> int:
        """The circuit forms products modulo the key's modulus times this number."""
        return self.configuration.choices.domain.cofactor

    @property
    def pseudo_text(self) -> str:
        """Say in one line which pseudo-modulus there is, and modulo what products are formed."""
        if self.pseudo is None:
            text = f"none: {self.reason}"
        elif self.pseudo.cofactor == 1:
            text = f"{self.pseudo}, the modulus itself"
        else:
            text = f"{self.pseudo}, {self.pseudo.cofactor} times the modulus"
        if self.cofactor == 1:
            return f"{text}; products are formed modulo the modulus itself"
        return f"{text}; products are formed modulo {self.cofactor} times the modulus"


def key_circuit(file: Path, design: str | None, params: Mapping[str, str]) -> KeyCircuit:
    """Read a key, search a pseudo-modulus, and configure a circuit for the key.

    Parameters
    ----------
    file : Path
        PEM file of the key.
    design : str, optional
        Name of the design; by default ``PSEUDO_DESIGN`` or ``DESIGN``.
    params : mapping
        The user's parameters and choices, as texts.

    Raises
    ------
    UserError
        If the file has no RSA key, or the design cannot be built for it.
    """
    key, reason, pseudo = read_key(file), "", None
    try:
        pseudo = find_pseudo_modulus(key.n, MAX_GROWTH_NBITS)
    except NoPseudoModulus as error:
        reason = str(error)
    except ValueError as error:
        raise UserError(f"{file}: {error}") from error
    name = design or (PSEUDO_DESIGN if pseudo and pseudo.cofactor > 1 else DESIGN)
    if MODULUS.name in params:
        raise UserError(f"--param {MODULUS.name}: the modulus is that of the key, {file}")
    configuration = _configure(file, key, name, dict(params))
    for operation_name in _operations(key):
        check_fit(configuration, key, ACTIONS[operation_name], str(file))
    return KeyCircuit(file, key, pseudo, reason, configuration)


def _configure(file: Path, key: RsaKey, name: str, params: dict[str, str]) -> Configuration:
    """Configure a design for a key's width and, if its circuit is for one modulus, its modulus."""
    try:
        with silent():
            entry = catalog.get(name)
            if key.nbits not in entry.widths:
                raise UserError(_width_message(file, key, entry))
            configuration = entry.configure(key.nbits, **params)
            if configuration.constant_modulus:
                params[MODULUS.name] = f"{key.n:x}"
                configuration = entry.configure(key.nbits, **params)
    except ValueError as error:
        raise UserError(f"{file}: {error}") from error
    return configuration


def _width_message(file: Path, key: RsaKey, entry: catalog.Design) -> str:
    """Say which widths a design takes, and which designs take the width of a key."""
    widths = entry.widths
    others = [name for name, other in catalog.DESIGNS.items() if key.nbits in other.widths]
    text = f"{file}: a key of {key.nbits} bits; {entry.name} takes {widths[0]} to {widths[-1]} bits"
    return f"{text}, --design with one of {', '.join(others)} takes this key" if others else text


def key_tests(circuit: KeyCircuit, count: int, seed: int) -> tuple[list[Vector], str]:
    """Make vectors with each exponent of the key, ``count`` of each; also return their origin."""
    to_do = operation(circuit.configuration)
    vectors: list[Vector] = []
    origins = []
    for name in _operations(circuit.key):
        source = VectorSource(None, count, seed, circuit.file, name)
        chosen = choose_vectors(to_do, circuit.configuration.nbits, source)
        origins.append(f"{name}: {chosen.origin}")
        vectors += chosen.vectors
    numbered = [replace(vector, line=line) for line, vector in enumerate(vectors, 1)]
    return numbered, "; ".join(origins)


def _operations(key: RsaKey) -> tuple[str, ...]:
    """Names of the operations that a key allows: encrypt; decrypt, too, with a private key."""
    return ("encrypt",) if key.d is None else ("encrypt", "decrypt")
