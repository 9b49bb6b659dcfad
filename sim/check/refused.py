"""Why a design is refused."""


class Refused(Exception):  # noqa: N818
    """Why a design is refused.

    Parameters
    ----------
    kind
        A key of ``KINDS``.
    reason
        One line.
    replay
        Command that shows it.
    """

    def __init__(self, kind: str, reason: str, replay: str = "") -> None:
        super().__init__(kind, reason, replay)
        self.kind, self.reason, self.replay = kind, reason, replay

    def __str__(self) -> str:
        """Give the reason."""
        return self.reason


KINDS = {
    "wrong": "a result is wrong",
    "state": "an answer depends on what came before",
    "cycles": "the cycle model is wrong",
    "model": "the golden model is wrong",
    "declared": "it breaks its own contract",
    "workload": "it knows the workload",
    "touches": "it touches what is not its own",
    "verilog": "its Verilog is refused, or differs from the circuit in PyMTL3",
    "limits": "it takes too long or too much memory",
    "broken": "it can't be built",
    "flow": "the flow refuses it",
}
"""Why a design is refused, for people."""
