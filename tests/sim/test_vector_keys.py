"""Unknown keys of vectors: reported once, with the key that is probably meant."""

import json

import pytest

from rsaxcel.sim.vectors import UnknownKeys
from tests.cli.sim_runs import records

GOOD = {"base": "5", "exp": "3", "n": "7"}
SIM = ("sim", "mont_r2l", "--level", "fl", "--vectors")


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
