"""Register-transfer level: synthesizable PyMTL3 components."""

from rsaxcel.fl.wide_bits import lift

# Before any component: PyMTL3 refuses signals of more than 1023 bits.
lift()
