"""DigitSerial: adders of a digit on words of a memory."""
