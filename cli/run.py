"""``rsaxcel run``: runs a program on a system, with an accelerator or without."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import click

from rsaxcel.catalog.units import LEVELS
from rsaxcel.circuit import Halves
from rsaxcel.cli.options.common import choose_system, named, nbits_option, system_param_option
from rsaxcel.cli.options.plain import file_option, json_option, only_with
from rsaxcel.cli.options.vectors import VectorSource, choose_vectors, operation_option
from rsaxcel.cli.options.watch import watch_options, watched
from rsaxcel.cli.progress import progress
from rsaxcel.cli.signals import INTERRUPTED_STATUS
from rsaxcel.cli.usage_errors import quoted
from rsaxcel.fl.status import InputRules, Status
from rsaxcel.proc import operands
from rsaxcel.proc.elf import Image, load_elf
from rsaxcel.proc.instruction_sets import PARAMETER, sets_with
from rsaxcel.proc.isa import REGISTER_NAMES, Cause, End, disassemble
from rsaxcel.proc.kinds import ATTACHED
from rsaxcel.proc.programs.build import SOURCES
from rsaxcel.proc.run import EndlessError, FunctionalRun, RunInterrupted, run_fl
from rsaxcel.proc.systems import System
from rsaxcel.sim.engine import ENGINES, EngineName
from rsaxcel.sim.operations import Operation, PowerOfHalves, PowerOperation
from rsaxcel.sim.runners import check_level
from rsaxcel.sim.system import open_circuit, open_cycle_model
from rsaxcel.sim.system_run import SystemEngine, SystemRequest, SystemRun, UnfinishedRun
from rsaxcel.sim.vectors import Vector
from rsaxcel.store.errors import RunError, UserError

#: Reasons to give up a run: too many cycles, a message that never comes, or an interrupt.
AT_LIMIT, WAITING, INTERRUPTED = "limit", "waits", "interrupted"

_COLUMN = 14
_REGISTERS_PER_LINE = 4


@dataclass(frozen=True)
class ProgramOutcome:
    """Run of a program at any level, and its end."""

    run: FunctionalRun | SystemRun  #: messages and figures
    #: how and where the run ended. If the run was given up, the cause is ``Cause.NONE``, and the
    #: address is where the program was at that time.
    end: End
    place: (
        str  #: function or label at the address of ``end``, such as ``main+0x10``; empty: unknown
    )
    compiler: str  #: compiler of the program, with its version; empty: unknown
    given_up: str = ""  #: reason to give up the run; empty if it ended by itself
    registers: Sequence[int] | None = None  #: registers x0 to x31 at a fault; None: unknown

    @property
    def how(self) -> str:
        """End of the run: ``exit``, ``fault``, ``limit``, ``waits`` or ``interrupted``."""
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
    """
    # The second run changes the memory of ``image`` itself; a circuit has changed a copy only.
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
    """Text on an instruction that the processor lacks, and on instruction sets that have it."""
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


_MAX_CYCLES = 100_000_000
_WORD_LIMIT = 1 << 32


def _parse_inputs(
    _context: click.Context, _parameter: click.Parameter, items: tuple[str, ...]
) -> tuple[int, ...]:
    return tuple(map(_word, items))


def _word(item: str) -> int:
    try:
        value = int(item, 0)
    except ValueError:
        value = -1
    if not 0 <= value < _WORD_LIMIT:
        allowed = f"a whole number from 0 to {_WORD_LIMIT - 1:#x} is allowed, as 12 or 0xc"
        raise UserError(f"--input {quoted(item)}: {allowed}")
    return value


