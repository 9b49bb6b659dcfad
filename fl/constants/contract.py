"""Contract of the units that compute constants of the modulus."""

from abc import ABC, abstractmethod
from typing import ClassVar

from rsaxcel.plan.modulus_constants import Formula, ModulusConstant
from rsaxcel.plan.parameters import Parameter


class ConstantUnit(ABC):
    """A unit that computes one constant of the modulus; the constant's formula is its golden model.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    constant : ModulusConstant
        Constant that the unit computes.
    **params
        Parameters of the circuit; they do not change what is computed.
    """

    meaning: ClassVar[str]
    """How the unit computes the constant, in a few words for users."""

    def __init__(self, nbits: int, constant: ModulusConstant, **params: object):
        self.nbits = nbits
        self.constant = constant

    @classmethod
    @abstractmethod
    def computes(cls, formula: Formula, nbits: int) -> bool:
        """Whether the unit can compute a formula for moduli of ``nbits`` bits."""

    @classmethod
    def parameters(cls, formula: Formula) -> tuple[Parameter, ...]:
        """Parameters of the circuit that computes a formula.

        To set one of them, users write the name of the constant, an underscore and the name of the
        parameter, such as ``r2_bits_per_cycle`` for the constant ``r2``.
        """
        return ()
