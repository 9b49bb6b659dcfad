"""The exception that refuses a design, and the kinds of reasons."""

from rsaxcel.store.errors import RunError


class Refused(RunError):  # noqa: N818
    """Refuses a design: kind (of ``KINDS``), reason, and shell command that shows the fault."""

    def __init__(self, kind: str, reason: str, replay: str = "") -> None:
        super().__init__(kind, reason, replay)
        self.kind, self.reason, self.replay = kind, reason, replay

    def __str__(self) -> str:
        return self.reason


#: Kinds of reasons, with their texts in the output.
KINDS = {
    "wrong": "a result is wrong",
    "state": "an answer depends on more than its request",
    "cycles": "the cycle model is wrong",
    "model": "the golden model is wrong",
    "declared": "it breaks its own contract",
    "workload": "it contains the key of the workload",
    "touches": "it uses or changes something outside the design",
    "verilog": "its Verilog is refused, or differs from the circuit in PyMTL3",
    "netlist": "its netlist is wrong",
    "protocol": "its handshakes are not those of its description",
    "limits": "it takes too long or too much memory",
    "broken": "it can't be built",
    "flow": "the flow refuses it",
    "unknown": "it could not be checked, which says nothing about it",
}
