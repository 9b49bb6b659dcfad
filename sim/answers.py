"""Messages about wrong answers and wrong numbers of cycles."""

from fl.status import Status
from sim.runners import Answer
from sim.vectors import Vector


def fault(vector: Vector, answer: Answer) -> str | None:
    """Describe the fault of an answer or of its vector; None if both are right."""
    if vector.expected != vector.result:
        return (
            f"the vector expects {vector.expected:x}, but Python gives {vector.result:x} "
            f"(result {answer.result:x})"
        )
    if answer.status != vector.status:
        return f"status {status_of(answer)}, expected {vector.status}"
    if answer.result != vector.result:
        return f"result {answer.result:x}, expected {vector.result:x}"
    return None


def other_cycles(got: int | None, expected: int, name: str = "cycles") -> str:
    """Describe a difference between the simulated cycles and the cycle model."""
    return f"{name} {got}, the cycle model says {expected}"


def status_of(answer: Answer) -> str:
    """Name of the status of an answer."""
    return str(answer.status) if isinstance(answer.status, Status) else f"unknown_{answer.status}"
