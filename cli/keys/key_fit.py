"""Operations with an RSA key, and whether a circuit fits the key: if not, what to change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.catalog.choices import WidthError, allowed_widths
from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.catalog.multipliers import design_widths
from rsaxcel.circuit import Halves
from rsaxcel.cli.keys.key_file import RsaKey
from rsaxcel.cli.options.common import refused_option
from rsaxcel.diagnosis.error import silent
from rsaxcel.fl.blinded_key import UNVARIED, Variation
from rsaxcel.fl.pkcs1 import BlockType
from rsaxcel.fl.status import Status
from rsaxcel.plan.domains import HALF_NBITS
from rsaxcel.plan.measures import MEASURES
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.schedules import EXPONENT_NBITS
from rsaxcel.sim.operations import fits, prime_too_wide
from rsaxcel.sim.vectors import NO_PRIMES, PRIVATE_ONLY
from rsaxcel.store.errors import UserError

_NO_SIGNATURE = (
    Status.PADDING_WRONG,
    Status.LENGTH_WRONG,
    Status.MESSAGE_TOO_LONG,
    Status.BASE_TOO_LARGE,
    Status.OPERAND_TOO_WIDE,
)


@dataclass(frozen=True)
class Action:
    """An operation with an RSA key: encrypt, decrypt, sign or verify."""

    name: str  #: name on the command line
    private: bool  #: whether the operation uses the private exponent
    signature: bool  #: whether the padding is that of signatures (block type 1)
    #: statuses that mean a wrong signature or ciphertext, rather than bad input
    refuses: tuple[Status, ...] = ()

    @property
    def pads(self) -> bool:
        """Whether a padding is added to the input; otherwise, the output loses its padding."""
        return self.private == self.signature

    @property
    def block_type(self) -> BlockType:
        """Block type of the padding by PKCS#1 v1.5."""
        return BlockType.SIGNATURE if self.signature else BlockType.ENCRYPTION


ACTIONS = {
    action.name: action
    for action in (
        Action("encrypt", private=False, signature=False),
        Action("decrypt", private=True, signature=False, refuses=(Status.PADDING_WRONG,)),
        Action("sign", private=True, signature=True),
        Action("verify", private=False, signature=True, refuses=_NO_SIGNATURE),
    )
}


class CryptOutcome(NamedTuple):
    """Response of the accelerator to an action."""

    status: Status
    output: bytes  #: output of the accelerator; empty if it refuses the input
    #: length in bytes of the longest input that the accelerator accepts with this key
    most_nbytes: int
    #: cycles from the acceptance of the write that starts the operation to the interrupt; None
    #: without a simulation
    cycles: int | None
    #: cycles of all bus accesses, including those that load the key and the message and read the
    #: output; None without a simulation
    total_cycles: int | None


def configure_for_key(
    design: str, params: Mapping[str, str], key: RsaKey, name: str, variation: Variation = UNVARIED
) -> Exponentiator:
    """Configure a design as wide as a key and its variation; ``name``: the key file's name."""
    nbits = variation.widened(key.nbits)
    try:
        with silent():
            return catalog.find_design(design).configure(nbits, **params)
    except WidthError as error:
        told = f"{key_width(key, variation)}; {error.allowed}{_others(nbits)}"
        raise UserError(f"{name}: {told}") from error


def key_width(key: RsaKey, variation: Variation = UNVARIED) -> str:
    """Text on the width of a key, and on the variation that makes its moduli wider."""
    more = variation.factor_nbits
    return f"a key of {key.nbits} bits" + (f" and two random primes of {more}" if more else "")


def _others(nbits: int) -> str:
    """Name the designs that take any key of a width; empty if there are none."""
    rules = {x: y.default.rules for x, y in catalog.DESIGNS.items() if nbits in y.widths}
    names = [x for x, y in rules.items() if not y.halves and not y.constant_modulus]
    return f"; --design with one of {', '.join(names)} takes it" if names else ""


