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
