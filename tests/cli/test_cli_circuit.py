"""`rsaxcel circuit`: from a key in PEM to a circuit whose testbench passes."""

import json
import re

import pytest

from rsaxcel import catalog
from rsaxcel.cli.circuit import key_circuit
from rsaxcel.fl.keys import seeded_key
from tests.cli.crypt_keys import numbers_pem, private_pem, theirs, write_key
from tests.shared.icarus import icarus
from tests.shared.verilator import verilator

FAMILY = numbers_pem(341, 7)
"""Key with the modulus (2^10 - 1) / 3 = 11 * 31, a member of Vassoler's family."""
ORDINARY_NBITS = 16
WIDTHS = catalog.get("cm_r2l").widths


@pytest.fixture
def circuit(rsaxcel, tmp_path):
    """Call the command on the content of a key file; return what it did, and the folder."""

    def call(pem: bytes, *options, estimate=False):
        key, folder = tmp_path / "key.pem", tmp_path / "out"
        write_key(key, pem)
        options = options if estimate else (*options, "--no-estimate")
        return rsaxcel("circuit", key, *options, "--output", folder), folder

    return call


def run_bench(folder, simulator):
    (bench,) = folder.glob("*_tb.sv")
    ending = "sv" if simulator is verilator else "v"
    return simulator(folder, bench.name.replace("_tb.sv", f".{ending}"), bench.name)


@pytest.mark.slow_cases("verilator")
@pytest.mark.parametrize("simulator", [icarus, verilator])
def test_key_of_the_family(circuit, simulator):
    """The pseudo-modulus is found and used, and the testbench encrypts with the key."""
    done, folder = circuit(FAMILY, "--random", 30)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0].endswith("key.pem, public, 9 bits, e = 7")
    assert lines[1] == "modulus         0x155"
    assert lines[2] == (
        "pseudo-modulus  2^10 - 1, 3 times the modulus; products are formed modulo 3 times "
        "the modulus"
    )
    assert lines[3].startswith("design          cm_pm_r2l, 9 bits, modulus=0x155")
    assert "factors by inspection" in done.err
    status, text = run_bench(folder, simulator)
    assert status == 0, text
    assert re.search(r"^PASS: cm_pm_r2l_9\w*, 30 vectors, \d+ cycles$", text, re.MULTILINE)


def test_ordinary_key(circuit):
    """An ordinary key has no pseudo-modulus: products are formed modulo the modulus itself."""
    key = seeded_key(ORDINARY_NBITS)
    done, folder = circuit(private_pem(theirs(ORDINARY_NBITS)), "--random", 10)
    (line,) = (x for x in done.out.splitlines() if x.startswith("pseudo-modulus"))
    assert "none: modulus" in line
    assert "the order of 2 modulo it" in line
    assert line.endswith("products are formed modulo the modulus itself")
    assert f"cm_r2l, {ORDINARY_NBITS} bits, modulus={key.n:#x}" in done.out
    (bench,) = folder.glob("*_tb.sv")
    requests = [
        int(x, 16) for x in re.findall(r"request\[\d+\] = \d+'h([0-9a-f]+)", bench.read_text())
    ]
    fields = [
        (x >> 17 & 0xFFFF, x >> 1 & 0xFFFF)  # {base, exponent, modulus, too wide}
        for x in requests
    ]
    assert fields == [(key.e, key.n)] * 10 + [(key.d, key.n)] * 10


@pytest.mark.parametrize(
    ("nbits", "design"),
    [(64, "cm_r2l"), (112, "cm_r2l"), *((x, "systolic_l2r_always") for x in (120, 128, 1024))],
)
def test_default_designs(tmp_path, nbits, design):
    """Keys in real use get a circuit that can be built."""
    found = key_circuit(write_key(tmp_path / "key.pem", private_pem(theirs(nbits))), None, {})
    assert (found.configuration.design_name, found.configuration.nbits) == (design, nbits)
    found.configuration.check_circuit()


ITSELF, TRIPLE = "modulo the modulus itself", "modulo 3 times the modulus"
BY_PRIMES = "crt_window_shared", "--param", "half_nbits=17"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nbits", "options", "products", "passed"),
    [
        (9, ("--design", "mm_r2l"), ITSELF, "mm_r2l_9"),
        (9, ("--design", "mm_pm_r2l"), TRIPLE, "mm_pm_r2l_9"),
        (9, ("--design", "dm_pm_r2l"), TRIPLE, "dm_pm_r2l_9"),
        (9, ("--design", "cm_pm_r2l", "--param", "schedule=window"), TRIPLE, "cm_pm_r2l_"),
        (9, ("--design", "cm_r2l"), ITSELF, "cm_r2l_9"),
        (ORDINARY_NBITS, (), ITSELF, f"cm_r2l_{ORDINARY_NBITS}"),
        (32, ("--design", *BY_PRIMES), "", "crt_window_shared_"),
        (120, (), "", "systolic_l2r_always_120"),
        (512, (), "", "systolic_l2r_always_512"),
    ],
)
def test_testbenches_pass(circuit, nbits, options, products, passed):
    """Of designs for any modulus, of choices on axes, and of ordinary keys, some of them wide."""
    pem = FAMILY if nbits == 9 else private_pem(theirs(nbits))
    done, folder = circuit(pem, *options, "--random", 1 if nbits > 32 else 10)
    assert done.status == 0, done.err
    assert products in done.out
    status, text = run_bench(folder, verilator)
    assert status == 0, text
    assert f"PASS: {passed}" in text


def test_modulus_of_a_cheap_form(circuit):
    """A modulus that is 2^t - 1 itself needs no multiple."""
    done, _ = circuit(numbers_pem(2**11 - 1, 3), "--json")
    record = json.loads(done.out)
    assert (record["design"], record["cofactor"]) == ("cm_r2l", 1)
    assert record["pseudo_modulus"] == "2^11 - 1"


@pytest.mark.slow
def test_estimate(circuit):
    done, folder = circuit(FAMILY, "--json", estimate=True)
    record = json.loads(done.out)
    assert (record["modulus"], record["design"], record["nbits"]) == ("0x155", "cm_pm_r2l", 9)
    (estimate,) = record["fpga"]
    assert estimate["family"] == "cyclonev"
    assert estimate["alms"] > 0
    assert estimate["flip_flops"] > 0
    (written,) = folder.glob("*_fpga.json")
    assert [json.loads(x) for x in written.read_text().splitlines()] == [estimate]
    assert record["files"][-1] == str(written)
    text = circuit(FAMILY, estimate=True)[0].out
    assert f"{estimate['alms']:,}  alms" in text
