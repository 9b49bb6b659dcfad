"""Arithmetic with which tests compare results."""


def power_of_x(exponent: int, polynomial: int) -> int:
    """Power of x modulo a polynomial over the numbers modulo 2.

    Bit i of a number is the coefficient of x^i; the degree of ``polynomial`` is at least 2.
    """
    degree = polynomial.bit_length() - 1

    def times(a: int, b: int) -> int:
        product = 0
        while b:
            product ^= a if b & 1 else 0
            a, b = a << 1, b >> 1
            a ^= polynomial if a >> degree else 0
        return product

    result, square = 1, 2
    while exponent:
        result = times(result, square) if exponent & 1 else result
        square, exponent = times(square, square), exponent >> 1
    return result
