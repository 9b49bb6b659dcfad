"""`rsaxcel new core`: the files have the name, and are those around which shells are tested."""

import pytest

from tests.shared.own_cores import text_of

PROTOCOLS = "streams", "start_done", "words"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_files_have_the_name(rsaxcel, tmp_path, protocol):
    finished = rsaxcel("new", "core", "my_2", "--protocol", protocol, "--output", tmp_path)
    assert (finished.status, finished.err) == (0, "")
    place = tmp_path / "my_2"
    assert sorted(x.name for x in place.iterdir()) == ["core.toml", "my_2_core.v", "my_2_power.v"]
    assert f"rsaxcel sim {place}/core.toml --random 100\n" in finished.out
    texts = {x.name: x.read_text() for x in place.iterdir()}
    assert not any("skeleton" in x for x in texts.values())
    tested = f"{texts['my_2_power.v']}\n{texts['my_2_core.v']}"
    assert tested == text_of(protocol).replace("skeleton", "my_2")
    again = rsaxcel("new", "core", "my_2", "--protocol", protocol, "--output", tmp_path)
    assert again.status == 2
    assert "exists" in again.err
