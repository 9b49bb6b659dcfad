"""MontOrup by the recurrence of the circuit: the closed form is checked against it."""

from rsaxcel.fl.multipliers.mont_orup import MontOrup


class MontOrupByDigits(MontOrup):
    """MontOrup that forms its products digit by digit, by the recurrence of the circuit.

    Each iteration checks the bounds on which the circuit's registers rely. That takes ten times as
    long.
    """

    def whole_product(self, a: int, modulus: int, tail: int) -> int:
        """Give ``a * m + tail``, not reduced modulo m, formed digit by digit."""
        k, count = self.digit_nbits, -(-2 * self.nbits // self.digit_nbits)
        total, result = tail << k, 0
        for i in range(count + 1):
            if i:
                result |= total % (1 << k) << k * (i - 1)
            total = (total >> k) + self._digit(a, i, self.digits) * modulus
            self._check_sum(total, max(modulus, tail), 0)
        self._check_equal(super().whole_product(a, modulus, tail), result)
        return result

    def _product(self, a: int, b: int, modulus: int, digits: int) -> int:
        k, delay = self.digit_nbits, self.quotient_delay
        half, addend = 1 << k - 1, self.addend(modulus)
        quotients: list[int] = []
        total = low = 0
        for i in range(digits + delay + 1):
            if i <= digits:
                quotients.append((total + half) % (2 * half) - half)
                total -= quotients[-1]
            else:
                low |= total % (2 * half) << k * (i - digits - 1)
            total = (total >> k) + self._digit(a, i, digits) * b
            if i >= delay:
                total += quotients[i - delay] * addend
            self._check_sum(total, b, addend)
        result = (total << k * delay) + low
        self._check_equal(super()._product(a, b, modulus, digits), result)
        return result

    def _digit(self, a: int, index: int, digits: int) -> int:
        """Give a digit of ``a``: two's complement, plus the top bit of the digit below.

        0 past the end.
        """
        k, radix = self.digit_nbits, 1 << self.digit_nbits
        if index >= digits:
            return 0
        digit = (a >> k * index) % radix
        below = a >> k * index - 1 & 1 if index else 0
        return digit - radix * (digit >> k - 1) + below

    def _check_sum(self, total: int, b: int, addend: int) -> None:
        self._check_bound("running sum", total, self.sum_bound(b, addend))
        self._check_bound("running sum", total, 1 << self.sum_nbits - 1)

    def _check_equal(self, expected: int, found: int) -> None:
        if expected != found:
            raise ArithmeticError(f"MontOrup: the digits give {found:#x}, not {expected:#x}")
