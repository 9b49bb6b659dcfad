"""Ports that the C++ test benches drive: two streams, or a processor system; C++ is generated."""

from collections.abc import Callable
from dataclasses import dataclass

from rsaxcel.proc.ports import MemReqMsg, MemRespMsg
from rsaxcel.sim.translate import Message, message_of


@dataclass(frozen=True)
class Ports:
    """Verilog names of the ports of a protocol, without ``clk`` and ``reset``."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        return self.inputs + self.outputs

    def source(
        self, name: str, parameters: str, kind: Callable[[str], str], start: Callable[[str], str]
    ) -> str:
        """Generate a C++ structure with a member per port, set by ``start(port)``."""
        names = {port: port.replace("__", "_") for port in self.all}
        starts = ",\n          ".join(f"{names[port]}{{{start(port)}}}" for port in self.all)
        members = "".join(f"    {kind(port)} {names[port]};\n" for port in self.all)
        return (
            f"struct {name} {{\n    {name}({parameters})\n        : {starts} {{}}\n{members}}};\n"
        )


STREAM_PORTS = Ports(
    inputs=("recv__msg", "recv__val", "send__rdy"), outputs=("recv__rdy", "send__msg", "send__val")
)

_MEMORIES = ("imem", "dmem")
SYSTEM_PORTS = Ports(
    inputs=(
        *(f"{m}__{port}" for m in _MEMORIES for port in ("req__rdy", "resp__msg", "resp__val")),
        "mngr2proc__msg",
        "mngr2proc__val",
        "proc2mngr__rdy",
        "core_id",
    ),
    outputs=(
        *(f"{m}__{port}" for m in _MEMORIES for port in ("req__msg", "req__val", "resp__rdy")),
        "mngr2proc__rdy",
        "proc2mngr__msg",
        "proc2mngr__val",
        "stats_en",
        "commit_inst",
        "trap_val",
        "trap_cause",
        "trap_pc",
        "trap_inst",
        "trap_value",
    ),
)

_MEMORY_MESSAGES = {"REQUEST": ("req", MemReqMsg), "RESPONSE": ("resp", MemRespMsg)}


def memory_messages_source() -> str:
    """C++ constants: width and fields of the processor's memory requests and responses."""
    lines = []
    for name, (_, kind) in _MEMORY_MESSAGES.items():
        message = message_of(name, kind)
        lines.append(f"constexpr size_t {name}_NBITS = {message.width};\n")
        for field in message.fields:
            constant = f"{name}_{field.name.rstrip('_').upper()}"
            lines.append(f"constexpr Field {constant}{{{field.lsb}, {field.width}}};\n")
    return "".join(lines)


def check_memory_messages(messages: dict[str, Message]) -> None:
    """Check that a system's memory messages are ``MemReqMsg`` and ``MemRespMsg``."""
    for side, kind in _MEMORY_MESSAGES.values():
        for memory in _MEMORIES:
            port = f"{memory}__{side}__msg"
            if messages.get(port) != message_of(port, kind):
                raise ValueError(f"{port} is not a {kind.__name__} of rsaxcel.proc.ports")
