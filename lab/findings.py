"""Findings of ``leak``, ``fault`` and ``prove``, in a line each, for lists and reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from rsaxcel.circuit import Circuit
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.sim import replay
from rsaxcel.store.folders import key_of
from rsaxcel.store.places import check_own, make_folder
from rsaxcel.store.shown import choices_text

#: Kinds of findings: t-tests of energy, injected faults, proofs.
LEAKS, FAULTS, PROVEN = KINDS = ("leaks", "faults", "proven")

FOLDER = Path("build", "laboratory")  #: folder of the findings, in the current folder


@dataclass(frozen=True)
class Finding:
    """A result of the laboratory."""

    kind: str  #: kind of the finding, one of KINDS
    subject: str
    nbits: int
    choices: str  #: choices of the circuit, as store.shown.choices_text writes them
    item: str  #: tested or proven item, such as the fixed operand; empty: there is only one
    text: str  #: result in a few words
    command: str
    circuit: str  #: key of the netlist; empty for proofs
    runs: int  #: number of traces or faults; 0 for proofs

    @property
    def conditions(self) -> str:
        return ", ".join(filter(None, (f"{self.nbits} bits", self.choices.replace(",", ", "))))


def keep_findings(
    kind: str,
    configuration: Circuit,
    found: Mapping[str, str],
    command: str,
    circuit: str = "",
    runs: int = 0,
) -> None:
    """Store findings by item, unless an earlier one of the same circuit has more runs."""
    name, nbits = configuration.design_name, configuration.nbits
    choices = choices_text(configuration.changed)
    verb, _, options = command.partition(" ")
    whole = f"{replay.command(verb, name, nbits, configuration.changed)} {options}".rstrip()
    make_folder(FOLDER)
    for item, text in found.items():
        finding = Finding(kind, name, nbits, choices, item, text, whole, circuit, runs)
        path = FOLDER / f"{kind}-{name}-{nbits}-{key_of(kind, name, nbits, choices, item)}.json"
        earlier = _read(path)
        if earlier is None or earlier.circuit != circuit or earlier.runs <= runs:
            write_json(path, asdict(finding))


def findings(subject: str = "", folder: Path = FOLDER) -> Iterator[Finding]:
    """Yield findings on a subject, or on all subjects, in order; broken files are skipped."""
    if folder.exists():
        check_own(folder)
    read = map(_read, folder.glob(f"*-{subject or '*'}-*.json"))
    found = [x for x in read if x is not None]
    found.sort(key=lambda x: (KINDS.index(x.kind), x.subject, x.nbits, x.choices, x.item))
    yield from (x for x in found if subject in ("", x.subject))


def _read(path: Path) -> Finding | None:
    """Read a finding; None if there is none, or the file is broken."""
    try:
        return Finding(**read_json(path))
    except (FlowError, TypeError):
        return None


def by_kind(found: Iterable[Finding]) -> dict[str, str]:
    """Return a text for each kind of finding on one circuit; proofs are grouped by verdict."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    claims: defaultdict[str, list[str]] = defaultdict(list)
    for each in found:
        if each.kind == PROVEN:
            claims[each.text.partition(" ")[0]].append(each.item)
        else:
            texts[each.kind].append(": ".join(filter(None, (each.item, each.text))))
    for verdict in sorted(claims, reverse=True):  # refuted claims come first
        texts[PROVEN].append(f"{verdict}: {', '.join(claims[verdict])}")
    return {kind: "; ".join(lines) for kind, lines in texts.items()}