@click.command(
    epilog="""\b
    Examples:
      rsaxcel run hello.elf --system proc_null
      rsaxcel run xcel --system proc_mont_r2l --data vector.json
      rsaxcel run xcel --system proc_mont_r2l --data vector.json --level cl --param schedule=ladder
      rsaxcel run xcel --system proc_mont_r2l --data vector.json --level rtl --trace
      rsaxcel run axi_interrupt --system axi_mont_r2l --data vector.json --level rtl
      rsaxcel run naive --system proc_null --data vector.json --level rtl --param software=printed
      rsaxcel run crt --system proc_null --key key.pem --data base.json --level rtl
      echo '{"base": "7b", "exp": "10001", "n": "315"}' |
        rsaxcel run naive --system proc_null --data -
    """
)
@click.argument("program", type=click.Path())
@click.option(
    "--system",
    required=True,
    metavar="NAME",
    callback=named,
    help="proc_null, proc_DESIGN (or DESIGN) or axi_DESIGN.",
)
@nbits_option("Width of the accelerator's operands in bits.")
@system_param_option
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="fl",
    help="fl: functional models, where each instruction takes one cycle; rtl: circuits, with a "
    "memory that answers in one cycle; cl: the processor's circuit with the accelerator's cycle "
    "model, in Python, with the cycles of rtl.",
)
@click.option(
    "--max-cycles",
    type=click.IntRange(min=1),
    default=_MAX_CYCLES,
    metavar="N",
    help="Give up after N cycles.",
)
@click.option(
    "--data",
    "file",
    type=click.File(encoding="utf-8-sig"),
    metavar="FILE",
    help="Operands of an exponentiation program: one vector as in `rsaxcel sim`; - is standard "
    "input.",
)
@file_option(
    "--key", "RSA key for the vector, which then needs only a base.", metavar="KEY", exists=False
)
@operation_option
@click.option(
    "--input",
    "inputs",
    multiple=True,
    callback=_parse_inputs,
    metavar="WORD",
    help="A message that the program reads (csrr 0xfc0); can be repeated.",
)
@click.option(
    "--text",
    "as_text",
    is_flag=True,
    help="Show the messages as characters: the lowest byte of each, in UTF-8.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    help="Engine that simulates the circuits: compiled C++ (rtl only, and its default), or PyMTL3.",
)
@watch_options
@json_option()
@only_with(("--key", "--operation"), "--data")
@only_with(("--operation",), "--key")
def command(
    program: str,
    system: str,
    nbits: int,
    params: dict[str, str],
    level: str,
    max_cycles: int,
    file: TextIO | None,
    key: Path | None,
    operation: str | None,
    inputs: tuple[int, ...],
    as_text: bool,
    engine: EngineName | None,
    with_trace: bool,
    vcd: Path | None,
    as_json: bool,
) -> int:
    """Run PROGRAM, an ELF file for RV32IM, show its messages (csrw 0x7c0), cycles, instructions.

    Build it with riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32. It has 1 MiB of memory from
    address 0. The run ends with ecall, or with a jump or branch to itself. docs/how-to/programs.md
    has start-up code, linker script, header and commands for programs of your own.

    PROGRAM can also be one of rsaxcel's programs, which is then built: naive, montgomery, crt
    (software), xcel (driver of the accelerator in proc_DESIGN), axi (driver of the accelerator in
    axi_DESIGN, which polls), axi_interrupt (waits for the interrupt), each of these three drivers
    with the suffix _loaded (the key is loaded before the measured region), dummy (computes
    nothing), and selfcheck (sends 1 if the processor is right). All but selfcheck take operands
    from --data: a JSON line with hex strings "base", "exp", "n", and optionally "expect". If the
    program ends with status 0, its result must equal Python's pow, and "expect" if given.

    The program crt is a private operation by the primes; its number of cycles does not depend on
    key and base. It takes "base", "p", "q", "dp" and "dq"; p and q are odd, have no common factor
    and up to 2048 bits each. 1/q mod p is a number of the key; all else is computed and measured.

    Each line of --trace is a cycle; the first cycle after reset is number 0. It shows the
    instructions in the five stages (# if one stays there, ~ if a jump or branch squashes it), the
    accelerator's registers that are written (xr1=...) or read (xr4?), its answers, and the states
    of its executors, as `rsaxcel sim --trace` does. A trace is made from a waveform of some
    kilobytes per cycle, in a temporary folder unless --vcd names a file: give --max-cycles for a
    long program.

    Exit status: that of the program (the lowest 8 bits of a0 at ecall, 0 at a jump to itself); 3
    after an illegal instruction, a misaligned access or one outside the memory; 1 if the program
    does not end within --max-cycles or its result is wrong; 2 for bad input; 130 after Ctrl-C. The
    messages and figures of a run without an end are shown all the same. In JSON, "end" is exit,
    fault, limit, waits (for a message that never comes) or interrupted.
    """
    _check_engine(level, engine, with_trace or vcd is not None)
    chosen = choose_system(system, nbits, params)
    if chosen.configuration:
        check_level(chosen.configuration, level)
    image = _load_program(program, chosen)
    by_key = VectorSource(file, None, None, key, operation)
    vector = _load_operands(program, image, by_key, chosen)
    label = f"run {os.path.basename(program)}"
    with (
        watched(
            with_trace, vcd, lambda: chosen.component(level), err=as_json, secret=by_key.secret
        ) as watch,
        progress(label, max_cycles, "cycles") as advance,
    ):
        shared = (image, inputs, max_cycles, watch.waves, advance)
        outcome, reason = _execute(chosen, level, engine, *shared)
        # After an interrupt the trace is left out: it would delay messages and figures.
        watch.shows &= outcome.given_up != INTERRUPTED
    outcome = with_registers(outcome, chosen, image, inputs)
    shown = (chosen, level, outcome, vector is not None, as_text)
    if as_json:
        print(json.dumps(record(*shown)))
    else:
        for row in rows(*shown):
            click.echo(row)
    sys.stdout.flush()
    return _finish(chosen, image, outcome, reason, vector)


