"""Contract of the units that compute constants of the modulus."""

from abc import ABC, abstractmethod
from typing import ClassVar

from rsaxcel.plan.modulus_constants import Formula, ModulusConstant
from rsaxcel.plan.parameters import Parameter


class ConstantUnit(ABC):
    """A unit that computes one constant of the modulus; the constant's formula is its golden model.

    ``params`` are the circuit's parameters; these do not change the constant.
    """

    meaning: ClassVar[str]  #: way of computing, in a few words for users

    def __init__(self, nbits: int, constant: ModulusConstant, **params: object):
        self.nbits = nbits
        self.constant = constant

    @classmethod
    @abstractmethod
    def computes(cls, formula: Formula, nbits: int) -> bool:
        """Whether the unit can compute a formula for moduli of ``nbits`` bits."""

    @classmethod
    def parameters(cls, formula: Formula) -> tuple[Parameter, ...]:
        """Parameters of the circuit of a formula.

        Users write `r2_bits_per_cycle` for constant `r2`.
        """
        return ()
