"""Digit-serial multiplier: adders of one word, for operands that are words of a memory."""
