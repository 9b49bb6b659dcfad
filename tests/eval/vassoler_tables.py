"""Vassoler's tables 5 and 7 to 18, cell by cell as printed."""

SIX = ("DM (M)", "DM (PM)", "CM (M)", "CM (PM)", "MM (M)", "MM (PM)")
"""Columns of tables 7 to 9 and 13 to 15: direct, by compression, Montgomery's, each modulo M or
modulo the pseudo-modulus (PM). Tables 10 to 12 and 16 to 18 have the last four columns."""
TESTS = (16, 32, 64, 128, 256, 512)
"""Numbers of the tests, one for each row: half of the width in bits."""

TABLE_5 = """
2^4 + 5 | 407 ps | 15965 μm | 6.417 x 10^6
2^6 - 1 | 393 ps | 15792 μm | 6.206 x 10^6
2^6 + 21 | 463 ps | 24000 μm | 11.112 x 10^6
2^8 - 1 | 457 ps | 22000 μm | 10.054 x 10^6
2^8 + 85 | 509 ps | 32951 μm | 16.772 x 10^6
2^10 - 1 | 480 ps | 24458 μm | 11.739 x 10^6
2^10 + 341 | 525 ps | 38500 μm | 20.212 x 10^6
2^12 - 1 | 501 ps | 32000 μm | 16.032 x 10^6
"""
"""Table 5: modulus, delay, area, product of delay and area."""

