"""Prepares a waveform for viewers: names of states and steps as texts, and a save file for GTKWave.

The save file groups the signals. Texts are string variables, which GTKWave and Surfer show.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import stat
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from pymtl3 import Component

from rsaxcel.sim.traces.trace import TraceColumn, Variable, Waves, cells, columns_by_part, path_of

_HEAD = "[*] written by rsaxcel"  #: first line of a save file
_SCOPE, _TEXT = "trace", "text"  #: scope of the texts; start of their codes, longer than all others
_STREAM = re.compile(r"(.+?)\.(?:val|rdy|msg(?:\..+)?)")
_MADE = re.compile(r"__.*|n\d+")  #: names by translator and synthesizer
_REGISTER = re.compile(r"_reg(?:\[\d+\])*(?:\.|$)")

#: width of a cycle, in which most texts fit, and of that whose logarithm GTKWave calls zoom
_CYCLE_PIXELS, _FRAME_PIXELS = 64, 200

Named = Sequence[tuple[str, Variable]]
"""Variables of the top module, each with PyMTL3's name."""

# GTKWave's flags of a line: hexadecimal or binary with digits to the right, text; a group's begin
# and end, open or closed.
_HEX, _BIT, _ASCII = "@22", "@28", "@820"
_OPEN, _CLOSED = ("@800200", "@1000200"), ("@c00200", "@1401200")


def prepare(path: Path, component: Component | None = None) -> None:
    """Add the texts of a line trace to a waveform (VCD), and write ``.gtkw`` beside it.

    ``component`` is a new instance of the simulated one, not elaborated; None: of a circuit without
    one, all signals are shown.
    """
    if not path.is_file():
        return  # a pipe has gone to its reader
    waves, names = Waves(path), dict[str, list[str]]()
    if component is not None:
        component.elaborate()
        names = _add_texts(path, waves, component)
    file = _save_file(path)
    # What a user has arranged and saved stays.
    if not file.exists() or file.read_text(errors="replace").startswith(_HEAD):
        lines = _HEAD, *_lines(path, waves, names, component)
        file.write_text("\n".join(lines) + "\n", "ascii")


def _save_file(path: Path) -> Path:
    return path.with_suffix(".gtkw")


def _add_texts(path: Path, waves: Waves, top: Component) -> dict[str, list[str]]:
    """Add a string variable for each column; return their names by part of the circuit."""
    found = {
        path_of(part).rstrip(".") or type(part).__name__: [x for x in columns if _is_in(waves, x)]
        for part, columns in columns_by_part(top).items()
    }
    columns = [x for each in found.values() for x in each]
    if not columns:
        return {}
    # Viewers take dots, brackets and stars for more than parts of a name.
    scopes = {part: _plain(part) for part in found}
    names = {
        part: ["state" if x.title in (part, "executor") else _plain(x.title) for x in each]
        for part, each in found.items()
    }
    codes = (f"{_TEXT}{at}" for at in range(len(columns)))
    header = [f"$scope module {_SCOPE} $end\n"]
    for part, each in names.items():
        header.append(f"$scope module {scopes[part]} $end\n")
        header += (f"$var string 1 {code} {x} $end\n" for x, code in zip(each, codes, strict=False))
        header.append("$upscope $end\n")
    header.append("$upscope $end\n")
    first = "".join(_change(at, "") for at in range(len(columns)))
    _merge(path, "".join(header), first, _changes(waves, columns))
    return {part: [f"{_SCOPE}.{scopes[part]}.{x}" for x in each] for part, each in names.items()}


def _is_in(waves: Waves, column: TraceColumn) -> bool:
    """Whether a waveform has a column's signals; of a netlist, synthesis may have removed them."""
    return all(
        x.name in waves.names or f"{x.name}.{x.field}" in waves.names for x in column.signals
    )


def _changes(waves: Waves, columns: Sequence[TraceColumn]) -> Iterator[tuple[int, str]]:
    """Yield places in the file at which texts change, and the changes."""
    signals = [signal for column in columns for signal in column.signals]
    before = [""] * len(columns)
    for edge, *values in waves.settled(signals):
        texts = [text.strip() for text in cells(columns, values)]
        pairs = enumerate(zip(texts, before, strict=True))
        yield edge.place, "".join(_change(at, now) for at, (now, old) in pairs if now != old)
        before = texts


