"""`--trace` and `--vcd`: both engines give the same, and another VCD reader confirms it."""

import json

import pytest

from rsaxcel.proc.isa import disassemble
from rsaxcel.sim import system
from tests.shared.harness import everything
from tests.shared.vcd import VCDVCD

STATES = ["idle", "start", "constants", "run", "done"]
VECTOR = '{"base": "7b", "exp": "5", "n": "f5"}\n'


def table(text):
    """Cells of the lines of a trace by the titles of columns, without blanks around them."""
    lines = text.splitlines()
    titles = [cell.strip() for cell in lines[0].removeprefix(" cycle:").split("|")]
    rows = []
    for number, line in enumerate(lines[1:]):
        head, _, rest = line.partition(":")
        if not head.strip().isdigit():
            break
        assert int(head) == number
        cells = [cell.strip() for cell in rest.split("|")]
        rows.append(dict(zip(titles, cells + [""] * (len(titles) - len(cells)), strict=True)))
    return rows


class Recorded:
    """VCD as the wheel vcdvcd reads it, sampled before each clock edge after reset."""

    def __init__(self, path, top):
        self.vcd = VCDVCD(str(path))
        self.roots = (f"TOP.{top}.", "top.")
        clock = self.signal("clk").tv
        falls = [
            t
            for (t, old), (_, new) in zip(clock[1:], clock, strict=False)
            if (new, old) == ("1", "0")
        ]
        reset = self.signal("reset")
        self.times = [t for t in falls if reset[t] == "0"]

    def signal(self, name):
        """Signal by its name in Verilator, or in PyMTL3."""
        names = [root + name for root in self.roots]
        parts = name.split(".")
        for depth in range(len(parts)):
            joined = ".".join([*parts[:depth], "__".join(parts[depth:])])
            names.append(self.roots[0] + joined)
        for known in self.vcd.references_to_ids:
            if known.split("[")[0] in names:
                return self.vcd[known]
        raise KeyError(name)

    def values(self, name):
        signal = self.signal(name)
        return [int(signal[t], 2) for t in self.times]


def texts(path, times):
    """Texts of a waveform at some times, by name; vcdvcd leaves string variables out."""
    names, found, now = {}, {}, 0
    shown = {}
    scopes = []
    for line in [*path.read_text().splitlines(), f"#{times[-1] + 1}"]:
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:2] == ["$var", "string"]:
            names[words[3]] = ".".join([*scopes, words[4]])
        elif line[:1] == "#":
            found |= {time: dict(shown) for time in times if now <= time < int(line[1:])}
            now = int(line[1:])
        elif words[-1:] and words[-1] in names:
            text, _, code = line[1:].rpartition(" ")
            shown[names[code]] = text.replace(r"\x20", " ")
    return [found[time] for time in times]


def saved(path):
    """Names that the save file beside a waveform shows, by group; GTKWave escapes dots."""
    found = {"": []}
    group = ""
    for line in path.with_suffix(".gtkw").read_text().splitlines():
        if line.startswith("-"):
            group = "" if group else line[1:]
        elif line[0].isalpha():
            found.setdefault(group, []).append(line.replace("\\", ""))
    return found


def simulate(rsaxcel, tmp_path, design, engine, *options):
    path = tmp_path / f"{engine}.vcd"
    drawn = ["--nbits", 8, "--random", 3, "--engine", engine, *options]
    finished = rsaxcel("sim", design, *drawn, "--trace", "--vcd", path, "--json")
    assert finished.status == 0, finished.err
    shown = finished.err[finished.err.index(" cycle: ") :]
    return [json.loads(line) for line in finished.out.splitlines()], shown, path


@pytest.mark.xdist_group("rsaxcel-sim")
@pytest.mark.quick_cases("mulrem_r2l")
@pytest.mark.parametrize("design", everything())
def test_engines_show_the_same(rsaxcel, tmp_path, design):
    answers, shown, native = simulate(rsaxcel, tmp_path, design, "native")
    other_answers, other_shown, pymtl = simulate(rsaxcel, tmp_path, design, "pymtl")
    assert shown == other_shown
    same = ("status", "result", "cycles")
    assert [[a[k] for k in same] for a in answers] == [[a[k] for k in same] for a in other_answers]
    rows = table(shown)
    asked, *_, answered = rows[0]
    requests = [n for n, row in enumerate(rows) if row[asked] not in ("", "#", ".")]
    responses = [n for n, row in enumerate(rows) if row[answered] not in ("", "#", ".")]
    sent = [answer for answer in answers if answer["cycles"] is not None]
    pairs = zip(requests, responses, strict=True)
    assert [b - a for a, b in pairs] == [answer["cycles"] for answer in sent]
    results = [int(rows[n][answered].split(":")[0], 16) for n in responses]
    assert results == [int(answer["result"], 16) for answer in sent]
    for path in (native, pymtl):
        recorded = Recorded(path, f"{design}_8")
        assert len(recorded.times) == len(rows)
        accepted = zip(recorded.values("recv.val"), recorded.values("recv.rdy"), strict=True)
        assert [n for n, both in enumerate(accepted) if all(both)] == requests
        told = texts(path, recorded.times)
        parts = {name.split(".")[1] for name in told[0] if name.endswith(".state")}
        titles = {f"{part}.state": part for part in parts}
        if len(parts) == 1:  # a step of several executors has one title in the trace
            titles |= {f"{next(iter(parts))}.{x}": x.replace("_", " ") for x in ("step", "lane_0")}
        for name, title in titles.items():
            assert [x[f"trace.{name}"] for x in told] == [row[title] for row in rows]
        groups = saved(path)
        shown = {name.split("[")[0] for names in groups.values() for name in names}
        known = {name.split("[")[0] for name in recorded.vcd.references_to_ids}
        assert shown <= known
        assert all("send" in name for name in groups["send"])
        assert len(groups["recv"]) >= len(groups["send"]) >= 3