def _load_program(program: str, system: System) -> Image:
    """Load an ELF file, or build one of rsaxcel's programs for the system."""
    try:
        if program not in SOURCES or os.path.exists(program):
            return load_elf(program)
        _check_driver(program, system)
        # Messages name the program as it was typed, and not its file in the store.
        return replace(system.build(program), name=program)
    except FileNotFoundError as error:
        own = ", ".join(SOURCES)
        raise UserError(f"{program}: {error.strerror}; rsaxcel has {own}") from error


def _check_driver(program: str, system: System) -> None:
    """Refuse a driver that is for the other kind of system: xcel interface or bus."""
    for kind in ATTACHED.values():
        drives = program.removesuffix("_loaded") in kind.programs
        if drives and system.configuration is not None and kind is not system.kind:
            own = ", ".join(system.kind.programs)
            raise UserError(
                f"{program} is for systems {kind.prefix}DESIGN; "
                f"drivers for {system.design_name}: {own}"
            )


def _load_operands(
    program: str, image: Image, source: VectorSource, system: System
) -> Vector | None:
    """Read a program's operands, write them to its memory, and return them as a vector.

    The result is None if the program takes no operands.
    """
    if source.file is None:
        if operands.takes_operands(image):
            raise UserError(f"{image.name} takes operands: give --data FILE")
        return None
    if not operands.takes_operands(image):
        raise UserError(f"{image.name} takes no operands, so --data has no use")
    name, nbits = source.file.name, 32 * operands.max_words(image)
    room = operands.halves_of(image)
    halves = room or system.halves_of(program)
    if halves and not room:  # an accelerator's operands can have any width, not only whole words
        nbits = system.nbits
    drives = program.removesuffix("_loaded") in system.kind.programs
    vector, *others = choose_vectors(
        _operation(nbits, halves),
        nbits,
        source,
        configuration=system.configuration if drives else None,
    ).vectors
    if others:
        raise UserError(f"{name}: {len(others) + 1} vectors; a run takes one")
    expect = vector.expected if vector.status is Status.OK else None
    try:
        operands.write_operands(image, *vector.operands, expect, halves)
    except ValueError as error:
        raise UserError(f"{name}: {error}") from error
    return vector


def _operation(nbits: int, halves: Halves | None) -> Operation:
    """Return the operation that a program performs on operands of ``nbits`` bits.

    It is an exponentiation by the primes (CRT) if ``halves`` is given, else by one modulus.
    """
    if halves is None:
        return PowerOperation(InputRules(nbits, odd_modulus=False))
    rules = InputRules(nbits, odd_modulus=True, exponent_nbits=halves.nbits, halves=halves)
    return PowerOfHalves(rules, halves)


