"""Makes Verilog of a core in VHDL, by GHDL in a process with limits."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from rsaxcel.cores.errors import DescriptionError
from rsaxcel.cores.limits import limit
from rsaxcel.cores.verilog import Sources
from rsaxcel.store.folders import cache_root, keep, key_of
from rsaxcel.store.installing import program
from rsaxcel.store.tools import GHDL

SUFFIXES = (".vhd", ".vhdl")
STANDARDS = {"2008": "08", "1993": "93c"}
"""Versions of VHDL in a description, by GHDL's names; its 1993 takes much of 1987, too."""

_EMPTY = "package rsaxcel_empty is end package;\n"
_SECONDS = 20  #: of the processor
_WAITED = 300  #: seconds until the end, on a machine that does much else, too
_GB = 4
_MOST_TEXT = 32 << 20

#: Also strings and characters, in which no comment begins.
_COMMENT = re.compile(r"\"[^\"\n]*\"|'[^\n]'|--[^\n]*|/\*[\s\S]*?(?:\*/|\Z)")
# GHDL opens files that are written while it elaborates, and newer versions call functions of C.
# Files of packages, such as the standard output, can be opened again under another name.
_REFUSED = re.compile(r"\b(file|file_open|foreign|vhpidirect)\b|(\\)", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|[\n\r\v\f\x85]")
_DECLARATION = re.compile(r"\b(?:signal|variable)\s+([\w\s,]++)", re.IGNORECASE)
_ENTITY = re.compile(r"\bentity\s+(\w+)\s+is\b", re.IGNORECASE)
_TOLD = re.compile(
    r"(?P<file>[^\n:]+):(?P<line>\d+):\d+:(?P<kind>warning:|note:)?(?:error:)?\s*(?P<told>[^\n]*)"
)
_IGNORED = "choice with meta-value is ignored"  #: right for a case without ?
_ORDER = "comparing non-numeric vector is unexpected"  #: before it ends by a fault of its own
_MATCHING = re.compile(r"\b(?:case|select)\s*\?", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([A-Za-z]\w*) ")
_LOST = (
    "GHDL 2 makes 0 of constants of more than 32 bits whose last 32 bits are 0, such as 2**n; "
    "GHDL 5 does not"
)
_PLACE = re.compile(r"\s*/\* (?P<file>[^\n]*):(?P<line>\d+):\d+\s*\*/")
#: A signal with an initial value: its register has the value, too.
_STARTED = re.compile(
    r"^  always @\*\n    (?P<name>\S+) = (?P<value>[^\n]*); // \(isignal\)\n"
    r"  initial\n    (?P=name) <?= [^\n]*;\n",
    re.MULTILINE,
)
_REGISTER = re.compile(r"^  assign ([A-Za-z]\w*) = (n\d+_q);", re.MULTILINE)
_DECLARED = re.compile(r"  (?:wire|reg) (?:\[[^\]]*\] )?(?P<name>[\w$]+)(?: *\[[^\]]*\] *)?;[^;]*")
_WORD = re.compile(r"(?<![\w'$])[A-Za-z_][\w$]*")
_INITIAL = re.compile(r"^(  initial\n    \S+) <=", re.MULTILINE)
#: The output of an instance has the name of the signal that it drives: they are one.
_SAME = re.compile(r"^  assign (\S+) = \1;[^\n]*\n", re.MULTILINE)
#: Wide constants are as in VHDL, and would be texts in Verilog.
_BITS = re.compile(r'"([01XZ]+)"')
_HIGH = re.compile(r"\d+'b[01XZxz]*[Zz][01XZxz]*")
_ASSIGNED = re.compile(r"^  assign (\S+) = ([^;\n]*);", re.MULTILINE)
_VALUE = re.compile(r"^( [^\n]*?(\S+) <?= )([^\n]*)", re.MULTILINE)
_CASE = re.compile(r"    case \((?P<of>\S+)\)\n(?P<choices>(?: {6}[^\n]*\n)+)    endcase\n")
_CHOICE = re.compile(r"^ {6}(\S+): (\S+) *<?= ([^\n]*);\n", re.MULTILINE)
_OTHERS = re.compile(r"^ *with \S+ select (\S+) <=\n[^;]*?(\([^()]*\)|\S+) when others;", re.M)
_REPEATED = re.compile(r"\((\d+) downto 0 => '(.)'\)")
_ARCHITECTURE = re.compile(r"^architecture \w+ of (\S+) is\b", re.MULTILINE)
#: GHDL 2.0 writes an arithmetic shift as a logical one, and abs as in VHDL.
_SHIFT = re.compile(r"= (\$signed\([^()]*\)) >> ")
#: Its quotients of signed numbers have the operators of unsigned ones.
_QUOTIENT = re.compile(r"^  assign (\S+) = (\S+) ([/%]) (\S+); // s(?:div|rem)$", re.MULTILINE)
_MODULO = re.compile(r"^  assign (\S+) = (\S+) % (\S+); // smod$", re.MULTILINE)
_POWER = re.compile(r"\d+'b0+10*")  # by which the bits of a remainder have no sign
_ABS = re.compile(r"^  (\S+) <= std_logic_vector\(abs \$signed\((\S+)\)\);", re.MULTILINE)
_EDGE = re.compile(r"\b((?:pos|neg)edge)\s+(\w+)")
#: Words of Verilog at the beginning of a line; none is a name that gets a value there.
_HEAD = re.compile(
    r"\s*(?:\(?(?:input|output|inout)\b(?:\s+reg\b)?|(?:module|wire|reg|localparam|assign|"
    r"endmodule|initial|if|else|begin|"
    r"end|casez?|endcase|default)\b(?!\s*(?:\[[^\]]*\]\s*)?<?=[^=]))(?:\s+(?:begin|if)\b)*"
)


def is_vhdl(file: Path) -> bool:
    return file.suffix.lower() in SUFFIXES


def ghdl_version() -> str:
    """Ask GHDL for its version, on which its Verilog depends; ``ToolError`` without GHDL."""
    command = [*program(GHDL), "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def version_file() -> Path:
    """File with GHDL's version, on which circuits of VHDL depend as on their own files."""
    told = ghdl_version()

    def write(folder: Path) -> None:
        (folder / "version.txt").write_text(told, "utf-8")

    return keep(cache_root() / "ghdl", key_of(told), write) / "version.txt"


def to_verilog(
    sources: Sources, top: str, generics: Mapping[str, int | str], standard: str
) -> tuple[str, list[str]]:
    """Return the Verilog of an entity and of those below it, and notes for its user.

    Directives in it have the lines of VHDL.

    Parameters
    ----------
    sources
        Files of VHDL, in any order.
    standard
        One of ``STANDARDS``.

    Raises
    ------
    DescriptionError
        With file and line for what GHDL refuses, and for what could reach other files.
    ToolError
        Without GHDL.
    """
    with TemporaryDirectory() as folder:
        # GHDL gives no order of files that have absolute paths.
        inside = [os.fspath(x.relative_to(sources.folder)) for x in sources.files]
        shown = {f"{n}.vhd": re.sub(r'["\\\n]', "?", x) for n, x in enumerate(inside)}
        texts = {}
        for name, file in zip(shown, sources.files, strict=True):
            text = texts[shown[name]] = file.read_text("latin-1")
            _check(text, f"{sources.shown}/{shown[name]}")
            # GHDL stops at a file without a design unit.
            Path(folder, name).write_text(text if _code(text).split() else _EMPTY, "latin-1")
        ghdl = partial(_ghdl, folder, sources.shown, shown, f"--std={STANDARDS[standard]}")
        ghdl("-i", *shown)
        order = ghdl("--elab-order", top).split()
        given = [f"-g{name}={value}" for name, value in generics.items()]
        synthesis = ("--synth", "--latches", *given)
        written = ghdl(*synthesis, "--out=verilog", *order, "-e", top)
        lacks = any("default:" not in x["choices"] for x in _CASE.finditer(written))
        other = ghdl(*synthesis, "--out=vhdl", *order, "-e", top) if lacks else ""
    named = re.sub(rf"(?mi)^module {top}$", f"module {top}", written)
    plain = _ESCAPED.sub(r"\1", named)  # GHDL 5 has these where the memories have none
    text, high = _without_high(_as_verilog(plain, _others(other), texts, shown))
    changed = {x: None for x in re.findall(r"\b[A-Za-z]\w*_\b", text)}
    notes = [f"names that are words of Verilog get an underscore: {', '.join(changed)}"]
    notes = notes * bool(changed) + [f"Z is 0 in {', '.join(high)}"] * bool(high)
    return text, notes + [_LOST] * ("GHDL 2." in ghdl_version())


def _without_high(text: str) -> tuple[str, list[str]]:
    """Let Z be 0 where a signal has one driver; return names of such signals, too.

    A port without a driver has Z, and so has a bus with tri-state drivers, which stays.
    """
    modules: list[str] = []
    shown: dict[str, None] = {}
    for module in re.split(r"(?m)^(?=module )", text):
        assigned = _ASSIGNED.findall(module)
        count = Counter(name for name, _ in assigned)
        shared = {x for pair in assigned if count[pair[0]] > 1 for x in pair}
        high = [x[2] for x in _VALUE.finditer(module) if _HIGH.search(x[3]) and x[2] not in shared]
        users: dict[str, str] = {value: name for name, value in assigned}
        shown |= dict.fromkeys(users.get(x, x) for x in high)
        modules.append(_low(module, high))
    return "".join(modules), [*shown]


def _low(module: str, names: Collection[str]) -> str:
    def zeros(match: re.Match[str]) -> str:
        return re.sub("[Zz]", "0", match[0])

    def value(match: re.Match[str]) -> str:
        return match[1] + _HIGH.sub(zeros, match[3]) if match[2] in names else match[0]

    return _VALUE.sub(value, module)


def _code(text: str) -> str:
    return _COMMENT.sub(lambda x: re.sub(r"[^\n]", " ", x[0]), text)


def _check(text: str, shown: str) -> None:
    """Refuse what could read or write files, or run functions of C."""
    in_block = False  # from the first /* on, any line may be in a block comment
    for number, line in enumerate(_LINE_END.split(text), 1):
        start = line.partition("--")[0]
        # No string or comment hides code: only what is surely a comment is left out. VHDL of 1993
        # has strings between %, too.
        in_block = in_block or "/*" in start
        is_sure = not in_block and not re.search("[\"'%]", start)
        in_block = in_block or ("/*" in line and not is_sure)
        if match := _REFUSED.search(start if is_sure else line):
            told = "an extended identifier" if match[2] else repr(match[1].lower())
            raise DescriptionError(f"{shown}:{number}: {told} is not allowed in a core")


def _ghdl(
    folder: str, core: str, shown: Mapping[str, str], standard: str, step: str, *rest: str
) -> str:
    """Run a step of GHDL, and return what it prints."""
    options = (standard, "-fsynopsys", "-frelaxed-rules", f"--workdir={folder}")
    command = [*program(GHDL), step, *options, *rest]
    with TemporaryFile() as out, TemporaryFile() as err:  # no larger than the limit of files
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                timeout=_WAITED,
                check=False,
                preexec_fn=partial(limit, _SECONDS, _GB, _MOST_TEXT),
            )
        except subprocess.TimeoutExpired:
            raise DescriptionError(f"{core}: GHDL takes more than {_WAITED} s") from None
        wrote, said = (_read(x) for x in (out, err))
    if not done.returncode:
        _check_choices(said, folder, core, shown)
        return wrote
    if -done.returncode == signal.SIGXFSZ or max(map(len, (wrote, said))) >= _MOST_TEXT:
        told = f"more than {_MOST_TEXT >> 20} MB of Verilog or of messages by GHDL"
        raise DescriptionError(f"{core}: {told}")
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        said = f"GHDL takes more than {_SECONDS} s: a loop or an array may be too large"
    for match in _TOLD.finditer(said):
        if match["file"] in shown and not match["kind"]:
            file = shown[match["file"]]
            raise DescriptionError(f"{core}/{file}:{match['line']}: {match['told']}")
    if bug := re.search(r"Bug occurred[\s\S]*?GHDL release: (\S+)", said):
        near = [x for x in _TOLD.finditer(said) if x["file"] in shown][-1:]
        if near and near[0]["told"] == _ORDER:
            place = f"{core}/{shown[near[0]['file']]}:{near[0]['line']}"
            told = "< or > of vectors that are no numbers and have two lengths"
            raise DescriptionError(f"{place}: {told}; unsigned ones are allowed")
        place = "".join(f", near {shown[x['file']]}:{x['line']}: {x['told']}" for x in near)
        raise DescriptionError(f"{core}: GHDL {bug[1]} ends by a fault of its own{place}")
    told = (said.strip().splitlines() or ["GHDL ends without a word"])[-1]
    told = re.sub(r"^\S*ghdl\S*:\s*", "", told)
    raise DescriptionError(f"{core}: {told}")


def _check_choices(said: str, folder: str, core: str, shown: Mapping[str, str]) -> None:
    """Refuse what GHDL 2.0 leaves out of a circuit with a warning alone."""
    for match in _TOLD.finditer(said):
        if match["file"] in shown and match["told"] == _IGNORED:
            text = Path(folder, match["file"]).read_text("latin-1")
            if _MATCHING.search(_code(text)):
                place = f"{core}/{shown[match['file']]}:{match['line']}"
                told = "GHDL leaves out a choice with - of case?"
                raise DescriptionError(f"{place}: {told}; `if` is allowed")


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("latin-1")


@dataclass(frozen=True)
class _Line:
    file: str
    number: int

    def __str__(self) -> str:
        return f'`line {self.number} "{self.file}" 0'


def _lines_of(pattern: re.Pattern[str], texts: Mapping[str, str]) -> dict[str, list[_Line]]:
    """Lines of VHDL, by the names that a pattern finds there."""
    found: dict[str, list[_Line]] = {}
    for file, text in texts.items():
        number, counted = 1, 0
        for match in pattern.finditer(code := _code(text)):
            number += code.count("\n", counted, match.start())
            counted = match.start()
            line = _Line(file, number)
            for name in match[1].lower().split(","):
                found.setdefault(name.strip(), []).append(line)
    return found


def _others(text: str) -> dict[tuple[str, str], str]:
    """Values for all other choices, by entity and signal: GHDL 2.0 has them in VHDL alone."""
    found = {}
    parts = _ARCHITECTURE.split(text)
    for entity, body in zip(parts[1::2], parts[2::2], strict=True):
        for name, value in _OTHERS.findall(body):
            found[entity.lower(), name.removesuffix("_o")] = _value(value)
    return found


def _value(text: str) -> str:
    """Give a value of VHDL in Verilog; "": any value, where no other choice is possible."""
    if repeated := _REPEATED.fullmatch(text):
        return "" if repeated[2] == "X" else f"{{{int(repeated[1]) + 1}{{1'b{repeated[2]}}}}}"
    if text[0] not in "\"'":
        return text
    bits = text.strip("\"'")
    return f"{len(bits)}'b{bits}" if bits.strip("X") else ""


def _as_verilog(
    text: str,
    others: Mapping[tuple[str, str], str],
    texts: Mapping[str, str],
    shown: Mapping[str, str],
) -> str:
    """Let others read GHDL's Verilog: words of Verilog as names, initial values, places."""
    entities = _lines_of(_ENTITY, texts)
    declared = _lines_of(_DECLARATION, texts)
    found = []
    for module in re.split(r"(?m)^(?=module )", text)[1:]:
        name = module.split()[1].lower()
        own = [entities[x][0] for x in sorted(entities, key=len) if name.startswith(x)]
        values = {signal: x for (entity, signal), x in others.items() if entity == name}
        found.append(
            _readable(
                _with_others(module, values),
                (own or [_Line(next(iter(texts)), 1)])[-1],
                declared,
                shown,
            )
        )
    return "\n".join(found)


def _with_others(module: str, others: Mapping[str, str]) -> str:
    """Give each choice a value in all other cases."""
    module = _BITS.sub(lambda x: f"{len(x[1])}'b{x[1]}", module)
    words = {*_WORD.findall(module)}

    def complete(match: re.Match[str]) -> str:
        choices = _CHOICE.findall(match["choices"])
        signal = choices[0][1]
        if choices[-1][0] != "default":
            whole = len(choices) == 1 << len(choices[0][0].partition("b")[2])
            if signal.removesuffix("_o") not in others and not whole:
                raise DescriptionError(f"GHDL gives {signal} no value in the other cases")
            value = others.get(signal.removesuffix("_o"), "")
            value = f"{value}_o" if f"{value}_o" in words else value  # as GHDL 5 has it
            if not value:
                value = choices[-1][2]
            elif value not in words:  # a port
                value = value.removeprefix("wrap_")
            choices.append(("default", choices[0][1], value))
        lines = "".join(f"      {x}: {name} = {value};\n" for x, name, value in choices)
        return f"    case ({match['of']})\n{lines}    endcase\n"

    return _CASE.sub(complete, module)


def _readable(
    module: str, own: _Line, declared: Mapping[str, list[_Line]], shown: Mapping[str, str]
) -> str:
    """Rewrite a module, with directives of VHDL's lines."""
    for same in _SAME.findall(module):
        again = rf"(?m)^  wire (?:\[[^\]]*\] )?{re.escape(same)};\n"
        module = re.sub(again, "", module, count=1)
    module = _SAME.sub("", module)
    module = _SHIFT.sub(r"= \1 >>> ", module)
    module = _QUOTIENT.sub(r"  assign \1 = $signed(\2) \3 $signed(\4);", module)
    module = _MODULO.sub(_modulo, module)
    module = _ABS.sub(r"  assign \1 = $signed(\2) < 0 ? -\2 : \2;", module)
    started = {x["name"] for x in _STARTED.finditer(module)}
    module = _STARTED.sub(r"  assign \g<name> = \g<value>;\n", module)
    module = _INITIAL.sub(r"\1 =", module)
    words = {*_WORD.findall(module)}
    names = {old: f"{new}_q" for new, old in _REGISTER.findall(module) if f"{new}_q" not in words}
    found = [str(own)]
    for line in module.split("\n"):
        if place := _PLACE.fullmatch(line):
            if place["file"] in shown:
                found.append(str(_Line(shown[place["file"]], int(place["line"]))))
            continue
        if match := _DECLARED.fullmatch(renamed := _renamed(line, names)):
            # Its own line, or that of the entity.
            there = declared.get(match["name"].removesuffix("_q").removesuffix("_").lower(), [])
            near = [x for x in there if x.file == own.file and x.number > own.number]
            found.append(str((near or there or [own])[0]))
            if match["name"].removesuffix("_") in started:
                renamed = renamed.replace("  reg", "  wire", 1)
        found.append(renamed)
    return "\n".join(found)


def _modulo(match: re.Match[str]) -> str:
    """Give a remainder the sign of the divisor, as VHDL's mod has it."""
    to, of, by = match.groups()
    if _POWER.fullmatch(by):
        return match[0]
    rest = f"$signed({of}) % $signed({by})"
    wrong = f"({rest} != 0) && (($signed({of}) < 0) != ($signed({by}) < 0))"
    return f"  assign {to} = {wrong} ? {rest} + $signed({by}) : {rest};"


def _renamed(line: str, names: Mapping[str, str]) -> str:
    """Give names in a line that are words of Verilog an underscore: no name of VHDL ends in it."""
    from pymtl3.passes.backends.verilog.util.utility import verilog_reserved

    def name(match: re.Match[str]) -> str:
        word = names.get(match[0], match[0])
        return f"{word}_" if word in verilog_reserved else word

    code, mark, comment = line.partition("//")
    if code.lstrip().startswith("always @"):
        code = _EDGE.sub(lambda x: f"{x[1]} {_WORD.sub(name, x[2])}", code)
    else:
        start = _HEAD.match(code)
        at = start.end() if start else 0
        code = code[:at] + _WORD.sub(name, code[at:])
    return code + mark + comment
