"""``rsaxcel circuit``: from an RSA key to a circuit for its modulus."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.catalog.choices import MAX_GROWTH_NBITS
from rsaxcel.cli.fpga import FAMILIES, describe, estimates
from rsaxcel.cli.keys import ACTIONS, RsaKey, check_fit, configure_for_key, read_key
from rsaxcel.cli.options.common import check_circuit, design_text, param_option, tell_choices
from rsaxcel.cli.options.plain import excludes, json_option, random_option, seed_option
from rsaxcel.cli.options.vectors import VectorSource, choose_vectors
from rsaxcel.cli.progress import steps
from rsaxcel.cli.verilog import folder_option, tell_paths, tell_simulators, texts_of, write_texts
from rsaxcel.fl.contract import MODULUS, ConstantMultiplier
from rsaxcel.fl.pseudo_modulus import NoPseudoModulus, PseudoModulus, find_pseudo_modulus
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import translation
from rsaxcel.sim.testbench import testbench
from rsaxcel.sim.vectors import Vector
from rsaxcel.store.errors import UserError

if TYPE_CHECKING:
    from rsaxcel.flow.fpga import FpgaRecord

#: Default design for a key whose modulus has a pseudo-modulus.
PSEUDO_DESIGN = "cm_pm_r2l"
#: Default design for all other keys that are narrow enough.
DESIGN = "cm_r2l"
#: Default design for keys for which the circuits of the others would be too large.
WIDE_DESIGN = "systolic_l2r_always"


@dataclass(frozen=True)
class KeyCircuit:
    """Key, pseudo-modulus of its modulus, and configuration of the circuit for it."""

    file: Path  #: PEM file of the key
    key: RsaKey
    #: cheapest pseudo-modulus of the key's modulus; None if there is none
    pseudo: PseudoModulus | None
    reason: str  #: reason why the modulus has no pseudo-modulus; empty if it has one
    configuration: Configuration  #: circuit, as wide as the modulus

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
        """Describe in one line the pseudo-modulus, and the modulus of products."""
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
    """Read a key, search a pseudo-modulus, and configure a circuit for the key."""
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
    catalog.get(name)  # a design in Verilog is refused
    configuration = configure_for_key(name, params, key, str(file))
    if configuration.constant_modulus:
        own = {**params, MODULUS.name: f"{key.n:x}"}
        configuration = configure_for_key(name, own, key, str(file))
    assert isinstance(configuration, Configuration)
    return configuration


def _default(file: Path, key: RsaKey, pseudo: bool, params: Mapping[str, str]) -> Configuration:
    """Configure the first default design whose circuit can be built for a key."""
    for name in (PSEUDO_DESIGN, DESIGN)[not pseudo :]:
        if key.nbits in catalog.get(name).widths:
            configuration = _configure(file, key, name, params)
            with suppress(ValueError):  # a circuit that is too large
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


_VECTORS = 5
_COLUMN = 16


@click.command(
    epilog=f"""\b
    Examples:
      rsaxcel circuit small.pem --output circuit
      rsaxcel circuit small.pem --design dm_r2l --param schedule=window --no-estimate
      openssl genrsa -out me.pem 1024
      rsaxcel circuit me.pem --design mm_r2l --family xc7 --json

    \b
    Design unless --design names one    for keys
    {PSEUDO_DESIGN:<36}whose modulus has a pseudo-modulus: a multiple that is
                                        2^t - 1, 2^t + 1 or another cheap form
    {DESIGN:<36}of other moduli, up to about 110 bits
    {WIDE_DESIGN:<36}wider than that, which means all keys in real use

    \b
    The first two, and dm_r2l, are built for the one modulus, and take keys of up
    to {ConstantMultiplier.widths[-1]} bits; compressor trees of wide moduli are too large. Designs
    for any modulus, such as {WIDE_DESIGN} or ssmm_r2l, take up to
    {catalog.get(WIDE_DESIGN).widths[-1]} bits; of the key, they need the width only.
    """
)
@click.argument("key_file", metavar="KEY", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--design", metavar="NAME", help="Design; `rsaxcel list` names all designs.")
@param_option
@random_option("Number of vectors in the testbench for each exponent of the key.", _VECTORS)
@seed_option("Seed of the vectors.")
@click.option(
    "--family",
    "families",
    type=click.Choice(FAMILIES),
    multiple=True,
    default=FAMILIES[:1],
    help="FPGA to estimate resources for: Cyclone V or Xilinx 7 series; can be repeated.",
)
@click.option(
    "--no-estimate", is_flag=True, help="Leave the estimate out: from 32 bits on, it takes minutes."
)
@folder_option
@json_option()
@excludes("--no-estimate", "--family")
def command(
    key_file: Path,
    design: str | None,
    params: dict[str, str],
    count: int,
    seed: int,
    families: tuple[str, ...],
    no_estimate: bool,
    output: Path,
    as_json: bool,
) -> None:
    """Write the circuit that exponentiates modulo the modulus of the RSA key in the file KEY.

    The modulus is read, and a pseudo-modulus of it is searched. The circuit is as wide as the key.
    Its Verilog is written to NAME.sv and, as Verilog-2005, to NAME.v. NAME_tb.sv is a testbench
    that encrypts random numbers with the key's public exponent and, if the key is private, decrypts
    others; it checks results and cycles, prints PASS or FAIL, and runs in any Verilog simulator
    without Python. NAME_fpga.json has the estimated resources of an FPGA.

    KEY is an RSA key in PEM, in DER or of OpenSSH, without a password. The circuit itself takes its
    exponent with each request, and has no secret in it. The testbench of a private key contains the
    private exponent, and only its owner can read it: give a public key where that must not be.
    """
    found = key_circuit(key_file, design, params)
    configuration = found.configuration
    tell_choices(configuration, params)
    with steps(f"circuit {key_file}"):
        module = translation(configuration, "rtl")
        vectors, origin = key_tests(found, count, seed)
        bench = testbench(configuration, module, vectors, origin)
        paths = write_texts(
            output, texts_of(module, bench, plain=True), secret=found.key.d is not None
        )
    if not as_json:
        click.echo(_text(found))
        tell_paths(paths)
        tell_simulators(output, module)
    records = []
    for record in () if no_estimate else estimates(configuration, families):
        records.append(record)
        if not as_json:
            click.echo(describe(record))
    if records:
        lines = "".join(json.dumps(record.as_json()) + "\n" for record in records)
        paths += (estimate := write_texts(output, {f"{module.top}_fpga.json": lines}))
        if not as_json:
            tell_paths(estimate)
    if as_json:
        click.echo(json.dumps(_record(found, paths, records)))


def _text(found: KeyCircuit) -> str:
    """Text on a key and its circuit: a line each for key, modulus, pseudo-modulus and design."""
    key, configuration = found.key, found.configuration
    kind = "public" if key.d is None else "private"
    rows = (
        ("key", f"{found.name}, {kind}, {key.nbits} bits, e = {key.e}"),
        ("modulus", f"{key.n:#x}"),
        ("pseudo-modulus", found.pseudo_text),
        (
            "design",
            design_text(configuration.design_name, configuration.nbits, configuration.params),
        ),
    )
    return "\n".join(f"{label:<{_COLUMN}}{value}" for label, value in rows)


def _record(found: KeyCircuit, paths: list[Path], records: list["FpgaRecord"]) -> dict[str, Any]:
    configuration, pseudo = found.configuration, found.pseudo
    return {
        "key": found.name,
        "modulus": f"{found.key.n:#x}",
        "pseudo_modulus": str(pseudo) if pseudo else None,
        "cofactor": found.cofactor,
        "design": configuration.design_name,
        "nbits": configuration.nbits,
        "params": configuration.params,
        "files": [str(path) for path in paths],
        "fpga": [record.as_json() for record in records],
    }
