"""Register-transfer level: synthesizable PyMTL3 components."""

from rsaxcel.fl.wide_bits import lift

# Let PyMTL3's signals be wider than 1023 bits, for all components of this package.
lift()
