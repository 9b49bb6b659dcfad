"""The harness itself."""

import pytest

from tests.harness import built_once


@built_once("harness", 1)
def test_groups_of_tests_stay_together(request):
    """pytest-xdist knows a group by what stands behind the test's name; pytest 9.2 drops it."""
    if not request.config.getoption("loadgroup", default=False):
        pytest.skip("one process, or another distribution")
    assert request.node.nodeid.endswith("@harness-1")