def _change(number: int, text: str) -> str:
    return f"s{text} {_TEXT}{number}\n".replace(" ", r"\x20", text.count(" "))


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")


def _merge(path: Path, header: str, first: str, changes: Iterable[tuple[int, str]]) -> None:
    """Add variables, their first values and changes to a VCD file, which keeps its mode."""
    descriptor, draft = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with path.open("rb") as old, open(descriptor, "wb") as new:
            while (line := old.readline()) and not line.startswith(b"#"):
                if line.startswith(b"$enddefinitions"):
                    new.write(header.encode())
                new.write(line)
            new.write(line + first.encode())
            for place, lines in changes:
                new.write(old.read(place - old.tell()))
                new.write(lines.encode())
            shutil.copyfileobj(old, new)
        os.chmod(draft, stat.S_IMODE(path.stat().st_mode))
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def _lines(
    path: Path, waves: Waves, texts: Mapping[str, list[str]], top: Component | None
) -> Iterator[str]:
    """Yield the lines of a save file: texts, clock, streams, then registers by module."""
    for key, file in {"dumpfile": path, "savefile": _save_file(path)}.items():
        if (name := str(file.resolve())).isascii() and name.isprintable() and '"' not in name:
            yield f'[{key}] "{name}"'
    yield "[timestart] 0\n[signals_width] 240"
    rises = waves.settled(()) if "clk" in waves.names else ()
    match [edge.time for edge, *_ in islice(rises, 2)]:
        case first, second:
            frame = (second - first) * _FRAME_PIXELS / _CYCLE_PIXELS
            yield f"*{-math.log2(frame):.3f} -1"
    for part, names in texts.items():
        yield from _group(part, [f"{_ASCII}\n{name}" for name in names])
    named = [(variable.path(waves.root), variable) for variable in waves.variables]
    yield from (_shown(variable) for name, variable in named if name in ("clk", "reset"))
    parts = {path_of(x).rstrip("."): x for x in top.get_all_components()} if top else {}
    for stream, ports in _streams(named, parts).items():
        yield from _group(stream, map(_shown, ports))
    for module, variables in _modules(named, parts, waves.root).items():
        yield from _group(module or "top", map(_shown, variables), closed=True)


def _streams(named: Named, parts: Mapping[str, Component]) -> dict[str, list[Variable]]:
    """Find the streams of the top module; a name that begins with a part is the part's."""
    found: dict[str, list[Variable]] = {"recv": [], "send": []}
    heads = {_first(path) for path in parts}
    for name, variable in named:
        if parts and (match := _STREAM.fullmatch(name)) and _first(name) not in heads:
            found.setdefault(match[1], []).append(variable)
    return found


def _first(name: str) -> str:
    return re.split(r"[.\[]", name, maxsplit=1)[0]


def _modules(named: Named, parts: Mapping[str, Component], root: int) -> dict[str, list[Variable]]:
    """Find the registers of each part, and all signals of a module in Verilog, each value once."""
    found: dict[str, dict[str, Variable]] = defaultdict(dict)
    for name, variable in named:
        owner = name
        while owner and owner not in parts:
            owner = owner.rpartition(".")[0]
        left = name[len(owner) :].lstrip(".")
        if _MADE.fullmatch(variable.name):
            continue
        # Signals and messages of a component are attributes of it.
        if owner not in parts or not hasattr(parts[owner], _first(left)):
            found[variable.scope(root)].setdefault(variable.code, variable)
        elif _REGISTER.search(left):
            found[owner].setdefault(variable.code, variable)
    return {module: list(each.values()) for module, each in sorted(found.items())}


def _group(name: str, lines: Iterable[str], *, closed: bool = False) -> Iterator[str]:
    begin, end = _CLOSED if closed else _OPEN
    if shown := list(lines):
        yield from (begin, f"-{name}", *shown, end, f"-{name}")


def _shown(variable: Variable) -> str:
    """Two lines that show a variable; GTKWave escapes a name with a dot."""
    name = f"\\{variable.name}" if "." in variable.name else variable.name
    full = ".".join((*variable.scopes, name))
    if variable.nbits == 1:
        return f"{_BIT}\n{full}"
    return f"{_HEX}\n{full}{variable.range or f'[{variable.nbits - 1}:0]'}"
