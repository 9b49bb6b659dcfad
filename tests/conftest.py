"""What holds for all tests."""

FIRST = ("test_exhaustive.py", "test_grid.py")
"""Files whose tests say most shortly what is wrong with a multiplier or a design."""


def pytest_collection_modifyitems(items):
    """Run them before the others, so that a newcomer reads them first."""
    rank = {name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: rank.get(item.path.name, len(FIRST)))