def _check_engine(level: str, engine: EngineName | None, watches: bool) -> None:
    """Raise ``UserError`` for an engine, trace or waveform that a level does not have."""
    if level == "fl" and (engine or watches):
        raise UserError(
            "--engine, --trace and --vcd are for the processor's circuit: give --level rtl or cl"
        )
    if level == "cl" and engine == "native":
        raise UserError("--engine native runs rtl only, not cl; leave it out or take pymtl")


def _open(system: System, level: str, engine: EngineName | None) -> SystemEngine:
    return open_circuit(system, engine or "native") if level == "rtl" else open_cycle_model(system)


def _execute(
    system: System,
    level: str,
    engine: EngineName | None,
    image: Image,
    inputs: tuple[int, ...],
    max_cycles: int,
    waves: Path | None,
    advance: Callable[[int], object],
) -> tuple[ProgramOutcome, str]:
    """Run a program; return its outcome, and the error message to print if the run did not end."""
    name = image.name
    try:
        if level == "fl":
            known = system.instruction_set
            functional = run_fl(image, system.devices(), inputs, max_cycles, advance, known)
            return outcome_of(image, functional), ""
        request = SystemRequest(image, max_cycles, inputs)
        run = _open(system, level, engine).run(request, vcd=waves, advance=advance)
    except RunInterrupted as stop:
        outcome = outcome_of(image, stop.run, INTERRUPTED)
        return outcome, f"{name}: interrupted after {outcome.run.cycles} cycles{_where(outcome)}"
    except EndlessError as error:
        outcome = outcome_of(image, error.run, WAITING if error.waits else AT_LIMIT)
        return outcome, f"{error}{_called(outcome)}"
    outcome = outcome_of(image, run, AT_LIMIT)
    waiting = ""
    if run.inputs_taken == len(inputs):
        waiting = "; it took every --input, and may wait for another one"
    return outcome, f"{name}: no end within {max_cycles} cycles{_where(outcome)}{waiting}"


def _where(outcome: ProgramOutcome) -> str:
    return f"; it is at pc {outcome.end.pc:#x}{_called(outcome)}"


def _called(outcome: ProgramOutcome) -> str:
    return f" ({outcome.place})" if outcome.place else ""


def _finish(
    system: System, image: Image, outcome: ProgramOutcome, reason: str, vector: Vector | None
) -> int:
    """Print an error message if anything is wrong, and return the exit status."""
    end, status = outcome.end, outcome.end.exit_status
    if outcome.given_up:
        click.echo(f"rsaxcel: error: {reason}", err=True)
        return INTERRUPTED_STATUS if outcome.given_up == INTERRUPTED else RunError.exit_status
    if end.cause.is_fault:
        why = lacking(system, end)
        click.echo(f"rsaxcel: error: {image.name}: {end.text(outcome.place)}{why}", err=True)
    elif vector is not None and status:
        click.echo(f"rsaxcel: {image.name}: {_refusal(status)}", err=True)
    elif vector is not None:
        _check_result(image, system.result(outcome.run.messages), vector)
    return status


def _refusal(status: int) -> str:
    if status == operands.EXIT_NO_OPERANDS:
        return "no operands"
    if status == operands.EXIT_NO_ACCELERATOR:
        return "it needs an accelerator that this system does not have"
    try:
        return f"the operands are refused: {Status(status - operands.EXIT_REFUSED)}"
    except ValueError:
        return f"exit status {status}"


def _check_result(image: Image, result: int, vector: Vector) -> None:
    if vector.status is not Status.OK:
        raise RunError(f"{image.name}: result {result:x}, but the vector is {vector.status}")
    for name, expected in (("Python", vector.result), ("the vector", vector.expected)):
        if result != expected:
            raise RunError(f"{image.name}: result {result:x}, but {name} expects {expected:x}")
