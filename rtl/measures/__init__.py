"""Measures against faults and observers: each lists the parts of a circuit that it changes."""

from rsaxcel.rtl.measures.blinding import BLINDING
from rsaxcel.rtl.measures.check import CHECK
from rsaxcel.rtl.measures.doubled_states import DOUBLED_STATES
from rsaxcel.rtl.measures.dummies import DUMMIES
from rsaxcel.rtl.parts import add_measures

MEASURES = (BLINDING, DUMMIES, CHECK, DOUBLED_STATES)

add_measures(*MEASURES)
