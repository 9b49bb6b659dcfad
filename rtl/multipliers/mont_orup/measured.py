"""MontOrup with measures: for a check of the result, and with doubled states."""

from typing import Any

from pymtl3 import Bits1, OutPort, Wire, connect, update, update_ff

from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.agreement import add_agreement
from rsaxcel.rtl.lib.digit_lane import COPIED_IN, COPIED_OUT
from rsaxcel.rtl.multipliers.mont_orup.control import OUTPUTS, LaneControl
from rsaxcel.rtl.multipliers.mont_orup.mont_orup import MontOrup
from rsaxcel.rtl.multipliers.mont_orup.operand_digits import DigitSelect, OperandDigits


class SureDigitSelect(DigitSelect):
    """``DigitSelect`` that tells whether a fault has changed when second digits are selected.

    More ports
    ----------
    answers : in, 1 bit; all digits have been selected
    broken : out, 1 bit; the register of ``second`` and its inverted copy are not opposite, or there
        are second digits that were not selected: a fault. (Without second digits, the comparison of
        a checked result would always be good.)
    """

    of_control = (*DigitSelect.of_control, "answers")

    def add_second(s) -> None:
        s.broken = OutPort(1)
        s.unsecond_reg = Wire(Bits1)

        @update
        def comb_broken():
            s.broken @= (
                (s.second_reg == s.unsecond_reg) | (s.answers & s.doubling & s.unsecond_reg)
            ) & ~s.prepare

        @update_ff
        def seq_sure_second():
            if s.begins | s.prepare:
                s.second_reg <<= 0
                s.unsecond_reg <<= 1
            elif s.again:
                s.second_reg <<= 1
                s.unsecond_reg <<= 0


class SureOperandDigits(OperandDigits):
    """``OperandDigits`` with the registers of ``SureDigitSelect``."""

    # No second base class: PyMTL3 would look for the update blocks in one, then in the other.
    of_control, add_second = SureDigitSelect.of_control, SureDigitSelect.add_second


class SureMontOrup(MontOrup):
    """``MontOrup`` for a store that checks the result.

    More ports: ``broken`` (out, 1 bit); see ``SureDigitSelect``.
    """

    digits_type, select_type = SureOperandDigits, SureDigitSelect

    def add_measures(s, *of_control: Any) -> None:
        super().add_measures(*of_control)
        s.broken = OutPort(1)
        s.broken //= s.operand_digits.broken


class DoubledMontOrup(MontOrup):
    """``MontOrup`` with a copy of its control, and of the registers that select digits.

    Its ports include the ``copied`` ones of ``rtl.lib.digit_lane``.
    """

    copied = True

    def add_measures(s, *of_control: Any) -> None:
        super().add_measures(*of_control)
        s.control_copy = LaneControl(*of_control)
        s.control_copy.prepare //= s.prepare
        for name in COPIED_IN:
            connect(getattr(s.control_copy, name), getattr(s, f"copy_{name}"))
        s.select_copy = s.select_type(of_control[0])
        connect_named(s.select_copy, s.control_copy, *s.select_copy.of_control)
        s.select_copy.prepare //= s.prepare
        s.select_copy.follows //= s.copy_follows
        for name in COPIED_OUT:
            connect(getattr(s, f"copy_{name}"), getattr(s.control_copy, name))
        s.copy_select //= s.select_copy.select
        s.copy_second //= s.select_copy.second

        selected = "select", "second", "joining"
        machine = [getattr(s.control, x) for x in OUTPUTS]
        copy = [getattr(s.control_copy, x) for x in OUTPUTS]
        machine += [getattr(s.operand_digits, x) for x in selected]
        copy += [getattr(s.select_copy, x) for x in selected]
        add_agreement(s, "agreement", machine, copy)
        s.differed //= s.agreement.differed


MontOrup.measured = {"check": SureMontOrup, "states": DoubledMontOrup}
