"""ABC maps a unit once, whichever design has it, and again if anything that it reads differs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rsaxcel.flow.synthesizer import kept_abc, mapping
from rsaxcel.flow.yosys import yosys_version
from tests.shared.programs import program

ABC = """#!/bin/sh
echo "$@" >> {calls}
[ "$1 $2" = "-s -f" ] || exit 3
grep -q "no output" "$3" && echo "no unit" && exit 0
cat $(dirname "$3")/input.blif > $(dirname "$3")/output.blif
echo "mapped"
grep -q refused "$3" && exit 5
exit 0
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Call the program as Yosys does, for a unit with a library and constraints."""
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / "store"))
    calls = tmp_path / "calls"
    abc = program(tmp_path / "abc", ABC.format(calls=calls))
    calls.touch()

    def run(name, unit, *, version="1", constraints="a", commands="strash"):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "input.blif").write_text(unit)
        (tmp_path / f"{name}.constr").write_text(constraints)
        (folder / "abc.script").write_text(
            f'read_blif "{folder}/input.blif"; read_constr "{tmp_path}/{name}.constr"; '
            f"{commands}; write_blif {folder}/output.blif"
        )
        command = [sys.executable, "-P", "-m", kept_abc.__name__, abc, version]
        command.append(str(folder / "abc.script"))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        output = folder / "output.blif"
        written = output.read_text() if output.exists() else None
        output.unlink(missing_ok=True)
        return done, written, len(calls.read_text().splitlines())

    return run


def test_names_and_places_do_not_matter_but_what_abc_reads_does(run, tmp_path):
    assert run("one", "# a net\n.model x\n")[1:] == ("# a net\n.model x\n", 1)
    done, written, calls = run("other", "# another net\n.model x\n")
    assert (done.returncode, done.stdout.strip(), calls) == (0, "mapped", 1)
    assert written.endswith(".model x\n")
    for number, change in enumerate(
        ({"version": "2"}, {"constraints": "b"}, {"commands": "strash; dch"}), start=2
    ):
        assert run("one", ".model x\n", **change)[2] == number
    assert run("one", ".model y\n")[1:] == (".model y\n", 5)
    for mapped in (tmp_path / "store").glob("abc-*/output.blif"):
        mapped.write_text("damaged")
    assert run("one", ".model y\n")[1:] == (".model y\n", 6)


def test_what_abc_refuses_is_shown_and_not_kept(run):
    for calls in (1, 2):
        done, _, found = run("one", ".model x\n", commands="refused")
        assert (done.returncode, done.stdout, found) == (5, "mapped\n", calls)


@pytest.mark.parametrize("spoil", [Path.touch, lambda store: store.mkdir(0o777)])
def test_where_nothing_can_be_kept_abc_maps_all_the_same(run, tmp_path, spoil):
    spoil(tmp_path / "store")
    (tmp_path / "store").chmod(0o777)
    for calls in (1, 2):
        done, written, found = run("one", ".model x\n")
        assert (done.returncode, done.stdout, done.stderr) == (0, "mapped\n", "")
        assert (written, found) == (".model x\n", calls)


def test_what_abc_says_is_shown_if_it_writes_nothing(run):
    done, written, _ = run("one", ".model x\n", commands="no output")
    assert (done.returncode, done.stdout, done.stderr, written) == (0, "no unit\n", "", None)


def test_the_program_in_the_place_of_abc_is_found_as_this_process_finds_it(here, monkeypatch):
    """It is asked for large units only; ABC itself maps a small one, and takes other calls."""
    module = here.joinpath("with blank", *kept_abc.__name__.split(".")).with_suffix(".py")
    program(module, "import sys; print(sys.argv[-2:])")
    abc = program(here / "the abc", "#!/bin/sh\necho abc $1\n")
    folder = here / "a unit"
    folder.mkdir()
    monkeypatch.setattr(mapping, "abc_program", lambda: abc)
    monkeypatch.syspath_prepend(here / "with blank")
    option, own = mapping._kept_abc().split()
    assert option == "-exe"

    def said(*arguments):
        return subprocess.check_output([here / own, *arguments], cwd="/", text=True)

    script = f"{folder}/abc.script"
    (folder / "input.blif").write_text(".model x\n")
    assert said("-s", "-f", script) == "abc -s\n"
    (folder / "input.blif").write_text("# a net\n" * mapping._KEPT_BYTES)
    assert said("-s", "-f", script) == f"['{yosys_version()}', '{script}']\n"
    assert said("-c", "read_lib x") == "abc -c\n"


def test_abc_itself_maps_all_units_where_no_file_can_be_run(here, monkeypatch):
    """The folder is on a file system that is mounted with ``noexec``."""
    monkeypatch.setattr(mapping.os, "access", lambda path, mode: mode != os.X_OK)
    assert mapping._kept_abc() == ""
