"""Vectors: allowed contents of files, unknown keys, and drawn vectors."""

import json
import random
from collections import Counter
from itertools import islice

import pytest

from rsaxcel import catalog
from rsaxcel.fl.status import Status
from rsaxcel.sim.operations import operation
from rsaxcel.sim.vectors import UnknownKeys, VectorError, random_vectors, read_vectors
from tests.cli.sim_runs import records

GOOD = {"base": "5", "exp": "3", "n": "7"}
SIM = ("sim", "mont_r2l", "--level", "fl", "--vectors")


def read(name: str, nbits: int, *vectors: dict):
    to_do = operation(catalog.find(name).configure(nbits))
    return read_vectors("file", [json.dumps(vector) for vector in vectors], to_do)


def test_hex_in_either_case_with_or_without_prefix():
    (vector,) = read("mont_r2l", 32, {"base": "0xaB", "exp": "0X10001", "n": "00fFf1"})
    assert vector.operands == (0xAB, 65537, 0xFFF1)
    assert vector.status is Status.OK
    assert vector.expected == pow(0xAB, 65537, 0xFFF1)


def test_other_keys_and_blank_lines_do_not_matter():
    record = {"base": "2", "exp": "3", "n": "7", "op": "modexp", "flags": [], "expect": None}
    to_do = operation(catalog.find("mont_r2l").configure(32))
    vectors = read_vectors("file", ["\n", json.dumps(record), "", json.dumps(record)], to_do)
    assert [v.line for v in vectors] == [2, 4]
    assert [v.expected for v in vectors] == [1, 1]


@pytest.mark.parametrize(
    ("nbits", "p", "q", "words"),
    [
        (9, "1f", "1d", r"p\*q has 10 bits, up to 9 are allowed"),
        (16, "f", "33", "share a factor, 0x3"),
    ],
)
def test_primes_that_no_circuit_can_refuse(nbits, p, q, words):
    record = {"base": "5", "p": p, "q": q, "dp": "1", "dq": "1"}
    with pytest.raises(VectorError, match=words):
        list(read("crt_window", nbits, record))


def test_integers_of_any_length_do_not_matter_where_nobody_asks():
    to_do = operation(catalog.find("mont_r2l").configure(32))
    line = '{"base": "2", "exp": "3", "n": "7", "id": %s}' % ("9" * 5000)
    (vector,) = read_vectors("file", [line], to_do)
    assert vector.expected == 1


@pytest.mark.parametrize(
    ("base", "exp", "n", "status"),
    [
        ("5", "3", "1", Status.MODULUS_TOO_SMALL),
        ("5", "3", "0", Status.MODULUS_TOO_SMALL),
        ("5", "3", "8", Status.MODULUS_EVEN),
        ("7", "3", "7", Status.BASE_TOO_LARGE),
        ("5", "100", "7", Status.OPERAND_TOO_WIDE),
        ("100", "3", "7", Status.OPERAND_TOO_WIDE),
    ],
)
@pytest.mark.parametrize("expect", ["error", "5", None])
def test_where_an_input_rule_is_broken_expect_does_not_matter(base, exp, n, status, expect):
    (vector,) = read("mont_r2l", 8, {"base": base, "exp": exp, "n": n, "expect": expect})
    assert vector.status is status
    assert vector.expected == 0


def test_operands_that_only_their_source_refuses_have_no_published_result():
    (vector,) = read("ssmm_r2l", 8, {"base": "2", "exp": "3", "n": "10", "expect": "error"})
    assert (vector.status, vector.expected, vector.expect) == (Status.OK, 8, None)


def test_a_result_that_is_ignored_is_told():
    """Unless the operands meet the rules, or the line expects nothing, or 0, of them."""
    good, even = ({"base": "2", "exp": "3", "n": n} for n in ("7", "8"))
    told: list[str] = []
    lines = [good | {"expect": "1"}, even, even | {"expect": "error"}]
    lines.append(even | {"expect": "0x00"})
    to_do = operation(catalog.find("mont_r2l").configure(8))
    read_vectors("file", map(json.dumps, lines), to_do, tell=told.append)
    assert told == []
    lines += [even | {"expect": "10"}]
    read_vectors("file", map(json.dumps, lines), to_do, tell=told.append)
    assert told == ["file:5: modulus_even; its expect is ignored"]
    read_vectors("file", map(json.dumps, [*lines, *lines]), to_do, tell=told.append)
    assert told[1] == "file:5: modulus_even; its expect is ignored (and 1 more)"


def test_montgomery_multiplier_takes_either_meaning_of_expect():
    a, b, n = 123, 231, 251
    own = a * b * pow(256, -1, n) % n
    for expect in (own, a * b % n):
        record = {"a": f"{a:x}", "b": f"{b:x}", "n": f"{n:x}", "expect": f"{expect:x}"}
        (vector,) = read("mont_mul_rem", 8, record)
        assert (vector.expect, vector.result) == (own, own)
    (vector,) = read("mont_mul_rem", 8, {**record, "expect": "1"})
    assert (vector.expect, vector.result) == (1, own)


@pytest.mark.parametrize("nbits", [8, 32, 128])
@pytest.mark.parametrize("name", [*catalog.DESIGNS, *catalog.multipliers()])
def test_a_seed_gives_the_same_vectors_however_many(name, nbits):
    to_do = operation(catalog.find(name).configure(nbits))
    many = list(random_vectors(300, 7, nbits, to_do))
    assert list(random_vectors(300, 7, nbits, to_do)) == many
    assert list(random_vectors(20, 7, nbits, to_do)) == many[:20]
    assert list(random_vectors(300, 8, nbits, to_do)) != many
    assert [v.line for v in many] == list(range(1, 301))