def test_what_a_user_has_arranged_stays(rsaxcel, tmp_path):
    path = tmp_path / "run.gtkw"
    watch = ["--nbits", 8, "--random", 1, "--level", "cl", "--vcd", path.with_suffix(".vcd")]
    for before in ("[*] written by rsaxcel\n", "[*] mine\n"):
        path.write_text(before)
        assert rsaxcel("sim", "mulrem_r2l", *watch).status == 0
        assert (path.read_text() == before) == ("mine" in before)


def test_strobes_of_both_engines(rsaxcel, tmp_path):
    """A strobe is an accepted request, and the lanes' phases are those of the waveform."""
    strobes = ("--param", "control=strobe", "--param", "recurrence=unsigned")
    answers, shown, path = simulate(rsaxcel, tmp_path, "ssmm_r2l", "native", *strobes)
    _, other, _ = simulate(rsaxcel, tmp_path, "ssmm_r2l", "pymtl", *strobes)
    assert shown == other
    rows = table(shown)
    recorded = Recorded(path, "ssmm_r2l_8_recurrence_unsigned_control_strobe")
    for name in ("strobe", "busy", "ready"):
        levels = [{"1": 1, ".": 0}[row[name]] for row in rows]
        assert levels == recorded.values(f"pair.{name}")
        assert any(levels)
    started = [row["r*b"] == "strobe" for row in rows]
    assert started == [bool(x) for x in recorded.values("pair.strobe_r_reg")]
    good = [answer["cycles"] for answer in answers if answer["cycles"]]
    strobed, ready = (
        [n for n, row in enumerate(rows) if row[x] == "1"] for x in ("strobe", "ready")
    )
    assert [b - a for a, b in zip(strobed, ready, strict=True)] == good


@pytest.mark.parametrize("engine", ["pymtl", pytest.param("native", marks=pytest.mark.slow)])
def test_steps_are_those_of_the_waveform(rsaxcel, tmp_path, engine):
    _, shown, path = simulate(rsaxcel, tmp_path, "montmul_r2l", engine, "--seed", 2)
    rows, recorded = table(shown), Recorded(path, "montmul_r2l_8")
    state = [STATES[x] for x in recorded.values("core.state_reg")]
    assert [row["core"] for row in rows] == state
    assert set(state) == set(STATES)
    left = [x.bit_length() for x in recorded.values("core.sequencer.exponent")]
    running = [n for n, name in enumerate(state) if name == "run"]
    assert [rows[n]["bits left"] for n in running] == [str(left[n]) for n in running]
    assert {rows[n]["step"].split()[0] for n in running} == {"enter", "loop", "leave"}
    waits = recorded.values("core.sequencer.wait_reg")
    busy = [sum(rows[n][f"lane {k}"].count("=") for k in (0, 1)) for n in running]
    assert busy == [waits[n].bit_count() for n in running]
    assert max(busy) == 2


def test_products_that_are_left_of_a_counted_exponent(rsaxcel, tmp_path):
    counted = ("--param", "schedule=repeated", "--seed", 2)
    _, shown, path = simulate(rsaxcel, tmp_path, "ssmm_r2l", "pymtl", *counted)
    rows, recorded = table(shown), Recorded(path, "ssmm_r2l_8_schedule_repeated_lanes_1")
    left = recorded.values("core.sequencer.exponent")
    running = [n for n, row in enumerate(rows) if row["core"] == "run"]
    assert [rows[n]["products left"] for n in running] == [str(left[n]) for n in running]
    assert len({left[n] for n in running}) > 8


@pytest.fixture
def operands(tmp_path):
    file = tmp_path / "vector.json"
    file.write_text(VECTOR)
    return ["--data", file, "--nbits", 8]


