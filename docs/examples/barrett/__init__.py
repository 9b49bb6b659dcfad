"""Barrett, a multiplier, and its entry in the registry: RSAXCEL_DESIGNS names this folder."""

from barrett import barrett_cl, barrett_fl, barrett_rtl
from rsaxcel.catalog import Classes, Design

DESIGNS = (
    Design(
        id=364561,
        name="barrett_r2l",
        summary="products reduced by a reciprocal of the modulus",
        multiplier=Classes(barrett_fl.Barrett, barrett_cl.Barrett, barrett_rtl.Barrett),
        schedule="r2l",
        lanes=2,
        source="Barrett, CRYPTO '86",
    ),
)
