"""Combinational operators modulo a constant, built from the plans of ``plan.compressors``."""

from rsaxcel.rtl.lib.compressors.brent_kung import BrentKungAdder
from rsaxcel.rtl.lib.compressors.operators import ModularProduct, ModularResidue, ModularSquare

__all__ = ["BrentKungAdder", "ModularProduct", "ModularResidue", "ModularSquare"]
