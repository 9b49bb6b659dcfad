"""Prints a study of faults as text; its JSON has all modules, kinds and registers."""

from collections.abc import Iterable, Iterator, Sequence

from rsaxcel.cli.options.common import design_text
from rsaxcel.lab.faults.safe_error import EXPONENTS, SafeError
from rsaxcel.lab.faults.space import MEANINGS
from rsaxcel.lab.faults.study import LEAST_FAULTS, Counts, FaultStudy
from rsaxcel.lab.faults.target import DEADLINE, FaultOutcome
from rsaxcel.store.shown import aligned, shorten

_ROWS = 20
_REGISTERS = 10
_NUMBER = 24


def describe(study: FaultStudy) -> Iterator[str]:
    """Yield lines of text on a study."""
    campaign = study.campaign
    operation = campaign.operation
    named = zip(("base", "exponent", "modulus"), operation.operands, strict=True)
    yield _row("design", _design(study))
    yield _row("operation", ", ".join(f"{name} {_short(number)}" for name, number in named))
    cycles = operation.cycles
    yield _row("without fault", f"result {_short(operation.response)} in {cycles:,} cycles")
    yield _row("no answer", f"no response within {DEADLINE * cycles:,} cycles")
    size = campaign.size
    drawn = f"{campaign.total:,} drawn from {size:,}, seed {campaign.seed}"
    yield _row(
        "two faults" if campaign.second else "faults",
        f"all {size:,}" if campaign.exhaustive else drawn,
    )
    yield ""
    with_factors = study.factors is not None
    head = ["kind", "", *_heads(with_factors)]
    rows = [[kind, *_cells(study, x, with_factors)] for kind, x in study.by_kind.items()]
    rows += [
        [f"in the {part}", *_cells(study, x, with_factors)] for part, x in study.by_part.items()
    ]
    if len(rows) > 1:
        rows.append(["all", *_cells(study, study.whole, with_factors)])
    yield from _table([head[0], *head[2:]], rows)
    yield ""
    yield from _modules(study, with_factors)
    yield ""
    yield from _registers(study)
    if study.statuses:
        listed = ", ".join(f"{name} {number:,}" for name, number in study.statuses.items())
        yield _row("refused with", listed)
    if with_factors:
        yield _row("factor", _factor(study))
    halves = campaign.target.configuration.halves
    if halves and halves.public_nbits:
        told = (
            f"at {campaign.target.configuration.nbits} bits, a random result passes modulo a prime"
        )
        yield _row("check", f"{told} with a probability of about 2^-{halves.nbits}")
    yield from _safe_error(study.safe_error)
    told = "two faults in a run (modules and registers: of the first)" if campaign.second else ""
    told = f"{told or 'one fault in a run'}, gates without delays"
    yield _row("note", f"{told}; docs/explanation/measures.md")
    for kind in dict.fromkeys(campaign.kinds + campaign.second):
        yield _row(kind, MEANINGS[kind])


def _design(study: FaultStudy) -> str:
    configuration = study.campaign.target.configuration
    return design_text(configuration.design_name, configuration.nbits, configuration.params)


def _heads(with_factors: bool) -> list[str]:
    return ["faults", *(x.label for x in FaultOutcome), *(["factor"] if with_factors else [])]


def _cells(study: FaultStudy, counts: Counts, with_factors: bool) -> list[str]:
    """Cells of a row: number of faults, and shares of outcomes, or bounds of shares of 0."""
    cells = [f"{counts.total:,}"]
    for outcome in FaultOutcome:
        bound = study.bound(counts, outcome)
        share = f"{100 * counts.share(outcome):.2f} %"
        cells.append(share if bound is None else f"0 (<{100 * bound:.2g} %)")
    return [*cells, *([f"{counts.factors:,}"] if with_factors else [])]


def _modules(study: FaultStudy, with_factors: bool) -> Iterator[str]:
    """Yield the modules and kinds with the most wrong results, then those without an answer."""

    def rank(counts: Counts) -> tuple[int, int]:
        return -counts.by_outcome[FaultOutcome.WRONG], -counts.by_outcome[FaultOutcome.NO_ANSWER]

    every = study.by_module_and_kind.items()
    ranked = sorted((x for x in every if any(rank(x[1]))), key=lambda x: rank(x[1]))
    rows = [
        [module or "(top)", kind, *_cells(study, x, with_factors)]
        for (module, kind), x in ranked[:_ROWS]
    ]
    yield from _table(["module", "kind", *_heads(with_factors)], rows)
    left = len(every) - min(len(ranked), _ROWS)
    if left:
        yield f"... and {left} more rows with fewer wrong results or none (--json has all)"


def _registers(study: FaultStudy) -> Iterator[str]:
    """Yield the registers with the largest share of wrong results."""
    rows = [
        [name, f"{x.total:,}", f"{100 * x.share(FaultOutcome.WRONG):.1f} %"]
        for name, x in study.registers[:_REGISTERS]
    ]
    if rows:
        yield from _table([f"register (from {LEAST_FAULTS} faults on)", "faults", "wrong"], rows)
        yield ""


def _factor(study: FaultStudy) -> str:
    wrong, share = study.whole.by_outcome[FaultOutcome.WRONG], study.factor_share
    percent = "" if share is None else f" ({100 * share:.1f} %)"
    nbits = study.campaign.target.configuration.nbits
    told = f"wrong results at {nbits} bits give a prime of the modulus, and the key"
    return f"{study.whole.factors:,} of {wrong:,} {told}{percent}"


def _safe_error(found: SafeError | str) -> Iterator[str]:
    """Yield lines on the safe-error attack."""
    if isinstance(found, str):
        yield _row("safe error", f"not tried: {found}")
        return
    flips = f"{found.telling:,} of {found.tried:,} flips of its own"
    yield _row("safe error", f"{flips} depend on one digit of known exponents")
    told = f"{found.right:,} of {found.told:,} digits told right, of {found.digits:,} in all"
    yield _row("", told)
    if not found.all_told:
        return
    told = f"{found.all_right:,} of {found.all_told:,} with {EXPONENTS} other exponents"
    yield _row("", f"{told}; probability of a guess {found.chance:.2g}")
    if found.read:
        told = f"{found.read} digits told better than by guessing: "
        yield _row(
            "", f"{told}{found.bits} of {found.exponent_nbits} bits of the exponent come out"
        )
    else:
        yield _row("", "no digit told better than by guessing: no bit of the exponent comes out")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Lay out a table: texts to the left; figures, from ``faults`` on, to the right."""
    return aligned([head, *rows], head.index("faults"))


def _row(name: str, text: str) -> str:
    return f"{name:<15}{text}"


def _short(number: int) -> str:
    return shorten(hex(number), _NUMBER)
