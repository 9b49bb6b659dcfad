"""Digit-serial multiplier: adders of one word, for operands that are words of a memory."""

from rsaxcel.rtl.multipliers.digit_serial.digit_serial import DigitSerial

__all__ = ["DigitSerial"]
