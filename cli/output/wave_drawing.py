"""Draws waveforms of the gates on the path to the net that glitches most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jinja2 import Environment

from rsaxcel.flow.power.netlist import Instance, Netlist
from rsaxcel.flow.waves import Change, WaveFile
from rsaxcel.flow.yosys_json import Bit

_ROWS = 14
_CYCLES = 8
_LEFT, _WAVES, _RIGHT = 190, 560, 170
#: Width in pixels of a character of a net's name; most characters, the last ones of the name.
_LETTER, _LONGEST = 7.4, 48
_ROW, _HIGH, _TOP = 30, 17, 74
_TICKS = 6
_STEPS_PS = (50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 50_000, 100_000)


@dataclass(frozen=True)
class _Row:
    """Drawing of a net in a row at the height ``y``.

    ``line`` is the SVG path of the whole waveform. ``useful`` is the SVG path of the useful edges
    only, so without the glitches. ``count`` is a text with the numbers of useful edges and
    glitches.
    """

    name: str
    cell: str
    y: float
    line: str
    useful: str
    count: str


class WaveDrawing(WaveFile):
    """SVG drawing of a window of cycles.

    It shows the clock, then a path of nets from an input or a flip-flop to the net that glitches
    most. The path is found backwards: before each net comes the input of its driving gate that
    toggles most. Some nets of a long path are left out. Only the first eight cycles of a window are
    drawn.
    """

    def begin(self, values: Mapping[int, int]) -> None:
        """Store the values of the nets before the window."""
        self._first = dict(values)
        self._changes: dict[int, list[tuple[int, int]]] = {}
        self._useful: dict[int, set[int]] = {}
        self._cycles = 0

    def add(self, changes: Sequence[Change]) -> None:
        """Store the changes of a cycle.

        If a net changes an odd number of times in the cycle, its last change is useful. All other
        changes are glitches.
        """
        self._cycles += 1
        if self._cycles > _CYCLES:
            return
        own: dict[int, list[int]] = {}
        for at, bit, value in changes:
            self._changes.setdefault(bit, []).append((at, value))
            own.setdefault(bit, []).append(at)
        for bit, moments in own.items():
            if len(moments) % 2:
                self._useful.setdefault(bit, set()).add(moments[-1])

    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        """Draw the window and write the file."""
        netlist = self.circuit.netlist
        time_ps = min(time_ps, _CYCLES * self.circuit.period_ps)
        drivers = {x.name: x for x in netlist.instances}
        path = self._path(netlist, drivers)
        clock = next(iter(netlist.clock_nets & netlist.input_nets))
        shown = [clock, *_some(path, _ROWS)]
        rows = [self._row(bit, at, drivers, time_ps) for at, bit in enumerate(shown)]
        left = max(_LEFT, *(36 + _LETTER * len(f"{row.name} {row.cell}") for row in rows))
        skipped = len(path) - len(shown) + 1
        notes = [f"{skipped} more gates between them"] if skipped > 0 else []
        if self._cycles > _CYCLES:
            notes.append(f"the first {_CYCLES} of {self._cycles:,} cycles")
        ticks = [(at, left + _WAVES * at / time_ps) for at in _ticks(time_ps)]
        self._file.write(
            _TEMPLATE.render(
                rows=rows,
                ticks=ticks,
                title=self.comment,
                note="; ".join(notes),
                width=left + _WAVES + _RIGHT,
                height=_TOP + _ROW * len(rows) + 50,
                left=left,
                right=left + _WAVES,
                top=_TOP,
                bottom=_TOP + _ROW * len(rows),
            )
        )

    def _glitches(self, bit: Bit) -> int:
        if not isinstance(bit, int) or bit in self.circuit.netlist.clock_nets:
            return -1
        return len(self._changes.get(bit, ())) - len(self._useful.get(bit, ()))

    def _path(self, netlist: Netlist, drivers: Mapping[str, Instance]) -> list[int]:
        """Nets on the drawn path, from an input or a flip-flop to the net that glitches most."""
        bit = max(netlist.observed, key=lambda x: (self._glitches(x), -x))
        path = [bit]
        while (name := netlist.drivers.get(path[0])) is not None:
            instance = drivers[name]
            if instance.cell.sequential is not None:
                break
            inputs = [instance.nets[pin.name] for pin in instance.cell.inputs]
            nets = [x for x in inputs if isinstance(x, int)]
            if not nets:
                break
            path.insert(0, max(nets, key=lambda x: (len(self._changes.get(x, ())), -x)))
        return path

    def _row(self, bit: int, place: int, drivers: Mapping[str, Instance], end: int) -> _Row:
        netlist = self.circuit.netlist
        high = _TOP + _ROW * place + (_ROW - _HIGH) / 2
        low = high + _HIGH

        def x(at: int) -> str:
            return f"{_WAVES * at / end:.1f}"

        value = self._first.get(bit, 0)
        line = [f"M{x(0)} {high if value else low}"]
        for at, new in self._changes.get(bit, ()):
            line.append(f"H{x(at)}V{high if new else low}")
        line.append(f"H{x(end)}")
        useful = self._useful.get(bit, set())
        count, driver = len(self._changes.get(bit, ())), netlist.drivers.get(bit)
        cell = drivers[driver].cell.name if driver else "input"
        glitches = count - len(useful)
        is_clock = bit in netlist.clock_nets
        name = netlist.name_of(bit)
        return _Row(
            name=name
            if len(name) <= _LONGEST
            else f"\N{HORIZONTAL ELLIPSIS}{name[1 - _LONGEST :]}",
            cell=cell,
            y=low - 3,
            line="".join(line),
            useful="".join(f"M{x(at)} {high}V{low}" for at in sorted(useful)),
            count="" if is_clock else f"{len(useful)} useful, {glitches} glitches",
        )


def _some(nets: Sequence[int], most: int) -> list[int]:
    """Select at most ``most`` nets, evenly spaced, including the first and the last one."""
    if len(nets) <= most:
        return list(nets)
    return [nets[round(at * (len(nets) - 1) / (most - 1))] for at in range(most)]


def _ticks(end_ps: int) -> list[int]:
    step = next((x for x in _STEPS_PS if end_ps / x <= _TICKS), end_ps)
    return list(range(0, end_ps + 1, step))


_TEMPLATE = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string("""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{ width }} {{ height }}" \
width="{{ width }}" height="{{ height }}" role="img" aria-labelledby="title">
<title id="title">{{ title }}</title>
<style>
  text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; \
