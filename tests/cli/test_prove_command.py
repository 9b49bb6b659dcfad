"""`rsaxcel prove`: text, JSON, stored results, counterexamples, one line for each error."""

import json

import pytest

from rsaxcel.lab.proofs.exchanges import exchange_claims
from rsaxcel.lab.proofs.surroundings import EXCHANGES
from tests.shared.planted import plant
from tests.shared.vcd import VCDVCD


def test_a_proof_and_the_stored_one(objects, shown):
    product = ("prove", "mul_rem", "--nbits", "2", "--claim", "product")
    (found,) = objects(*product)
    assert (found["design"], found["nbits"], found["claim"]) == ("mul_rem", 2, "product")
    assert (found["verdict"], found["counterexample"]) == ("proven", None)
    assert objects(*product) == [found]
    assert "product: r = a * b mod m and r < m, for all operands and all m" in shown(*product)


def test_a_counterexample_is_replayed(objects, rsaxcel, tmp_path):
    """Verilog without a subtraction is refuted; the vector is right in the design's own circuit."""
    assert rsaxcel("verilog", "mont_mul", "--nbits", "3", "-o", tmp_path).status == 0
    file = tmp_path / "mont_mul_3.sv"
    plant(file, ("compress__carry_in = subtract;", "compress__carry_in = 0;"), once=True)
    waves = tmp_path / "wrong.vcd"
    product = ("prove", "mont_mul", "--nbits", "3", "--claim", "product")
    (found,) = objects(*product, "--verilog", file, "--vcd", waves, status=1)
    assert found["verdict"] == "refuted"
    assert "checked.valid" in VCDVCD(str(waves)).signals
    (tmp_path / "vector").write_text(json.dumps(found["vectors"][0]))
    command = "sim mont_mul --nbits 3 --level fl --vectors"
    (replayed,) = objects(*command.split(), tmp_path / "vector")
    expected = int(replayed["result"], 16)
    assert f"expected {expected}" in found["counterexample"]
    shown = rsaxcel(*product, "--verilog", file)
    assert (
        "\nnote        the replay runs the built-in circuit, not the given Verilog\n" in shown.out
    )


def test_a_block(objects):
    (found,) = objects("prove", "carry_save", "--nbits", "3")
    told = [found[x] for x in ("design", "claim", "verdict")]
    assert told == ["carry_save", "function", "proven"]


def test_an_exchange(objects, tmp_path):
    """An adapter that gives one response twice; the waveform shows the response."""
    claims = exchange_claims(EXCHANGES["xcel_adapter"], 4)
    file, waves = tmp_path / "adapter.sv", tmp_path / "wrong.vcd"
    text = claims[0].module.text
    assert text.count("full_reg <= 1'd0;") == 2
    file.write_text("full_reg <= reads_result;".join(text.rsplit("full_reg <= 1'd0;", 1)))
    command = "prove xcel_adapter --nbits 4 --workers 1"
    records = objects(*command.split(), "--verilog", file, "--vcd", waves, status=1)
    found = {x["part"]: x for x in records}
    assert list(found) == [claim.about for claim in claims]
    assert {x["claim"] for x in found.values()} == {"exchange"}
    assert found["once"]["verdict"] == "refuted"
    assert "cycles from a reset" in found["once"]["scope"]
    assert "valid = 0x1" in found["once"]["counterexample"]
    assert found["request"]["verdict"] == "proven"
    assert " wrong_once $end" in waves.read_text()


@pytest.mark.slow
def test_instructions_of_the_processor(objects):
    command = "prove proc_null --claim instruction --instruction addi --instruction pc"
    found = objects(*command.split(), "--cycles", "7", "--param", "proc_isa=tinyrv2")
    assert {x["part"] for x in found} == {"addi", "pc"}
    assert {(x["claim"], x["verdict"], x["nbits"]) for x in found} == {
        ("instruction", "proven", 32)
    }
    assert all(x["params"]["proc_isa"] == "tinyrv2" for x in found)


def test_a_time_limit_holds_for_claims_with_a_name_too(rsaxcel, here):
    """Without time, nothing is tried, and stored results are shown."""
    at_once = ("prove", "add_halve", "--nbits", "3", "--minutes", "0")
    assert "open        not tried, the run's time is up" in rsaxcel(*at_once).out
    tried = rsaxcel("prove", "add_halve", "--nbits", "3").out
    assert "proven      by " in tried
    assert rsaxcel(*at_once).out == tried


def test_the_standard_claims_without_time(rsaxcel, here, monkeypatch):
    """A table has a row for each claim, and the numbers of claims by verdict."""
    # The names of stored results need the Verilog of all circuits; nothing is stored here.
    monkeypatch.setattr("rsaxcel.lab.proofs.study._name", lambda claim: "none")
    done = rsaxcel("prove", "--minutes", "0", "--workers", "1")
    assert done.status == 0
    heads, *rows, counts = done.out.splitlines()
    assert heads.split() == ["claim", "circuit", "verdict", "CPU", "by,", "scope"]
    kinds = "function product secrecy status response netlist instruction exchange"
    assert {row.split()[0] for row in rows} == {*kinds.split()}
    circuits = [row.split("  open")[0] for row in rows]
    assert len({*circuits}) == len(rows)
    assert counts.startswith(f"{len(rows)} claims: ")
    assert f"done, {len(rows)} of {len(rows)}" in done.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(
            b"\nmodule mont_mul_2(input clk;\n", "FILE: Yosys refuses line 2: ", id="syntax"
        ),
        pytest.param(b"", "FILE: not Verilog (no module in it)", id="empty"),
        pytest.param(b"-----BEGIN\n", "FILE: not Verilog (no module in it)", id="key"),
        pytest.param(b"\xed\x00", "FILE: not Verilog (not UTF-8 text: ", id="binary"),
        pytest.param(b"module other(); endmodule\n", "module mont_mul_2 is not in FILE", id="top"),
    ],
)
def test_a_file_that_is_not_the_verilog(refused, tmp_path, content, told):
    file = tmp_path / "wrong.sv"
    file.write_bytes(content)
    line = refused("prove", "mont_mul", "--nbits", "2", "--verilog", file)
    assert line.startswith(f"rsaxcel: error: {told.replace('FILE', str(file))}")


def test_a_claim_that_is_left_out_is_told(rsaxcel):
    done = rsaxcel("prove", "mont_mul", "--nbits", "12", "--json")
    assert {json.loads(line)["claim"] for line in done.out.splitlines()} == {"netlist"}
    assert done.err == "rsaxcel: product is not tried: up to 11 bits\n"
