"""Who can read what commands write with a private key, and which keys others can read."""

import json
import os
import resource
import stat
from pathlib import Path

import pytest

from tests.cli.crypt_calls import FL, NBITS, PKCS1, the_line
from tests.cli.crypt_keys import private_pem, public_pem, theirs, write_key

SMALL = 32
SIM = ("sim", "mulrem_r2l", "--nbits", SMALL, "--random", 1)
BY_PRIMES = f"sim crt_window --nbits {NBITS} --level fl --param half_nbits=272 --swap-primes"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def files(here):
    """Keys, a message and its ciphertext, in the current folder; all can read new files."""
    key = theirs(NBITS)
    write_key(Path("key.pem"), private_pem(key))
    write_key(Path("small.pem"), private_pem(theirs(SMALL)))
    write_key(Path("small.pub"), public_pem(theirs(SMALL)))
    Path("text").write_bytes(b"hello")
    Path("cipher").write_bytes(key.public_key().encrypt(b"hello", PKCS1))
    before = os.umask(0o022)
    yield here
    os.umask(before)


def test_decrypted_output_is_a_secret(rsaxcel, files):
    for action, given, expected in (("decrypt", "cipher", 0o600), ("sign", "text", 0o644)):
        for _ in range(2):
            done = rsaxcel("crypt", action, "--key", "key.pem", *FL, given, action)
            assert (done.status, done.err) == (0, "")
            assert mode(Path(action)) == expected
    assert Path("decrypt").read_bytes() == b"hello"


def test_testbenches_and_waveforms_are_secrets(rsaxcel, files):
    """They have the private exponent in them; what a public key gives is everybody's."""
    for key, expected in (("small.pem", 0o600), ("small.pub", 0o644)):
        common = ("--nbits", SMALL, "--key", key, "--random", 1)
        folder = f"with-{key}"
        done = rsaxcel("verilog", "mulrem_r2l", "--testbench", *common, "-o", folder)
        assert done.status == 0, done.err
        modes = {path.name: mode(path) for path in Path(folder).iterdir()}
        bench = modes.pop("mulrem_r2l_32_tb.sv")
        assert (bench, set(modes.values())) == (expected, {0o644})
        done = rsaxcel(*SIM, "--key", key, "--level", "cl", "--vcd", "run.vcd")
        assert done.status == 0, done.err
        assert Path("run.vcd").stat().st_size
        assert mode(Path("run.vcd")) == expected


def test_the_testbench_of_a_circuit_is_a_secret(rsaxcel, files):
    options = ("--design", "mulrem_r2l", "--no-estimate", "--random", 1, "-o", "made")
    assert rsaxcel("circuit", "small.pem", *options).status == 0
    modes = {path.suffixes[-1] + path.stem[-3:]: mode(path) for path in Path("made").iterdir()}
    assert modes == {".sv_tb": 0o600, ".sv_32": 0o644, ".v_32": 0o644}


@pytest.mark.parametrize(
    "call",
    [
        ("crypt", "sign", "--key", "key.pem", *FL, "--json", "text", "out"),
        ("sim", "ssmm_r2l", "--nbits", NBITS, "--level", "fl", "--key", "key.pem", "--json"),
        (*BY_PRIMES.split(), "--random", 2, "--key", "key.pem", "--json"),
        ("circuit", "small.pem", "--design", "mulrem_r2l", "--no-estimate", "--json"),
    ],
    ids=("crypt", "sim", "sim-swap-primes", "circuit"),
)
def test_a_key_that_others_can_read_gives_one_warning(rsaxcel, files, call):
    name = next(x for x in call if str(x).endswith(".pem"))
    Path(name).chmod(0o640)
    done = rsaxcel(*call)
    assert done.status == 0
    assert done.err == f"rsaxcel: {name}: others can read this private key; chmod 600 {name}\n"
    for line in done.out.splitlines():
        json.loads(line)


def test_a_public_key_gives_no_warning(rsaxcel, files):
    Path("small.pub").chmod(0o644)
    assert rsaxcel(*SIM, "--level", "fl", "--key", "small.pub").err == ""


@pytest.mark.parametrize("out", ["/dev/stdout", "/dev/stderr", "/dev/fd/1", "link"])
def test_out_has_nothing_else_in_it(rsaxcel, files, out):
    """Standard output and standard error get the table and messages."""
    Path("link").symlink_to("/proc/self/fd/1")
    line = the_line(rsaxcel("crypt", "sign", "--key", "key.pem", *FL, "text", out))
    assert line.startswith(f"{out}: OUT must be a file of its own")


def test_out_may_be_the_null_device(rsaxcel, files):
    done = rsaxcel("crypt", "sign", "--key", "key.pem", *FL, "text", os.devnull)
    assert (done.status, done.err) == (0, "")


def test_a_full_disk_leaves_no_out(rsaxcel, files):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for content in (None, b"old"):
        if content:
            Path("out").write_bytes(content)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            status = rsaxcel("crypt", "decrypt", "--key", "key.pem", *FL, "cipher", "out").status
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert status == 2
        assert (Path("out").read_bytes() if content else Path("out").exists()) == (content or False)
    assert not [name for name in os.listdir() if name.startswith(".")]


def test_help_says_that_primes_are_printed(rsaxcel):
    shown = " ".join(rsaxcel("sim", "--help").out.split())
    assert "With a private --key, --json and --trace thus print secrets of the key" in shown
    assert "the primes" in shown
