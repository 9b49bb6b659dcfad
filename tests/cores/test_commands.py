"""What commands do with a core in Verilog: keys, constants of the host, leaks and faults."""

import json

import pytest
import rsa

from rsaxcel.cores import formulas
from rsaxcel.plan.modulus_constants import (
    NegatedInverse,
    PowerOfTwo,
    ProductOf,
    Reciprocal,
    Remainder,
)
from tests.cores.test_described import SKELETON, make, with_a_constant
from tests.shared.own_cores import OTHERS
from tests.shared.planted import planted


@pytest.fixture
def key(tmp_path):
    file = tmp_path / "key.pem"
    file.write_bytes(rsa.newkeys(96)[1].save_pkcs1())
    file.chmod(0o600)
    return file


def test_a_file_is_encrypted_and_decrypted_on_a_core(run, tmp_path, key):
    core = make(tmp_path / "core")
    (tmp_path / "in").write_bytes(b"a")
    with_core = "--key", key, "--design", core, "--json"
    told = run("crypt", "encrypt", *with_core, tmp_path / "in", tmp_path / "enc")
    record = json.loads(next(x for x in told.splitlines() if x[0] == "{"))
    assert record["design"] == "skeleton"
    assert record["cycles"] > 2 * 96**2
    level = "--level", "fl"
    run("crypt", "decrypt", *with_core, *level, tmp_path / "enc", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"a"
    told = run(
        "crypt", "encrypt", *with_core, "--level", "cl", tmp_path / "in", tmp_path / "b", status=2
    )
    assert "level 'cl': fl, rtl are allowed" in told


def test_a_key_wider_than_the_core_is_refused(run, tmp_path, key):
    core = make(tmp_path / "core", changes=[("most = 2048", "most = 64")])
    (tmp_path / "in").write_bytes(b"a")
    files = tmp_path / "in", tmp_path / "out"
    told = run("crypt", "encrypt", "--key", key, "--design", core, *files, status=2)
    assert "a key of 96 bits; 2 to 64 bits allowed for skeleton" in told


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("2**(2*nbits) % n", PowerOfTwo(16)),
        ("65536 mod n", PowerOfTwo(16)),
        ("2**16 // n", Reciprocal(16)),
        ("-n**-1 mod 2**4", NegatedInverse(4)),
        ("(-n)**-1 mod 16", NegatedInverse(4)),
        ("(2**9 mod n) * (2**8 // n)", ProductOf(PowerOfTwo(9), Reciprocal(8))),
        ("(2**9 mod n) * (2**8 // n) mod n", Remainder(ProductOf(PowerOfTwo(9), Reciprocal(8)))),
        ("n**-1 mod 2**4", None),
        ("3 * 2**8 mod n", None),
        ("n", None),
        ("2**n mod n", None),
    ],
)
def test_the_host_computes_constants_of_known_forms(text, formula):
    assert formulas.for_host(text, 8) == formula
    if formula:
        for n in (3, 127, 255):
            assert formula.value(n) == formulas.value(text, n=n, nbits=8)


@pytest.mark.slow_cases("rtl")
@pytest.mark.parametrize("level", ["fl", "rtl"])
def test_the_driver_computes_the_constants_of_a_core(run, tmp_path, level):
    with_a_constant(tmp_path)
    data = tmp_path / "vector.json"
    data.write_text('{"base": "7b", "exp": "11", "n": "d7"}')
    system = "--system", f"proc_{tmp_path}", "--nbits", 8, "--data", data
    assert "result        5d" in run("run", "xcel", *system, "--level", level)


@pytest.mark.slow  # a netlist
def test_leaks_and_faults_are_told_apart_for_core_and_shell(run, here):
    make(here / "core")
    asked = "fault", "core", "--nbits", 8, "--count", 1000
    told = run(*asked)
    assert "in the core" in told
    assert "in the shell" in told
    # The core drops the product with the base where a bit is 0: a fault in it changes nothing. Of
    # the exponent 0x71, six bits are below the leading 1.
    assert "6 of 6 bits of the exponent come out" in told
    assert "a prime of the modulus" not in told
    found = json.loads(run(*asked, "--json").splitlines()[0])
    parts = found["by_part"]
    assert set(parts) == {"core", "shell"}
    assert sum(x["faults"] for x in parts.values()) == found["faults"] == 1000
    told = run("leak", "core", "--nbits", 8, "--traces", 64, "--test", "exponent")
    assert "core and shell are measured together; max |t| is" in told


@pytest.mark.slow  # a netlist
def test_wrong_results_of_a_core_that_uses_the_primes_give_the_key(run, tmp_path):
    """Nothing but the results tells that the core uses the primes."""
    p, q, d = 27967, 76829, 977851481  # of the key of 32 bits
    assert 65537 * d % ((p - 1) * (q - 1)) == 1
    given = {"P": p, "Q": q, "DP": d % (p - 1), "DQ": d % (q - 1), "QINV": pow(q, -1, p)}
    parameters = ", ".join(f"{name} = {value}" for name, value in given.items())
    text = (OTHERS / "primes.toml").read_text("utf-8")
    (tmp_path / "core.toml").write_text(planted(text, ("{}", f"{{ {parameters} }}")))
    for file in (SKELETON / "power.v", OTHERS / "primes.v"):
        (tmp_path / file.name).write_text(file.read_text("utf-8"))
    asked = "fault", tmp_path, "--nbits", 32, "--kind", "flip", "--count", 500
    told = run(*asked, "--no-safe-errors", "--json")
    found = json.loads(told.splitlines()[0])
    by_module = {x["module"]: x for x in found["by_module_and_kind"]}
    for unit in ("primes.p_unit", "primes.q_unit"):
        assert by_module[unit]["wrong"] > 50
        assert by_module[unit]["factors"] > 0.9 * by_module[unit]["wrong"]
    assert found["factors"] < found["wrong"]  # a request that is changed in the shell gives none
