"""A clear or preset of a flip-flop forces its state in the simulation of a netlist."""

from itertools import product

from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import NEXT, Sequential


def sequential(**forcing):
    variable = BooleanFunction.variable
    return Sequential("ff", "IQ", "IQN", variable("D"), variable("CK"), **forcing)


def test_clear_and_preset_force_the_state():
    clear, preset = ~BooleanFunction.variable("RN"), ~BooleanFunction.variable("SN")
    assert sequential().forced is None
    for given in ({"clear": clear}, {"preset": preset}, {"clear": clear, "preset": preset}):
        forced = sequential(**given).forced
        for following, rn, sn in product((False, True), repeat=3):
            wanted = following or ("preset" in given and not sn)
            wanted = wanted and (rn or "clear" not in given)
            values = {NEXT: following, "RN": rn, "SN": sn}
            found = forced.restrict({x: values[x] for x in forced.pins})
            assert bool(found.table) is wanted
