"""Yosys in separate processes: calls with copies of a design, and ends of processes."""

import os
import signal
from pathlib import Path

import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.yosys import YosysProcess, in_yosys
from tests.shared.processes import run_python

MODULE = "module top (input a, output y); assign y = ~a; endmodule\n"


def load(file):
    from rsaxcel.flow.yosys import Yosys

    yosys = Yosys()
    yosys.run(f"read_verilog {file}")
    return yosys


def rename(yosys, name, output):
    yosys.run(f"rename top {name}", f"write_verilog {output}")


def fail(yosys):
    yosys.run("no_such_command")


def end_of_memory(*_design):
    os.kill(os.getpid(), signal.SIGKILL)


def end_server(*_design):
    os.kill(os.getppid(), signal.SIGKILL)


@pytest.fixture
def process(tmp_path):
    file = tmp_path / "top.v"
    file.write_text(MODULE)
    found = YosysProcess(tmp_path / "load.log", load, file)
    yield found
    found.close()


def test_each_call_finds_the_design_as_it_was(process, tmp_path):
    for name in ("first", "second"):
        output = tmp_path / f"{name}.v"
        process.call(tmp_path / f"{name}.log", rename, name, output)
        assert f"module {name}(" in output.read_text()
        assert f"rename top {name}" in (tmp_path / f"{name}.log").read_text()
    assert "second" not in (tmp_path / "first.log").read_text()


def test_a_folder_that_is_gone(tmp_path, capfd):
    """A caller that was interrupted has removed its folder: no traceback follows its own."""
    with pytest.raises(FlowError, match="status 1"):
        in_yosys(tmp_path / "gone" / "yosys.log", load, tmp_path)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("function", "message"), [(fail, "no_such_command"), (end_of_memory, "status -9")]
)
def test_a_call_that_fails_is_told_with_its_log(process, tmp_path, function, message):
    with pytest.raises(FlowError, match=rf"Yosys: .*{message}.*call\.log"):
        process.call(tmp_path / "call.log", function)


def test_a_process_that_is_killed_between_calls_is_told(process, tmp_path):
    os.kill(process._process.pid, signal.SIGKILL)
    process._process.join()
    with pytest.raises(FlowError, match="status -9"):
        process.call(tmp_path / "call.log", rename, "top2", Path(os.devnull))


def test_a_process_that_is_killed_in_a_call_is_told(process, tmp_path):
    with pytest.raises(FlowError, match="status -9"):
        process.call(tmp_path / "call.log", end_server)


def test_a_first_function_that_is_killed_is_told(tmp_path):
    with pytest.raises(FlowError, match="status -9"):
        in_yosys(tmp_path / "only.log", end_of_memory)


def test_a_script_without_a_guard_runs_once(tmp_path):
    """A user's script calls the flow at its top level; no new process runs the script again."""
    script = tmp_path / "script.py"
    script.write_text(
        "import os\nfrom pathlib import Path\nfrom rsaxcel.flow.yosys import in_yosys\n"
        "print('once', flush=True)\n"
        "in_yosys(Path('log'), os.getcwd)\n"
    )
    done = run_python(script, folder=tmp_path)
    assert (done.stdout, done.returncode) == ("once\n", 0), done.stderr
