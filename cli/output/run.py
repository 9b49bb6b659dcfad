"""Prints the output of ``rsaxcel run``: how a run ended, its messages and figures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rsaxcel.proc.elf import Image
from rsaxcel.proc.instruction_sets import PARAMETER, sets_with
from rsaxcel.proc.isa import REGISTER_NAMES, Cause, End, disassemble
from rsaxcel.proc.run import EndlessError, FunctionalRun, run_fl
from rsaxcel.proc.systems import System
from rsaxcel.sim.system_run import SystemRun
from rsaxcel.sim.unfinished import UnfinishedRun

AT_LIMIT, WAITING, INTERRUPTED = "limit", "waits", "interrupted"
"""Reasons to give up a run: too many cycles, a message that never comes, or an interrupt."""

_COLUMN = 14
_REGISTERS_PER_LINE = 4


@dataclass(frozen=True)
class ProgramOutcome:
    """Run of a program at any level, and its end.

    Parameters
    ----------
    run : FunctionalRun or SystemRun
        Messages and figures.
    end : End
        How and where the run ended. If the run was given up, the cause is ``Cause.NONE``, and the
        address is where the program was at that time.
    place : str
        Function or label at the address of ``end``, such as ``main+0x10``; empty: unknown.
    compiler : str
        Compiler of the program, with its version; empty: unknown.
    given_up : str
        Reason to give up the run; empty if it ended by itself.
    registers : sequence of int or None
        Registers x0 to x31 at a fault; None: unknown.
    """

    run: FunctionalRun | SystemRun
    end: End
    place: str
    compiler: str
    given_up: str = ""
    registers: Sequence[int] | None = None

    @property
    def how(self) -> str:
        """How the run ended: ``exit``, ``fault``, ``limit``, ``waits`` or ``interrupted``."""
        return self.given_up or ("fault" if self.end.cause.is_fault else "exit")

    @property
    def status(self) -> int | None:
        """Exit status of the program; None if the run was given up."""
        return None if self.given_up else self.end.exit_status

    @property
    def text(self) -> str:
        """Messages as characters: the lowest byte of each message, in UTF-8."""
        return bytes(message & 255 for message in self.run.messages).decode(errors="replace")


def outcome_of(image: Image, run: FunctionalRun | SystemRun, given_up: str = "") -> ProgramOutcome:
    """Make the outcome of a run; ``given_up`` is ignored if the run ended by itself."""
    if isinstance(run, UnfinishedRun):
        word = int.from_bytes(run.memory[run.pc : run.pc + 4], "little")
        end = End(Cause.NONE, run.pc, word)
    else:
        end = run.end or End(Cause.NONE, 0, 0)
    if end.cause is not Cause.NONE:
        given_up = ""
    return ProgramOutcome(run, end, image.place(end.pc), image.compiler, given_up)


def with_registers(
    outcome: ProgramOutcome, system: System, image: Image, inputs: Sequence[int]
) -> ProgramOutcome:
    """Add the registers to an outcome that is a fault.

    No port of the circuit shows its registers, so the functional models run the program again. The
    registers of this second run are used only if its end, messages, number of instructions and
    memory are those of the first run, and if the program does not read the time, which differs
    between circuit and models.

    Parameters
    ----------
    outcome : ProgramOutcome
        Outcome of the first run.
    system : System
        System that ran the program.
    image : Image
        The program with its initial memory. If a circuit has run the program, it has changed a copy
        of this memory only. The second run changes this memory itself.
    inputs : sequence of int
        Messages for the program to read.
    """
    run = outcome.run
    if outcome.how != "fault":
        return outcome
    if isinstance(run, FunctionalRun):
        return replace(outcome, registers=run.registers)
    try:
        golden = run_fl(
            image,
            system.devices(),
            inputs,
            run.instructions + 1,
            instruction_set=system.instruction_set,
        )
    except EndlessError:
        return outcome
    same = (golden.end, golden.messages, golden.instructions, bytes(image.memory)) == (
        run.end,
        run.messages,
        run.instructions,
        run.memory,
    )
    known = same and not golden.reads_time
    return replace(outcome, registers=golden.registers if known else None)


def lacking(system: System, end: End) -> str:
    """Say that the processor lacks the instruction at which a program ended, and which have it."""
    lacks = system.instruction_set.lacks([end.word])
    if end.cause is not Cause.ILLEGAL_INSTRUCTION or not lacks:
        return ""
    return f", not in {PARAMETER}={system.instruction_set.name}; {sets_with(lacks)}"


def record(
    system: System, level: str, outcome: ProgramOutcome, takes_operands: bool, as_text: bool
) -> dict[str, object]:
    """Return the figures and messages of a run as values for JSON.

    With ``takes_operands``, the messages are also given as the result of an exponentiation; with
    ``as_text``, as characters.
    """
    run, end = outcome.run, outcome.end
    ended = end.cause is not Cause.NONE
    registers = outcome.registers
    return {
        "system": system.design_name,
        "nbits": system.nbits,
        "params": system.params,
        "level": level,
        "compiler": outcome.compiler,
        "status": outcome.status,
        "messages": list(run.messages),
        "cycles": run.cycles,
        "instructions": run.instructions,
        "measured_cycles": run.measured_cycles,
        "measured_instructions": run.measured_instructions,
        "result": _result(system, outcome) if takes_operands else None,
        "text": outcome.text if as_text else None,
        "end": outcome.how,
        "cause": str(end.cause) if ended else None,
        "pc": end.pc,
        "place": outcome.place or None,
        "instruction": disassemble(end.word, end.pc) if end.word else None,
        "address": end.address,
        "registers": registers and dict(zip(REGISTER_NAMES, registers, strict=True)),
    }


def rows(
    system: System, level: str, outcome: ProgramOutcome, takes_operands: bool, as_text: bool
) -> Iterator[str]:
    """Yield the lines of text on a run; the parameters are the same as those of ``record``."""
    run, end = outcome.run, outcome.end
    yield _row("system", f"{system.design_name}, level {level}")
    if as_text:
        yield _row("text", *(outcome.text.splitlines() or ["none"]))
    else:
        yield _row("messages", " ".join(str(message) for message in run.messages) or "none")
    if outcome.given_up:
        place = f" ({outcome.place})" if outcome.place else ""
        yield _row("no end", f"{outcome.how}, at pc {end.pc:#010x}{place}")
    else:
        yield _row("exit status", f"{end.exit_status} ({end.cause})")
    yield _row("cycles", f"{run.cycles:,}")
    yield _row("instructions", f"{run.instructions:,}")
    if run.measured_instructions:
        measured = f"{run.measured_cycles:,} cycles, {run.measured_instructions:,} instructions"
        yield _row("measured", f"{measured} while stats_en was 1")
    result = _result(system, outcome)
    if takes_operands and result is not None:
        yield _row("result", result)
    if outcome.how == "fault":
        yield _row("registers", *_dump(outcome.registers))


def _result(system: System, outcome: ProgramOutcome) -> str | None:
    """Hexadecimal result of an exponentiation; None if the program did not end with status 0."""
    return f"{system.result(outcome.run.messages):x}" if outcome.status == 0 else None


def _dump(registers: Sequence[int] | None) -> Iterator[str]:
    if registers is None:
        yield "not known: what the program does depends on the time"
        return
    named = list(zip(REGISTER_NAMES, registers, strict=True))
    for i in range(0, len(named), _REGISTERS_PER_LINE):
        yield "  ".join(f"{name:<4} {x:#010x}" for name, x in named[i : i + _REGISTERS_PER_LINE])


def _row(label: str, *lines: str) -> str:
    """Text of a label and its lines, one below the other."""
    return f"{label:<{_COLUMN}}" + ("\n" + " " * _COLUMN).join(lines)
