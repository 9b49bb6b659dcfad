"""Vectors of ``sim`` with random multiples of the primes of a key as moduli."""

import json

import pytest

from rsaxcel.fl.blinded_key import blinded_key
from rsaxcel.fl.keys import balanced_key
from rsaxcel.sim import vectors as sim_vectors

OPTIONS = ("--level", "cl", "--json", "--random", 6)


@pytest.mark.parametrize("operation", ["decrypt", "encrypt"])
def test_vectors_of_a_key(rsaxcel, key_file, vectors, operation):
    """Each vector has other moduli; results are those of the key; the lines run again."""
    key, file = balanced_key(48), key_file(48)
    sim = ("sim", "crt_window", "--nbits", 64, *OPTIONS, "--key", file, "--operation", operation)
    done = rsaxcel(*sim, "--blind-moduli", 8)
    assert (done.status, done.err) == (0, "")
    records = [json.loads(line) for line in done.out.splitlines()]
    exponent = key.d if operation == "decrypt" else key.e
    for record in records:
        p, q, n, base, result = (int(record[x], 16) for x in ("p", "q", "n", "base", "result"))
        assert (p % key.p, q % key.q, n) == (0, 0, key.n)
        assert result == pow(base, exponent, key.n)
        assert record["match"]
    assert len({record["p"] for record in records}) > 3
    again = rsaxcel(*sim, "--blind-moduli", 8)
    assert again.out == done.out
    lines = vectors(records)
    done = rsaxcel("sim", "crt_window", "--nbits", 64, *OPTIONS[:3], "--vectors", lines)
    assert (done.status, done.err) == (0, "")
    repeated = [json.loads(line) for line in done.out.splitlines()]
    assert [x["result"] for x in repeated] == [x["result"] for x in records]
    for record in records:
        del record["n"]
    done = rsaxcel("sim", "crt_window", "--nbits", 64, *OPTIONS[:3], "--vectors", vectors(records))
    assert done.status == 1  # the circuit's own results are not those that the lines expect


def test_a_wrong_key_is_found(rsaxcel, key_file, monkeypatch):
    """The command compares with the key, not with the moduli; the first mismatch runs again."""

    def forgotten(p, q, e, variation, draw):
        made = blinded_key(p, q, e, variation, draw)
        return type(made)(made.n, made.e, made.moduli, (p + 1, q + 1))

    monkeypatch.setattr(sim_vectors, "blinded_key", forgotten)
    sim = ("sim", "crt_window", "--nbits", 64, *OPTIONS, "--key", key_file(48))
    done = rsaxcel(*sim, "--blind-moduli", 8)
    assert done.status == 1
    assert f'"n": "{balanced_key(48).n:x}"' in done.err


def test_n_of_a_vector(rsaxcel, refused, vectors):
    """``n`` divides p*q, and reduces; ``expect`` is compared with the reduced result."""
    plain = {"base": "5", "p": "37", "q": "5b", "dp": "3", "dq": "5", "n": "23"}  # 55, 91, 35
    options = ("sim", "crt_window", "--nbits", 16, "--level", "fl", "--json", "--vectors")
    x = next(x for x in range(55 * 91) if (x - 5**3) % 55 == 0 and (x - 5**5) % 91 == 0)
    done = rsaxcel(*options, vectors([plain, {**plain, "expect": f"{x % 35:x}"}]))
    assert (done.status, done.err) == (0, "")
    assert [int(json.loads(y)["result"], 16) for y in done.out.splitlines()] == [x % 35] * 2
    done = rsaxcel(*options, vectors([{**plain, "expect": f"{x:x}"}]))
    assert done.status == 1
    for n in ("24", "0"):
        line = refused(*options, vectors([{**plain, "n": n}]))
        assert f"'n' is \"{n}\", which does not divide p*q" in line


def test_other_commands_take_no_n(rsaxcel, vectors, tmp_path):
    """A testbench compares results as they are; ``n`` is a key without a meaning there."""
    plain = {"base": "5", "p": "37", "q": "5b", "dp": "3", "dq": "5", "n": "23"}
    options = ("verilog", "crt_window", "--nbits", 16, "--testbench", "--output", tmp_path)
    done = rsaxcel(*options, "--vectors", vectors([plain]))
    assert done.status == 0
    assert "an unknown key is ignored: 'n'" in done.err
