"""CompressorTree: a product modulo a constant, in a tree of compressors (Vassoler, 2.2.1)."""

from rsaxcel.fl.modulus_parameter import MODULUS
from rsaxcel.fl.multipliers.contract import ConstantMultiplier
from rsaxcel.plan.compressors import MAX_BITS, TREES, product_bits, tree_columns
from rsaxcel.plan.parameters import Parameter


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
            "columns of the tree: the bits of a residue, and n modulo 2^n + 1, as in the document "
            "(own), or the number with the least delay times area, such as t of a pseudo-modulus "
            "(best)",
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

    def __init__(
        self,
        nbits: int,
        modulus: str,
        reweighted: str,
        columns: str,
        squares: str,
        **params: object,
    ) -> None:
        super().__init__(nbits, modulus, reweighted=reweighted, columns=columns, **params)
        self._reweighted, self._columns = reweighted, columns
        self._squarer = squares == "squarer"

    def check_circuit(self) -> None:
        """Raise ``ValueError`` if the tree has more bits than are planned for a circuit."""
        columns = tree_columns(self.constant_modulus, self._columns)
        bits = product_bits(self.constant_modulus, self._reweighted, columns)
        if bits > MAX_BITS:
            raise ValueError(
                f"modulus of {self.operand_nbits} bits: its compressor tree has {bits:,} bits, at "
                f"most {MAX_BITS:,} allowed for a circuit"
            )

    def lane_params(self, only_squares: bool) -> dict[str, bool]:
        """Make the circuit of a lane for squares a squarer, if the parameter ``squares`` asks."""
        return {"only_squares": True} if self._squarer and only_squares else {}
