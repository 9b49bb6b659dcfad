"""`rsaxcel fpga`: resources as JSON and as text, and bad input."""

import json

import pytest


@pytest.mark.slow
@pytest.mark.xdist_group("rsaxcel-fpga")
def test_command(rsaxcel):
    finished = rsaxcel("fpga", "ssmm", "--nbits", "8", "--json")
    assert finished.status == 0
    records = [json.loads(line) for line in finished.out.splitlines()]
    assert [record["family"] for record in records] == ["cyclonev", "xc7"]
    for record in records:
        assert (record["design"], record["nbits"], record["stage"]) == ("ssmm", 8, "synthesized")
        assert record["params"] == {"bits_per_cycle": 1, "recurrence": "signed"}
        assert "estimate" in record["note"]
    text = rsaxcel("fpga", "ssmm", "--nbits", "8", "--family", "xc7").out
    assert "ssmm, 8 bits" in text
    assert "estimate" in text
    assert f"{records[1]['luts']:,}  luts" in text

    rows = rsaxcel("results", "ssmm", "--nbits", "8", "--library", "xc7", "--json").out
    (row,) = (json.loads(line) for line in rows.splitlines())
    assert (row["luts"], row["kind"]) == (records[1]["luts"], "estimated")