TABLES = {
    7: """
7019 | 7914 | 12040 | 6816 | 400 | 403
16890 | 17802 | 26215 | 14030 | 774 | 777
75264 | 73577 | 90691 | 58425 | 1521 | 1525
116540 | 119116 | 144143 | 110084 | 3015 | 3022
207202 | 206158 | 243042 | 193876 | 6003 | 6014
291971 | 294094 | 299828 | 236353 | 11978 | 12000
""",
    8: """
412 ns | 435 ns | 98 ns | 48 ns | 4.8 us | 5.2 us
1.2 us | 1055 ns | 123 ns | 60 ns | 18.7 us | 20.2 us
3.9 us | 2883 ns | 148 ns | 72 ns | 73.6 us | 80 us
13.9 us | 8887 ns | 173 ns | 84 ns | 292.2 us | 318 us
52.3 us | 30294 ns | 198 ns | 96 ns | 1164.6 us | 1.268 ms
202.4 us | 110700 ns | 223 ns | 108 ns | 4649.5 us | 5.07 ms
""",
    9: """
0.002891 | 0.00344 | 0.00118 | 0.000327 | 0.00192 | 0.00209
0.020268 | 0.0188 | 0.00322 | 0.00084 | 0.01447 | 0.01569
0.29353 | 0.212 | 0.0134 | 0.0042 | 0.11194 | 0.122
1.619 | 1.048 | 0.0249 | 0.00924 | 0.881 | 0.961
10.836 | 6.25 | 0.0481 | 0.0186 | 6.99 | 7.63
59.094 | 32.56 | 0.0668 | 0.0255 | 55.69 | 60.84
""",
    10: """
1.6 us | 816 ns | 82 us | 88 us
2 us | 1 us | 318 us | 343 us
2.5 us | 1.2 us | 1.3 ms | 1.4 ms
2.9 us | 1.4 us | 5 ms | 5.4 ms
3.4 us | 1.6 us | 19.8 ms | 21.6 ms
3.8 us | 1.8 us | 79 ms | 86.2 ms
""",
    11: """
3.14 us | 1.58 us | 153.6 us | 166.4 us
7.9 us | 3.9 us | 1.2 ms | 1.3 ms
18.9 us | 9.3 us | 9.4 ms | 10.3 ms
44.3 us | 21.6 us | 74.8 ms | 162.8 ms
101.4 us | 49.2 us | 596.3 ms | 649.2 ms
228.3 us | 110.7 us | 4.8 s | 5.2 s
""",
    12: """
8 MHz | 19 MHz | 6.92 MHz | 6.53 MHz
3.2 MHz | 8.3 MHz | 3.42 MHz | 3.354 MHz
1.5 MHz | 3.6 MHz | 1.756 MHz | 1.697 MHz
0.635 MHz | 1.502 MHz | 0.901 MHz | 0.858 MHz
0.348 MHz | 0.842 MHz | 0.462 MHz | 0.434 MHz
0.141 MHz | 0.426 MHz | 0.237 MHz | 0.220 MHz
""",
    13: """
3510 | 3957 | 6020 | 3408 | 400 | 403
8445 | 8901 | 13108 | 7015 | 774 | 777
37632 | 36789 | 45346 | 29213 | 1521 | 1525
58270 | 59558 | 72072 | 55042 | 3015 | 3022
103601 | 103079 | 121521 | 96938 | 6003 | 6014
145986 | 147025 | 149914 | 118177 | 11978 | 12000
""",
    14: """
0.2 us | 0.21 us | 0.04 us | 0.02 us | 4.8 us | 5.2 us
0.6 us | 0.52 us | 0.06 us | 0.03 us | 18.7 us | 20.2 us
1.95 us | 1.4 us | 0.07 us | 0.036 us | 73.6 us | 80 us
7 us | 4.4 us | 0.08 us | 0.042 us | 292.2 us | 318 us
26.2 us | 15.2 us | 0.1 us | 0.048 us | 1164.6 us | 1268 us
101.2 us | 55.4 us | 0.11 us | 0.05 us | 4649.5 us | 5070 us
""",
    15: """
0.00072 | 0.00086 | 0.0003 | 0.00008 | 0.00192 | 0.00209
0.005 | 0.0047 | 0.00079 | 0.00021 | 0.01447 | 0.01569
0.073 | 0.051 | 0.0033 | 0.001 | 0.11194 | 0.122
0.407 | 0.262 | 0.0061 | 0.0023 | 0.881 | 0.961
2.71 | 1.566 | 0.012 | 0.0046 | 6.99 | 7.63
14.77 | 8.145 | 0.016 | 0.0064 | 55.69 | 60.84
""",
    16: """
0.93 us | 0.45 us | 82 us | 88 us
1.1 us | 0.57 us | 318 us | 343 us
1.4 us | 0.68 us | 1300 us | 1400 us
1.6 us | 0.8 us | 5000 us | 5400 us
1.8 us | 0.91 us | 19800 us | 21600 us
2.1 us | 1 us | 79000 us | 86200 us
""",
    17: """
0.002 ms | 0.001 ms | 0.15 ms | 166.4 us
0.006 ms | 0.003 ms | 1.2 ms | 1.3 ms
0.014 ms | 0.007 ms | 9.4 ms | 10.3 ms
0.033 ms | 0.016 ms | 74.8 ms | 162.8 ms
0.076 ms | 0.036 ms | 596.3 ms | 649.2 ms
0.17 ms | 0.083 ms | 4800 ms | 5200 ms
""",
    18: """
14 MHz | 35 MHz | 6.92 MHz | 6.53 MHz
5.3 MHz | 15 MHz | 3.42 MHz | 3.354 MHz
2.7 MHz | 7.3 MHz | 1.756 MHz | 1.697 MHz
1.2 MHz | 2.5 MHz | 0.901 MHz | 0.858 MHz
0.56 MHz | 1.6 MHz | 0.462 MHz | 0.434 MHz
0.23 MHz | 0.75 MHz | 0.237 MHz | 0.220 MHz
""",
}


def rows(text: str) -> list[list[str]]:
    """Cells of a table, row by row."""
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def columns(number: int) -> tuple[str, ...]:
    """Names of a table's columns."""
    return SIX[-len(rows(TABLES[number])[0]) :]


def cells(number: int) -> dict[tuple[int, str], str]:
    """Cells of one of tables 7 to 18 by width in bits and column."""
    return {
        (2 * test, column): cell
        for test, line in zip(TESTS, rows(TABLES[number]), strict=True)
        for column, cell in zip(columns(number), line, strict=True)
    }
