"""CompressorTree: a product modulo a constant, in a tree of compressors (Vassoler, 2.2.1)."""

from fl.modulus_parameter import MODULUS
from fl.multipliers.contract import ConstantMultiplier
from plan.compressors import TREES
from plan.parameters import Parameter


class CompressorTree(ConstantMultiplier):
    """``a * b mod m`` for one modulus, by re-weighted partial products."""

    label = "compressor tree, one modulus"
    source = "Vassoler 2023, section 2.2.1, figures 2 to 6"
    parameters = (
        MODULUS,
        Parameter(
            "tree",
            lambda nbits: "best",
            lambda nbits: ("best", *TREES),
            "compressors of the tree; best: the choice with the least delay times area",
        ),
        Parameter(
            "reweighted",
            lambda nbits: "products",
            lambda nbits: ("products", "rows"),
            "when bits above the modulus are re-weighted: before compression (products), or when "
            "this does not make the matrix higher (rows)",
        ),
        Parameter(
            "columns",
            lambda nbits: "own",
            lambda nbits: ("own", "best"),
            "columns of the tree: n of the modulus 2^n + k or 2^n - k, as in the document (own), "
            "or the number with the least delay times area, such as t of a pseudo-modulus (best)",
        ),
        Parameter(
            "squares",
            lambda nbits: "product",
            lambda nbits: ("product", "squarer"),
            "circuit of a lane that only forms squares: as other lanes (product, as in the "
            "document), or a tree with about half as many bits (squarer); it changes no lane that "
            "forms other products, too",
        ),
    )

    def __init__(self, nbits: int, modulus: str, squares: str, **params: object):
        super().__init__(nbits, modulus, **params)
        self._squarer = squares == "squarer"

    def lane_params(self, only_squares: bool) -> dict[str, bool]:
        """Make the circuit of a lane for squares a squarer, if the parameter ``squares`` asks."""
        return {"only_squares": True} if self._squarer and only_squares else {}
