"""The bench: three ways to simulate give the same results in the same cycles."""

import pytest

from eval.bench import speed
from fl.status import Status


@pytest.mark.slow
def test_engines_agree_on_the_same_vectors(tmp_path, monkeypatch):
    monkeypatch.setattr(speed, "FOLDER", tmp_path)
    speeds = speed.measure(60, 1, print)
    assert speeds.cycles > 60 * 30
    assert min(speeds.native, speeds.bare_loop, speeds.pymtl_import) > 0


def test_wrong_response_is_told():
    configuration = speed.designs.get("mont_r2l").configure(32)
    vectors = list(speed.random_vectors(3, 0, 32, speed.operation(configuration)))
    responses = [(vector.result, int(vector.status)) for vector in vectors]
    speed.check(vectors, responses)
    responses[1] = (responses[1][0] ^ 1, int(Status.OK))
    with pytest.raises(speed.BenchError, match="vector 2"):
        speed.check(vectors, responses)
