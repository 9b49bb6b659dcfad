"""Measures against faults and observers, each with its additions to the plan of a design."""

from rsaxcel.plan.measures.blinding import BLINDING
from rsaxcel.plan.measures.check import CHECK
from rsaxcel.plan.measures.dummies import DUMMY_PRODUCTS
from rsaxcel.plan.measures.states import DOUBLED_STATES

#: In the order of the axes.
MEASURES = (CHECK, BLINDING, DUMMY_PRODUCTS, DOUBLED_STATES)
