"""Proof that a repaired netlist computes what the synthesized one computes.

The proof is structural: behind all buffers and inverters, every cell has the function and the input
signals of the cell of the same name, and a listed copy those of its original. So both have equal
values in every cycle if they begin with equal states. Listed adder cells are proven by truth tables
(``adder_proof``). Names of nets do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.adder_proof import AdderProof, Adders
from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.checks import check_connections
from rsaxcel.flow.physical.roles import Sources, roles_of
from rsaxcel.flow.power.liberty import Library

_NONE = -1


def check_equivalent(
    design: ArrayNetlist,
    reference: ArrayNetlist,
    library: Library,
    copies: Mapping[str, str] | None = None,
    adders: Adders | None = None,
) -> None:
    """Prove that a netlist is equivalent to ``reference``, the synthesized one."""
    # `copies` has the original of each copied cell. `FlowError` names the first difference.
    check_connections(reference)
    check_connections(design)
    _Comparison(design, reference, library, copies or {}, adders or {}).run()


class _Comparison:
    """Comparison of two netlists; an *owner* is the number of an instance in the reference."""

    def __init__(
        self,
        design: ArrayNetlist,
        reference: ArrayNetlist,
        library: Library,
        copies: Mapping[str, str],
        adders: Adders,
    ) -> None:
        self.design, self.reference, self.copies, self.adders = design, reference, copies, adders
        self.library = library
        self.new = Sources(design, roles_of(design.kinds, library))
        self.old = Sources(reference, roles_of(reference.kinds, library))
        self.owner = self._owners()
        names = sorted(
            {pin.name for kind in (*design.kinds, *reference.kinds) for pin in kind.pins}
        )
        self.pin_names = {name: number for number, name in enumerate(names)}

    def run(self) -> None:
        """Compare functions, then input signals."""
        self._check_added()
        self._check_functions()
        proof = self._proof()
        proof.run()
        self._check_present(proof.replaced)
        self._check_inputs(proof)

    def _owners(self) -> np.ndarray:
        known = {name: number for number, name in enumerate(_labels(self.reference))}
        for copy, original in self.copies.items():
            if copy in known:
                raise FlowError(f"the copy {copy} is a cell of the synthesized netlist")
            if original not in known:
                raise FlowError(
                    f"{copy} is a copy of {original}, which is no cell of the synthesized netlist"
                )
        both = (known.get(self.copies.get(name, name), _NONE) for name in _labels(self.design))
        return np.fromiter(both, np.int64, self.design.count)

    def _check_added(self) -> None:
        added = np.flatnonzero(_is_compared(self.new) & (self.owner == _NONE)).tolist()
        _fail(
            "is not in the synthesized netlist, and no buffer, inverter or listed copy or adder",
            (name for at in added if (name := self.design.names[at]) not in self.adders),
        )

    def _check_present(self, replaced: Iterable[int]) -> None:
        old = _is_compared(self.old)
        present = np.zeros(self.reference.count, bool)
        named = np.fromiter((x not in self.copies for x in self.design.names), bool)
        present[self.owner[named & (self.owner != _NONE)]] = True
        present[list(replaced)] = True
        _fail(
            "of the synthesized netlist is missing",
            (self.reference.names[at] for at in np.flatnonzero(old & ~present)),
        )

    def _check_functions(self) -> None:
        numbers: dict[object, int] = {}
        new, old = (
            np.array([numbers.setdefault(x.signature, len(numbers)) for x in sources.roles])
            for sources in (self.new, self.old)
        )
        both = self.owner != _NONE
        owner = self.owner[both]
        differ = new[self.design.kind[both]] != old[self.reference.kind[owner]]
        differ &= _is_compared(self.new)[both] | _is_compared(self.old)[owner]
        _fail(
            "has another function than in the synthesized netlist",
            (self.design.names[at] for at in np.flatnonzero(both)[differ]),
        )

    def _proof(self) -> AdderProof:
        """Proof of the adder cells; it finds the signals of their outputs."""
        old_signals = self._signals(self.old, np.arange(self.reference.count))
        signals = self._signals(self.new, self.owner) ^ self.new.inverted
        return AdderProof(self.adders, self.new, self.old, signals, old_signals, self.library)

    def _check_inputs(self, proof: AdderProof) -> None:
        keys, pins = self._inputs(self.new, self.owner)
        old_keys, old_pins = self._inputs(self.old, np.arange(self.reference.count))
        order = np.argsort(old_keys)
        # Every key is found, because functions, and with them the names of pins, are equal.
        expected = old_pins[order][np.searchsorted(old_keys[order], keys)]
        nets = self.design.pin_net[pins]
        has = proof.signals[self.new.root[nets]] ^ self.new.inverted[nets]
        wants = proof.old_signals[self.reference.pin_net[expected]]
        wrong = np.flatnonzero(has != wants)
        if not wrong.size:
            return
        first = int(wrong[np.argmin(pins[wrong])])
        cell, pin = self.design.pin_name(int(pins[first]))
        net = int(self.design.pin_net[pins[first]])
        count = f"({wrong.size} pin{'s' if wrong.size > 1 else ''} in all)"
        if has[first] == wants[first] ^ 1:
            path = [self.design.names[at] for at in self.new.path(net)]
            behind = f", behind {', '.join(path[:4])}" if path else ""
            raise FlowError(f"pin {pin} of {cell} has the complement of its signal{behind} {count}")
        now = self._source(self.new, net)
        then = self._source(self.old, int(self.reference.pin_net[expected[first]]))
        raise FlowError(f"pin {pin} of {cell} is connected to {now} instead of {then} {count}")

    def _inputs(self, sources: Sources, owner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Key of each input pin of compared cells, by owner and name, and the pin's number."""
        design = sources.design
        compared = _is_compared(sources) & (owner != _NONE)
        pins = np.flatnonzero(~design.pin_is_output & compared[design.pin_instance])
        return self._keys(sources, owner, pins), pins

    def _keys(self, sources: Sources, owner: np.ndarray, pins: np.ndarray) -> np.ndarray:
        design = sources.design
        numbers = [[self.pin_names[pin.name] for pin in kind.pins] for kind in design.kinds]
        first = np.cumsum([0, *map(len, numbers)])[:-1]
        own = design.pin_instance[pins]
        within = pins - design.pin_start[own]
        name = np.array([x for kind in numbers for x in kind])[first[design.kind[own]] + within]
        return owner[own].astype(np.int64) * len(self.pin_names) + name

    def _signals(self, sources: Sources, owner: np.ndarray) -> np.ndarray:
        """Signal of each net: twice the key of its source, and 1 more if it is inverted."""
        design = sources.design
        driver, complement = sources.states(sources.driver[sources.root])
        values = np.array([-1 if x.constant is None else x.constant for x in sources.roles])
        constant = values[design.kind[design.pin_instance[driver]]]
        # Tie cells of one value are one signal, that of no key.
        key = np.where(constant >= 0, -1, self._keys(sources, owner, driver))
        value = np.where(constant >= 0, constant, 0) ^ complement
        return 2 * key + (value ^ sources.inverted)

    def _source(self, sources: Sources, net: int) -> str:
        driver = int(sources.driver[sources.root[net]])
        cell, pin = sources.design.pin_name(driver)
        if sources.design.is_port[sources.design.pin_instance[driver]]:
            return f"port {cell}"
        return f"{pin} of {cell}"


def _labels(design: ArrayNetlist) -> list[str]:
    """Names of instances, those of ports made different from those of cells."""
    ports = design.is_port.tolist()
    return [f"\n{x}" if port else x for x, port in zip(design.names, ports, strict=True)]


def _is_compared(sources: Sources) -> np.ndarray:
    """Whether each instance is neither buffer, inverter nor tie cell."""
    kinds = [role.repeats is None and role.constant is None for role in sources.roles]
    return np.array(kinds)[sources.design.kind]


def _fail(what: str, names: Iterable[str]) -> None:
    if found := list(names):
        count = f"({len(found)} cell{'s' if len(found) > 1 else ''} in all)"
        raise FlowError(f"cell {found[0]} {what} {count}")
