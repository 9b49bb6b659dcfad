"""Faults in cores and in their shells, one at a time: `rsaxcel check` finds each of them."""

from rsaxcel.catalog.given import GivenEntry
from rsaxcel.catalog.registry import GIVEN, register_given
from rsaxcel.rtl.shells import shell
from rsaxcel.sim.translate import translate
from tests.rtl.shells.test_shells import SHELLS, rules_of, text_for
from tests.shared.tables import each_row

NAME = "planted"


@each_row(__file__, "faults", "core", "old", "new", "step", "told")
def test_a_fault_is_found(rsaxcel, core, old, new, step, told):
    built, _ = SHELLS[core]
    right = translate(shell(built, rules_of(built), text_for(core)), top=NAME).text
    wrong = right.replace(old, new)
    assert wrong != right
    widths = range(built.nbits, built.nbits + 1)
    entry = GivenEntry(NAME, "", widths, lambda _: wrong, odd_modulus=True)
    register_given(entry)
    try:
        done = rsaxcel("check", NAME, "--nbits", built.nbits, "--only", step)
    finally:
        del GIVEN[NAME]
    assert done.status == 1, done
    assert told in done.out + done.err