font-size: 13px; fill: #1c2733; }
  .t { font-size: 15px; font-weight: 600; }
  .n { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px; }
  .s { fill: #5a6775; font-size: 12px; }
  .page { fill: #ffffff; stroke: #c3ccd6; }
  .grid { stroke: #d9dfe6; }
  .wave { stroke: #c05621; stroke-width: 1.6; fill: none; stroke-linejoin: round; }
  .useful { stroke: #2b6cb0; stroke-width: 3.2; fill: none; }
  .clock { stroke: #5a6775; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6ebf0; }
    .s { fill: #a0acb8; }
    .page { fill: #161b22; stroke: #3b4652; }
    .grid { stroke: #2d3640; }
    .wave { stroke: #f0965a; }
    .useful { stroke: #63a4e0; }
    .clock { stroke: #a0acb8; }
  }
</style>
<rect class="page" x="0.5" y="0.5" width="{{ width - 1 }}" height="{{ height - 1 }}" rx="10"/>
<text class="t" x="20" y="30">{{ title }}</text>
<path class="useful" d="M20 50H44"/>
<text class="s" x="50" y="54">useful toggle</text>
<path class="wave" d="M150 50H174"/>
<text class="s" x="180" y="54">value, and glitches</text>
<text class="s" x="320" y="54">{{ note }}</text>
{% for at, x in ticks %}
<path class="grid" d="M{{ x | round(1) }} {{ top }}V{{ bottom }}"/>
<text class="s" x="{{ x | round(1) }}" y="{{ bottom + 18 }}" text-anchor="middle">\
{{ at }}{{ ' ps' if loop.last }}</text>
{% endfor %}
{% for row in rows %}
<text x="20" y="{{ row.y }}"><tspan class="n">{{ row.name }}</tspan> \
<tspan class="s">{{ row.cell }}</tspan></text>
<g transform="translate({{ left }})">
<path class="wave{{ ' clock' if loop.first }}" d="{{ row.line }}"/>
{% if not loop.first %}
<path class="useful" d="{{ row.useful }}"/>
{% endif %}
</g>
<text class="s" x="{{ right + 14 }}" y="{{ row.y }}">{{ row.count }}</text>
{% endfor %}
</svg>
""")