def check_fit(
    configuration: Exponentiator,
    key: RsaKey,
    action: Action,
    name: str,
    variation: Variation = UNVARIED,
) -> None:
    """Check that a configuration can use a key; ``name`` is the name of the key's file.

    ``variation`` tells how the moduli vary.
    """
    halves = configuration.rules.halves
    needed = variation.widened(key.nbits)
    if needed > configuration.nbits:
        widths = _widths(configuration)
        told = allowed_widths(widths, configuration.design_name)
        if needed in widths:
            told = f"give --nbits {needed}"
            if configuration.constant_modulus not in (0, key.n):
                told = _own_modulus(
                    configuration, key, f"{told} --param modulus={key.n:#x}", needed
                )
        raise UserError(f"{name}: {key_width(key, variation)}; {told}")
    if told := variation.refusal(halves):
        raise UserError(f"{refused_option(variation)}: {told}")
    if halves:
        _check_primes(configuration, halves, key, action, name, variation.factor_nbits)
        return
    kind, exponent = ("private", key.d or 0) if action.private else ("public", key.e)
    needed, wide = exponent.bit_length(), configuration.exponent_nbits
    if needed > wide:
        raise UserError(
            f"{name}: {Status.OPERAND_TOO_WIDE}: its {kind} exponent has {needed} bits, "
            f"exponent_nbits={wide}; {_wider(configuration, EXPONENT_NBITS, needed)}"
        )
    if configuration.constant_modulus not in (0, key.n):
        told = f"--param modulus={key.n:#x} makes it the key's modulus"
        told = _own_modulus(configuration, key, told, configuration.nbits)
        one = f"{configuration.design_name} is for one modulus"
        raise UserError(f"{name}: {Status.MODULUS_OTHER}: {one}; {told}")


def _widths(configuration: Exponentiator) -> Sequence[int]:
    if isinstance(configuration, Configuration):
        return design_widths(configuration.multiplier.classes.fl)
    return catalog.find_design(configuration.design_name).widths


def _check_primes(
    configuration: Exponentiator,
    halves: Halves,
    key: RsaKey,
    action: Action,
    name: str,
    blind_nbits: int,
) -> None:
    if key.primes is None:
        raise UserError(f"{name}: {NO_PRIMES}")
    if not fits(key.primes, halves, blind_nbits):
        needed = max(key.primes).bit_length() + blind_nbits
        told = prime_too_wide(key.primes, halves, blind_nbits)
        raise UserError(f"{name}: {told}; {_wider(configuration, HALF_NBITS, needed)}")
    exponent, more = (key.d or 0, blind_nbits) if action.private else (key.e, 0)
    needed = max(exponent % (prime - 1) for prime in key.primes).bit_length() + more
    wide = configuration.rules.exponent_nbits
    if needed > wide:
        raise UserError(
            f"{name}: {Status.OPERAND_TOO_WIDE}: an exponent of a prime has {needed} bits, "
            f"exponent_nbits={wide}; {_wider(configuration, EXPONENT_NBITS, needed)}"
        )
    if halves.public is None:
        return
    if not action.private:
        raise UserError(f"{name}: {PRIVATE_ONLY}")
    needed, most = key.e.bit_length(), halves.public_nbits
    if needed > most:
        parameters = (parameter for measure in MEASURES for parameter in measure.all_parameters)
        width = next(x for x in parameters if x.name == halves.public.width)
        raise UserError(
            f"{name}: {Status.OPERAND_TOO_WIDE}: its public exponent has {needed} bits, "
            f"{width.name}={most}; {_wider(configuration, width, needed)}"
        )


def _own_modulus(configuration: Exponentiator, key: RsaKey, advice: str, nbits: int) -> str:
    """Return advice to configure a design for a key's modulus, or why that is not possible."""
    try:
        catalog.find_design(configuration.design_name).configure(
            nbits, **{**configuration.changed, "modulus": key.n}
        )
    except ValueError as error:
        return str(error)
    return advice


def _wider(configuration: Exponentiator, parameter: Parameter, needed: int) -> str:
    """Text on the value of a parameter that a number needs, or on the allowed values."""
    try:
        wider = {**configuration.params, parameter.name: needed}
        catalog.find_design(configuration.design_name).configure(configuration.nbits, **wider)
    except ValueError:
        assert isinstance(configuration, Configuration)  # no other has such a parameter
        own = next(p for p in configuration.parameters if p.name == parameter.name)
        allowed = own.describe_allowed(configuration.nbits)
        return f"{allowed} allowed for {configuration.name}"
    return f"--param {parameter.name}={needed} takes it"