def test_designs_get_the_same_vectors_but_for_even_moduli():
    drawn = [
        [v.operands for v in random_vectors(500, 3, 32, operation(catalog.get(n).configure(32)))]
        for n in ("mulrem_r2l", "mont_r2l")
    ]
    assert [e for _, e, _ in drawn[0]] == [e for _, e, _ in drawn[1]]
    small = [(m, odd) for (_, _, m), (_, _, odd) in zip(*drawn, strict=True) if m >> 32 == 0]
    assert all(m | 1 == odd | 1 for m, odd in small)


@pytest.mark.parametrize("nbits", [8, 32, 128])
def test_drawn_vectors_cover_lengths_rules_and_corners(nbits):
    to_do = operation(catalog.get("mont_r2l").configure(nbits))
    vectors = list(islice(random_vectors(20_000, 0, nbits, to_do), 20_000))
    statuses = Counter(v.status for v in vectors)
    assert set(statuses) == {status for status in Status if status <= Status.OPERAND_TOO_WIDE}
    assert 0.9 < statuses[Status.OK] / len(vectors) < 1
    good = [v.operands for v in vectors if v.status is Status.OK]
    assert {m.bit_length() for _, _, m in good} == set(range(2, nbits + 1))
    assert {e.bit_length() for _, e, _ in good} == set(range(nbits + 1))
    assert {0, 1} <= {b for b, _, _ in good}
    assert any(b == m - 1 for b, _, m in good)


@pytest.mark.parametrize("name", ["mul_rem", "mont_mul_rem"])
def test_one_product_in_eight_is_a_multiple_of_the_modulus(name):
    """One product in eight is a multiple of m, where wrong comparisons with m show."""
    to_do = operation(catalog.find(name).configure(32))
    vectors = list(random_vectors(400, 1, 32, to_do))
    good = [v.operands for v in vectors if v.status is Status.OK]
    multiples = [x for x in good if x[0] and x[1] and x[0] * x[1] % x[2] == 0]
    assert len(multiples) > 400 / 12
    assert {0, 1} <= {x[0] for x in good} & {x[1] for x in good}
    assert any(a == m - 1 for a, _, m in good)
    moduli = {m for _, _, m in good}
    assert {3, (1 << 32) - 1} <= moduli


def test_corners_of_a_power_and_of_halves():
    for name in ("mulrem_r2l", "crt_window"):
        to_do = operation(catalog.get(name).configure(16))
        drawn = [to_do.draw_corner(random.Random(i), 16) for i in range(300)]
        assert {to_do.status(x) for x in drawn} == {Status.OK}
        assert not any(to_do.undefined(x) for x in drawn)
        results = [to_do.result(x) for x in drawn]
        assert results.count(0) > len(results) / 20
        assert {0, 1} <= set(results)


@pytest.mark.parametrize("key", ["expected", "result", "resutl", "Result", "EXPECT", "exspect"])
def test_a_key_that_is_meant_to_be_expect(rsaxcel, vectors, key):
    """A misspelt "expect" is reported: it would be ignored although it differs."""
    file = vectors([GOOD | {key: "1"}] * 3)
    done = rsaxcel(*SIM, file, "--json")
    told = f"an unknown key is ignored: '{key}' (did you mean expect?)"
    assert (done.status, done.err) == (0, f"rsaxcel: {file}: {told}\n")
    assert [record["match"] for record in records(done)] == [True] * 3


def test_a_line_tells_all_of_a_file_and_what_is_mistyped_first(rsaxcel, vectors):
    others = {"comment": "no", "flags": [], "op": "modexp", "id": 1}
    done = rsaxcel(*SIM, vectors([GOOD | others, GOOD | {"id": 2}, GOOD | {"result": "6"}]))
    (line,) = done.err.splitlines()
    expected = "'result' (did you mean expect?), 'comment', 'flags', 'id', 'op'"
    assert line.endswith(f": unknown keys are ignored: {expected}")


@pytest.mark.parametrize("name", ["mul_rem", "crt_window", "orup_window"])
def test_what_json_prints_has_no_unknown_key(rsaxcel, tmp_path, name):
    args, file = ("sim", name, "--nbits", 16, "--level", "cl", "--json"), tmp_path / "file.jsonl"
    done = rsaxcel(*args, "--random", 5)
    file.write_text(done.out)
    assert (again := rsaxcel(*args, "--vectors", file)).err == ""
    drawn = records(done)
    assert [record | {"seed": 0} for record in records(again)] == drawn
    # Without "expect", our own output is checked for unknown keys like any file.
    file.write_text(json.dumps({k: v for k, v in drawn[0].items() if k != "expect"}))
    assert ": 'result' (did you mean expect?), 'cycles', " in rsaxcel(*args, "--vectors", file).err


def test_a_vector_that_expects_something_may_have_a_result_of_its_own():
    unknown = UnknownKeys(("base", "exp", "n"))
    unknown.look(GOOD | {"expect": "6", "result": "valid", "expected": "yes", "design": "x"})
    assert str(unknown) == "an unknown key is ignored: 'expected'"


def test_a_line_is_a_line_however_many_and_long_the_keys_are():
    unknown = UnknownKeys(("a", "b", "n"))
    unknown.look(dict.fromkeys([f"{i:02}\n{'x' * 5000}" for i in range(50)]))
    unknown.look({"result": "1"})
    assert len(str(unknown).splitlines()) == 1
    assert str(unknown).startswith("unknown keys are ignored: 'result' (did you mean expect?), '00")
    assert str(unknown).endswith("xxx', 43 more")
    assert len(str(unknown)) < 500
