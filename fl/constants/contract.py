"""What a unit that computes constants declares about itself."""

from abc import ABC, abstractmethod
from typing import ClassVar

from plan.modulus_constants import Formula, ModulusConstant
from plan.parameters import Parameter


class ConstantUnit(ABC):
    """A unit that takes a modulus and gives one constant of it; what it gives is its formula.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    constant : ModulusConstant
        What is computed.
    **params
        Parameters of the circuit; they do not change what is computed.
    """

    meaning: ClassVar[str]
    """How it computes, in a few words for users."""

    def __init__(self, nbits: int, constant: ModulusConstant, **params: object):
        self.nbits = nbits
        self.constant = constant

    @classmethod
    @abstractmethod
    def computes(cls, formula: Formula, nbits: int) -> bool:
        """Whether it can compute a formula of moduli of ``nbits`` bits."""

    @classmethod
    def parameters(cls, formula: Formula) -> tuple[Parameter, ...]:
        """Parameters of the circuit that computes a formula.

        Users write the constant's name and an underscore in front of theirs.
        """
        return ()
