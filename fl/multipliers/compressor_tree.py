"""CompressorTree: a product modulo a constant, in a tree of compressors (Vassoler, 2.2.1)."""

from fl.modulus_parameter import MODULUS
from fl.multipliers.contract import ConstantMultiplier
from plan.compressors import TREES
from plan.parameters import Parameter


class CompressorTree(ConstantMultiplier):
    """``a * b mod m`` for one modulus, by re-weighted partial products."""

    label = "compressor tree, one modulus"
    source = "Vassoler 2023, section 2.2.1, figures 2 to 6"
    # Modulo 2^nbits - 1, the tree has 65,536 partial products at 256 bits, and its simulator is
    # compiled in about half a minute; at 512 bits, it has not been compiled within a quarter of an
    # hour. ``plan_product`` counts the cells of wider trees.
    circuit_widths = range(4, 257)
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
    )
