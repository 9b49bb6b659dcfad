"""Digests of code without comments and docstrings, and the files of a module."""

import pytest

from rsaxcel.store.code import closure, code_digest, files_below, without_comments
from tests.shared.tables import each_row

PYTHON = '''
"""Text."""
import a.b
X = 1
"""More text."""
def f(x):
    """Say what it does."""
    return "kept" + x  # why
class C:
    """Only text."""
'''
SAME = {
    "comments": PYTHON.replace("# why", "# because"),
    "docstring": PYTHON.replace("Say what it does.", "Explain.\n\n    In two lines."),
    "no docstring": PYTHON.replace('    """Say what it does."""\n', ""),
    "attribute": PYTHON.replace("More text.", "Other text."),
    "layout": PYTHON.replace("import a.b", "\n\nimport a.b"),
}
OTHER = {
    "number": PYTHON.replace("1", "2"),
    "text": PYTHON.replace("kept", "other"),
    "name": PYTHON.replace("class C", "class D"),
    "import": PYTHON.replace("a.b", "a.c"),
}


@pytest.fixture
def digest(tmp_path):
    def get(text: str, suffix: str = ".py") -> str:
        path = tmp_path / f"x{suffix}"
        path.write_text(text)
        return code_digest([path])

    return get


@pytest.mark.parametrize("change", SAME)
def test_explanations_do_not_count(digest, change):
    assert SAME[change] != PYTHON
    assert digest(SAME[change]) == digest(PYTHON)


@pytest.mark.parametrize("change", OTHER)
def test_code_counts(digest, change):
    assert OTHER[change] != PYTHON
    assert digest(OTHER[change]) != digest(PYTHON)


@each_row(__file__, "comments", "suffix", "text", "expected")
def test_comments_of_other_languages(suffix, text, expected):
    assert without_comments(text, suffix) == expected


def test_yaml_counts_by_its_content(digest):
    assert digest("a: 1 # x\n", ".yml") == digest("# y\na:   1\n", ".yml")
    assert digest("a: 1\n", ".yml") != digest("a: 2\n", ".yml")


def test_what_is_no_code_counts_as_it_is(digest):
    assert digest("def (", ".py") != digest("def  (", ".py")
    assert digest("x", ".bin") != digest("y", ".bin")


def test_a_module_consists_of_what_it_imports_and_names(tmp_path):
    def write(name: str, text: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    write("p/__init__.py", "")
    write("p/a.py", 'from p import b\nimport q.far, sys\nF = "a.cpp"\n')
    write("p/b.py", "def f():\n    from p.c import x\n")
    write("p/c.py", "")
    write("p/d.py", "import p.a\n")
    write("p/a.cpp", '#include "a.h"\n#include <vector>\n')
    write("p/a.h", "")
    write("q/__init__.py", "")
    write("q/far.py", "import p.d")
    folders = [tmp_path / "p"]

    def names(*without: str) -> set[str]:
        files = closure([tmp_path / "p/a.py"], folders, [tmp_path / x for x in without])
        return {str(x.relative_to(tmp_path)) for x in files}

    whole = {"p/__init__.py", "p/a.py", "p/b.py", "p/c.py", "p/a.cpp", "p/a.h"}
    assert names() == whole
    assert names("p/b.py") == whole - {"p/b.py", "p/c.py"}
    folders.append(tmp_path / "q")
    assert names() == whole | {"q/__init__.py", "q/far.py", "p/d.py"}


def test_imports_are_followed_into_a_folder_inside_of_a_package(tmp_path):
    (tmp_path / "p/inner").mkdir(parents=True)
    (tmp_path / "p/inner/a.py").write_text("from rsaxcel.p.inner import b\nfrom inner import c\n")
    for name in "bc":
        (tmp_path / f"p/inner/{name}.py").write_text("")
    found = closure([tmp_path / "p/inner/a.py"], [tmp_path / "p/inner"])
    assert [x.name for x in found] == ["a.py", "b.py", "c.py"]


def test_the_digest_does_not_depend_on_the_place(tmp_path):
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "x.py").write_text("x = 1")
    assert code_digest([tmp_path / "here"]) == code_digest([tmp_path / "there"])


def test_what_is_made_beside_sources_does_not_count(tmp_path):
    """Files that a command writes into a design's folder do not change its digest."""
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "code.py").write_text("x = 1\n")
    before = code_digest([tmp_path])
    for made in ("build/flow", "part/__pycache__", ".hidden"):
        (tmp_path / made).mkdir(parents=True)
        (tmp_path / made / "made.v").write_text("module made; endmodule\n")
    assert code_digest([tmp_path]) == before
    assert [x.name for x in files_below(tmp_path)] == ["code.py"]
    (tmp_path / "part" / "more.v").write_text("module more; endmodule\n")
    assert code_digest([tmp_path]) != before
