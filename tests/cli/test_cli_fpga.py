"""`rsaxcel fpga`: resources as JSON and as text, and bad input."""

import pytest


@pytest.mark.slow
@pytest.mark.xdist_group("rsaxcel-fpga")
def test_command(rsaxcel, objects):
    records = objects("fpga", "ssmm", "--nbits", "8")
    assert [record["family"] for record in records] == ["cyclonev", "xc7"]
    for record in records:
        assert (record["design"], record["nbits"], record["stage"]) == ("ssmm", 8, "synthesized")
        assert record["params"] == {"bits_per_cycle": 1, "recurrence": "signed"}
        assert "estimate" in record["note"]
    text = rsaxcel("fpga", "ssmm", "--nbits", "8", "--family", "xc7").out
    assert "ssmm, 8 bits" in text
    assert "estimate" in text
    assert f"{records[1]['luts']:,}  luts" in text

    (row,) = objects("results", "ssmm", "--nbits", "8", "--library", "xc7")
    assert (row["luts"], row["kind"]) == (records[1]["luts"], "estimated")
