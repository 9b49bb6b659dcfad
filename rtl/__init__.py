"""Register-transfer level: synthesizable PyMTL3 components."""

from fl.wide_bits import lift

lift()