@pytest.mark.parametrize("engine", ["pymtl", pytest.param("native", marks=pytest.mark.slow)])
def test_pipeline(rsaxcel, tmp_path, operands, engine):
    path = tmp_path / "run.vcd"
    watch = ["--level", "rtl", "--engine", engine, "--trace", "--vcd", path]
    finished = rsaxcel("run", "xcel", "--system", "proc_mulrem_r2l", *operands, *watch, "--json")
    assert finished.status == 0, finished.err
    answer, rows = json.loads(finished.out), table(finished.err)
    assert answer["messages"] == [pow(0x7B, 5, 0xF5)]
    assert len(rows) == answer["cycles"]
    assert sum(bool(row["W"]) for row in rows) == answer["instructions"]
    recorded = Recorded(path, "ProcXcel")
    assert len(recorded.times) == len(rows)
    commits = recorded.values("commit_inst")
    assert [bool(row["W"]) for row in rows] == [bool(x) for x in commits]
    stage = {
        name: recorded.values(f"proc.decode.{name}")
        for name in ("valid_reg", "squash", "stalls", "pc_reg", "inst_reg")
    }
    for n, row in enumerate(rows):
        valid, squash, stalls, pc, inst = (values[n] for values in stage.values())
        mark = "~" if squash else "#" if stalls else ""
        assert row["D"] == (f"{mark}{disassemble(inst, pc)}" if valid else "")
    # The accelerator works while the processor waits for its status.
    running = [row for row in rows if row["xcel.exponentiator.core"] == "run"]
    assert len(running) > 10
    assert {(row["X"], row["M"]) for row in running} == {("#csrr", "#csrr")}
    asked = [row["xcel"] for row in rows if row["xcel"] not in ("", "#", ".")]
    assert asked[:3] == ["xr1?", "xr1=0000007b", "xr2=00000005"]
    # A squashed instruction never gets to X, a jump leaves a gap.
    squashed = [n for n, row in enumerate(rows) if row["D"].startswith("~")]
    assert squashed
    assert all(rows[n + 1]["X"] == "" for n in squashed)


@pytest.mark.slow
def test_engines_show_the_same_of_a_system(rsaxcel, operands):
    for level, name, program in (("rtl", "proc_ssmm_r2l", "xcel"), ("rtl", "axi_ssmm_r2l", "axi")):
        run = ["run", program, "--system", name, *operands, "--level", level, "--trace"]
        native, pymtl = (rsaxcel(*run, "--engine", engine).out for engine in ("native", "pymtl"))
        assert native == pymtl
        assert len(table(native)) > 100


def test_cycle_model_has_a_trace(rsaxcel, operands):
    finished = rsaxcel("sim", "mulrem_r2l", "--nbits", 8, "--random", 2, "--level", "cl", "--trace")
    rows = table(finished.out)
    assert finished.status == 0
    assert set(rows[0]) == {"recv b:e:m:wide", "send r:status"}
    run = ["run", "xcel", "--system", "proc_mulrem_r2l", *operands, "--level", "cl", "--trace"]
    assert len(table(rsaxcel(*run).out)) == 123


def test_trace_of_a_program_that_does_not_end_in_time(rsaxcel, operands):
    run = ["run", "xcel", "--system", "proc_mulrem_r2l", *operands, "--level", "cl"]
    finished = rsaxcel(*run, "--trace", "--max-cycles", 30)
    assert finished.status == 1
    assert "no end within 30 cycles" in finished.err
    assert len(table(finished.out)) == 30


def test_nothing_sent_leaves_no_waveform(rsaxcel, tmp_path):
    vectors, path = tmp_path / "vectors.jsonl", tmp_path / "wave.vcd"
    vectors.write_text('{"a": "8", "b": "6", "n": "7"}\n')
    path.write_text("of an earlier run")
    watch = ["--engine", "pymtl", "--trace", "--vcd", path]
    finished = rsaxcel("sim", "mul_rem", "--nbits", 8, "--vectors", vectors, *watch)
    assert finished.status == 0
    assert not path.exists()
    assert "cycle:" not in finished.out


def test_widths(rsaxcel):
    """Long numbers are shortened to their ends."""
    finished = rsaxcel("sim", "montmul_r2l", "--nbits", 128, "--random", 1, "--level=cl", "--trace")
    (row,) = [row for row in table(finished.out) if len(row["recv b:e:m:wide"]) > 1]
    base, _, _, wide = row["recv b:e:m:wide"].split(":")
    assert (len(base), wide) == (6 + 2 + 6, "0")


def test_interrupted_program_tells_what_it_did_without_a_trace(rsaxcel, operands, monkeypatch):
    """After an interrupt half a second is left, which messages and figures need."""
    settle = system._Execution._transfer

    def interrupt(self, cycle):
        if cycle == 40:
            raise KeyboardInterrupt
        settle(self, cycle)

    monkeypatch.setattr(system._Execution, "_transfer", interrupt)
    run = ["run", "xcel", "--system", "proc_mulrem_r2l", *operands, "--level", "cl", "--trace"]
    finished = rsaxcel(*run)
    assert finished.status == 130
    assert "interrupted" in finished.out
    assert "cycle:" not in finished.out
