"""Operations with an RSA key: encrypt, decrypt, sign and verify, and their outcomes."""

from dataclasses import dataclass
from typing import NamedTuple

from rsaxcel.fl.pkcs1 import BlockType
from rsaxcel.fl.status import Status

_NO_SIGNATURE = (
    Status.PADDING_WRONG,
    Status.LENGTH_WRONG,
    Status.MESSAGE_TOO_LONG,
    Status.BASE_TOO_LARGE,
    Status.OPERAND_TOO_WIDE,
)


@dataclass(frozen=True)
class Action:
    """An operation with an RSA key: encrypt, decrypt, sign or verify.

    Parameters
    ----------
    name : str
        Name on the command line.
    private : bool
        Whether the operation uses the private exponent.
    signature : bool
        Whether the padding is the one of signatures (block type 1).
    refuses : tuple of Status
        Statuses that mean a wrong signature or ciphertext, rather than bad input.
    """

    name: str
    private: bool
    signature: bool
    refuses: tuple[Status, ...] = ()

    @property
    def pads(self) -> bool:
        """Whether a padding is added to the input; otherwise, one is removed from the output."""
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
    """Response of the accelerator to an action.

    Parameters
    ----------
    status : Status
        Status of the response.
    output : bytes
        Output of the accelerator; empty if it refuses the input.
    most_nbytes : int
        Length in bytes of the longest input that the accelerator accepts with this key.
    cycles : int, optional
        Cycles from the acceptance of the write that starts the operation to the interrupt; None
        without a simulation.
    total_cycles : int, optional
        Cycles of all bus accesses, including those that load the key and the message and read
        the output; None without a simulation.
    """

    status: Status
    output: bytes
    most_nbytes: int
    cycles: int | None
    total_cycles: int | None
