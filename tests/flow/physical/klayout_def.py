"""DEF files as KLayout reads them."""

import klayout.db as db

from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, FN, FS, N, S
from tests.flow.physical.netlists import KIT

ANGLES = {N: (0, False), S: (2, False), FS: (0, True), FN: (2, True)}
"""KLayout's turns by 90 degrees, after a flip about the x axis, of each orientation."""


def read(path):
    options = db.LoadLayoutOptions()
    config = options.lefdef_config
    config.read_lef_with_def = False
    config.lef_files = [str(lef) for lef in KIT.layout.lef]
    config.dbu = 1 / DBU_PER_UM
    config.macro_resolution_mode = 1  # cells from LEF, not from a layout that FOREIGN names
    config.instance_property_name = "name"
    config.pin_property_name = config.net_property_name = "net"
    layout = db.Layout()
    layout.read(str(path), options)
    return layout
