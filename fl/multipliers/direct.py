"""Direct: a product, then its remainder, both combinational (Vassoler, equation 26)."""

from rsaxcel.fl.modulus_parameter import MODULUS
from rsaxcel.fl.multipliers.contract import ConstantMultiplier


class Direct(ConstantMultiplier):
    """``a * b mod m`` for one modulus, by the operators ``*`` and ``%``."""

    parameters = (MODULUS,)
    label = "operators, one modulus"
    source = "Vassoler 2023, section 4.2.1, equations 24 to 26"
