"""MontOrup: quotient-pipelined Montgomery products of a high radix."""
