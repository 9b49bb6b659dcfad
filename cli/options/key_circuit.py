"""Chooses the circuit for the modulus of an RSA key, and vectors that test it with the key."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.catalog.choices import MAX_GROWTH_NBITS
from rsaxcel.cli.keys.crypt_actions import ACTIONS
from rsaxcel.cli.keys.key_file import RsaKey, read_key
from rsaxcel.cli.keys.key_fit import check_fit, configure_for_key
from rsaxcel.cli.options.common import check_circuit
from rsaxcel.cli.options.vectors import VectorSource, choose_vectors
from rsaxcel.fl.modulus_parameter import MODULUS
from rsaxcel.fl.pseudo_modulus import NoPseudoModulus, PseudoModulus, find_pseudo_modulus
from rsaxcel.sim.operations import operation
from rsaxcel.sim.vectors import Vector
from rsaxcel.store.errors import UserError

PSEUDO_DESIGN = "cm_pm_r2l"
"""Default design for a key whose modulus has a pseudo-modulus."""
DESIGN = "cm_r2l"
"""Default design for all other keys that are narrow enough."""
WIDE_DESIGN = "systolic_l2r_always"
"""Default design for keys for which the circuits of the others would be too large."""


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
        Name of the design; by default ``PSEUDO_DESIGN``, ``DESIGN`` or ``WIDE_DESIGN``.
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
    if MODULUS.name in params:
        raise UserError(f"--param {MODULUS.name}: the modulus is that of the key, {file}")
    if design:
        configuration = _configure(file, key, design, params)
    else:
        configuration = _default(file, key, bool(pseudo and pseudo.cofactor > 1), params)
    check_circuit(configuration)
    for operation_name in _operations(key):
        check_fit(configuration, key, ACTIONS[operation_name], str(file))
    return KeyCircuit(file, key, pseudo, reason, configuration)


def _configure(file: Path, key: RsaKey, name: str, params: Mapping[str, str]) -> Configuration:
    """Configure a design for a key's width and, if its circuit is for one modulus, its modulus."""
    configuration = configure_for_key(name, params, key, str(file))
    if configuration.constant_modulus:
        own = {**params, MODULUS.name: f"{key.n:x}"}
        configuration = configure_for_key(name, own, key, str(file))
    return configuration


def _default(file: Path, key: RsaKey, pseudo: bool, params: Mapping[str, str]) -> Configuration:
    """Configure the first default design whose circuit can be built for a key."""
    for name in (PSEUDO_DESIGN, DESIGN)[not pseudo :]:
        if key.nbits in catalog.get(name).widths:
            configuration = _configure(file, key, name, params)
            with suppress(ValueError):  # too large
                configuration.check_circuit()
                return configuration
    return _configure(file, key, WIDE_DESIGN, params)


def key_tests(circuit: KeyCircuit, count: int, seed: int) -> tuple[list[Vector], str]:
    """Make vectors with each exponent of the key, ``count`` of each; also return their origin."""
    to_do = operation(circuit.configuration)
    vectors: list[Vector] = []
    origins = []
    for name in _operations(circuit.key):
        source = VectorSource(None, count, seed, circuit.file, name, known_key=circuit.key)
        chosen = choose_vectors(to_do, circuit.configuration.nbits, source)
        origins.append(f"{name}: {chosen.origin}")
        vectors += chosen.vectors
    numbered = [replace(vector, line=line) for line, vector in enumerate(vectors, 1)]
    return numbered, "; ".join(origins)


def _operations(key: RsaKey) -> tuple[str, ...]:
    """Names of the operations that a key allows: encrypt; decrypt, too, with a private key."""
    return ("encrypt",) if key.d is None else ("encrypt", "decrypt")
