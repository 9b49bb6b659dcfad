"""Slots: numbers the products of a program, so that a bit of a mask stands for each product."""

from itertools import combinations

from rsaxcel.plan.programs import Program, formed_together
from rsaxcel.plan.steps import Product, When


class Slots:
    """Numbers the products of a program in the order of execution; the numbers are called slots.

    A slot is a bit of a mask or one-hot signal. Slots of a lane are adjacent; each step has as many
    in each lane as the largest step needs. A slot without a product is empty: its bit is 0 in every
    mask.
    """

    def __init__(self, program: Program):
        self.lanes = program.lanes
        halves = [half for turn in program.turns for half in turn]
        by_lane = [
            [
                [
                    p
                    for p in step
                    if any(program.lane_of[p, h] == lane for h in halves if p.is_of(h))
                ]
                for lane in range(self.lanes)
            ]
            for step in program.steps
        ]
        self._joining = program.join_range
        rounds = max(len(products) for step in by_lane for products in step)
        self.per_lane = rounds * len(by_lane)
        self.count = self.lanes * self.per_lane
        #: True: each lane forms at most one product in each step.
        self.singly = not any(
            formed_together(p, q, t in self._joining)
            for t, step in enumerate(by_lane)
            for products in step
            for p, q in combinations(products, 2)
        )
        self._step_of: dict[int, int] = {}
        self.products: dict[int, Product] = {}
        for t, step in enumerate(by_lane):
            for lane, products in enumerate(step):
                for k, product in enumerate(products):
                    slot = lane * self.per_lane + t * rounds + k
                    self.products[slot] = product
                    self._step_of[slot] = t

    def of_lane(self, lane: int) -> slice:
        return slice(lane * self.per_lane, (lane + 1) * self.per_lane)

    def step_mask(self, step: int) -> int:
        """Mask of all slots: 1 for each product of a step."""
        return sum(1 << k for k in self.products if self._step_of[k] == step)

    def when_mask(self, when: When) -> int:
        """Mask of all slots: 1 for each product that has the condition ``when``."""
        return sum(1 << k for k, p in self.products.items() if p.when is when)

    def turn_mask(self, half: int) -> int:
        """Mask of all slots: 1 for each product of a half, or of a step that joins both halves."""
        return sum(
            1 << k
            for k, p in self.products.items()
            if p.is_of(half) or self._step_of[k] in self._joining
        )

    def writers_mask(self, lane: int, residue: str) -> int:
        """Mask of a lane's slots: 1 for each product whose result is written to ``residue``."""
        return self.lane_mask(lane, "dst", residue)

    def lane_mask(self, lane: int, role: str, name: str) -> int:
        """Mask of a lane's slots: 1 for each product whose ``role`` (a, b, dst) is ``name``."""
        return sum(
            1 << k % self.per_lane
            for k, p in self.products.items()
            if k // self.per_lane == lane and getattr(p, role) == name
        )

    def product(self, lane: int, index: int) -> Product | None:
        """Product in slot ``index`` among the slots of a lane; None if the slot is empty."""
        return self.products.get(lane * self.per_lane + index)

    def only_squares(self, lane: int) -> bool:
        """Whether every product that a lane forms is a square."""
        formed = [p for k, p in self.products.items() if k // self.per_lane == lane]
        return all(p.a == p.b for p in formed)

    def last_index(self, lane: int) -> int:
        """Index, among the slots of a lane, of the last slot that has a product."""
        return max(k % self.per_lane for k in self.products if k // self.per_lane == lane)
