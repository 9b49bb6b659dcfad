"""``MultiplierConfiguration``: a multiplier at a width, which makes its models and components."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from rsaxcel.catalog.any_configuration import AnyConfiguration
from rsaxcel.catalog.reductions import REDUCTIONS
from rsaxcel.catalog.units import Unit
from rsaxcel.fl.exponentiator import Outcome
from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.fl.multipliers.contract import Multiplier
from rsaxcel.fl.status import InputRuleError, Status
from rsaxcel.plan.modulus_constants import ModulusConstant, Widths, widths_of
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.programs import Program
from rsaxcel.plan.scan import Scan
from rsaxcel.plan.steps import Product

if TYPE_CHECKING:  # at run time, a level is imported only when it is built
    from rsaxcel.cl.elastic import Timing


@dataclass(frozen=True)
class MultiplierConfiguration(AnyConfiguration):
    """A multiplier at a width, used alone.

    Its circuit checks no operands. So callers send only operands that ``golden.check`` accepts.

    Parameters
    ----------
    design : catalog.design.MultiplierEntry
        The multiplier, as the registry lists it.
    nbits : int
        Width of operands in bits.
    unit : Unit
        The multiplier with its parameters.
    """

    unit: Unit
    rules: ClassVar[None] = None
    halves: ClassVar[None] = None
    exponent_nbits: ClassVar[int] = 0
    largest_exponent: ClassVar[int] = 0
    exponent_dependent: ClassVar[bool] = False

    @property
    def multiplier(self) -> Unit:
        """The multiplier with its parameters."""
        return self.unit

    @property
    def constant_modulus(self) -> int:
        """The only modulus that the circuit supports; 0: any."""
        return self.golden.constant_modulus

    @property
    def params(self) -> dict[str, Any]:
        """Parameters by name."""
        return dict(self.unit.params)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the multiplier."""
        return self.multiplier.classes.fl.parameters

    @property
    def changed(self) -> dict[str, Any]:
        """Parameters that are not the default."""
        defaults = {p.name: p.default(self.nbits) for p in self.parameters}
        return {k: v for k, v in self.params.items() if defaults[k] != v}

    @property
    def host_constants(self) -> tuple[ModulusConstant, ...]:
        """Constants of the modulus that come with each request."""
        return self.golden.constants

    @property
    def base_dependent(self) -> bool:
        """Whether the operands' values change the cycle count."""
        return not self.golden.constant_time

    def shortened(self, exponent: int, share: float, least: int) -> int:
        """Return the exponent, which a product does not have."""
        return exponent

    @property
    def golden(self) -> Multiplier:
        """Functional model."""
        return self.multiplier_golden

    @property
    def r(self) -> int:
        """Number by which the product is divided: the result is ``a * b / r mod m``."""
        # It is R of the Montgomery product, times the divisor of a final reduction. 1: no division.
        return self.golden.r * self.golden.final_factor

    @cached_property
    def timing(self) -> Timing:
        """Cycle model."""
        return self.multiplier.build("cl", self.nbits)

    def request(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Fields of the request message."""
        constants = self.golden.constants
        try:
            self.golden.check(a, b, modulus)
        except InputRuleError:
            return (a, b, modulus, *(0 for _ in constants))
        return (a, b, modulus, *(c.formula.value(modulus) for c in constants))

    def outcome(self, a: int, b: int, modulus: int) -> Outcome:
        """Give golden result and status; 0 and an error status if operands are not supported."""
        try:
            self.golden.check(a, b, modulus)
        except InputRuleError as error:
            return Outcome(0, error.status)
        return Outcome(self._product(*self.request(a, b, modulus)), Status.OK)

    def evaluate(self, *operands: int) -> tuple[Outcome, int]:
        """Give result and status, and the cycles (cycle model), for a, b and modulus."""
        outcome = self.outcome(*operands)
        if outcome.status is not Status.OK:
            return outcome, 0
        return outcome, sum(self._durations(*operands))

    def operator(self) -> Any:
        """Circuit to synthesize, not elaborated: for one modulus, combinational, no registers."""
        if self.constant_modulus:
            self.check_circuit()
            return self.multiplier.build("rtl", self.nbits)
        return super().operator()

    def operator_cycles(self, *operands: int) -> int:
        """Cycles of a product on ``operator()``."""
        if self.constant_modulus:
            return sum(self.timing.durations(*operands))
        return self.cycles(*operands)

    def _product(self, a: int, b: int, modulus: int, *constants: int) -> int:
        names = (constant.name for constant in self.golden.constants)
        given = dict(zip(names, constants, strict=True))
        return self.golden.final_reduction(self.golden.product(a, b, modulus, **given), modulus)

    def _durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles of a request by pipeline stage; in an executor (with a store), of one product."""
        durations = self.timing.durations(a, b, modulus)
        if not self._needs_executor:
            return durations
        around, program = self._handshake, self._program
        control = around.fixed_cycles + around.step_cycles
        more = sum(self._store_timing.more_cycles(program).values())
        reduction = program.reduction.steps if program.reduction else 0
        return (sum(durations) + more + control + reduction,)

    @property
    def _messages(self) -> tuple[type[Any], type[Any]]:
        widths = (*self._operand_widths, *widths_of(self.golden.constants))
        return product_request(self.nbits, widths), product_response(self.nbits)

    @property
    def _operand_widths(self) -> Widths:
        """Widths of a and b if they are not those of the modulus; else empty."""
        return self.golden.operand_widths

    @property
    def _needs_executor(self) -> bool:
        """Whether the multiplier only works with a store, which an executor provides."""
        return self.golden.needs_store

    @property
    def _program(self) -> Program:
        """Program that forms one product, for multipliers that only work with a store."""
        constants = self.golden.constants
        excess_nbits = self.golden.excess_nbits()
        subtraction = REDUCTIONS["subtraction"].build(excess_nbits, 0) if excess_nbits else None
        return Program(
            name="product",
            residues=("a", "b", "r"),
            receives=("a", "b", "m", *(constant.name for constant in constants)),
            sends=("r",),
            lanes=1,
            scan=Scan(1),
            multiplier_constants=constants,
            enter=((Product("r", "a", "b", reduced=self.golden.final_factor > 1),),),
            reduction=subtraction,
        )

    @property
    def _first_program(self) -> Program | None:
        return self._program if self._needs_executor else None

    @property
    def _overlaps(self) -> bool:
        """Whether a request is accepted as a response is taken: never in an executor."""
        return self.timing.overlaps and not self._needs_executor

    @property
    def _nstages(self) -> int:
        return len(self.timing.durations(0, 0, 3))

    def _answer(self, *fields: int) -> tuple[int]:
        return (self._product(*fields),)

    def _timed_answer(self, *fields: int) -> tuple[tuple[int], tuple[int, ...]]:
        return self._answer(*fields), self._durations(*fields[:3])

    def _circuit(self) -> Any:
        if self._needs_executor:
            from rsaxcel.rtl.exponentiators.product_executor import ProductExecutor

            parts = self.multiplier, self._store.rtl
            return ProductExecutor(self.nbits, self._program, *parts, self._operand_widths)
        if self.golden.holds_modulus:
            return self.multiplier.build("rtl", self.nbits)
        from rsaxcel.rtl.lib.held_modulus import HeldModulus

        return HeldModulus(self.nbits, self.multiplier, *self._messages)
