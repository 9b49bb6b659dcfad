"""`rsaxcel fault`: one JSON object, and text."""

import pytest

FAULT = ("fault", "mulrem_r2l", "--nbits", "8", "--clock-ns", "4")


@pytest.mark.xdist_group("rsaxcel-flow")
def test_figures_and_text(objects, shown):
    drawn = (*FAULT, "--kind", "skip", "--count", "200", "--seed", "2")
    (figures,) = objects(*drawn)
    assert (figures["design"], figures["nbits"], figures["faults"]) == ("mulrem_r2l", 8, 200)
    outcomes = [figures[x] for x in ("correct", "refused", "wrong", "no_answer")]
    assert sum(outcomes) == 200
    assert set(figures["by_kind"]) == {"skip"}
    text = shown(*drawn)
    assert f"200 drawn from {figures['space']:,}, seed 2" in text
    assert f"{100 * figures['wrong'] / 200:.2f} %" in text
