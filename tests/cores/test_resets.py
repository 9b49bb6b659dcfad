"""Asynchronous resets of a core are made synchronous, if its description says so."""

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.cores.description import made_synchronous
from rsaxcel.cores.errors import DescriptionError
from tests.cores import test_described
from tests.cores.test_described import make

BODY = " begin : update if (!rst_n) q <= 0; else q <= d; end"


forgotten = test_described._forgotten


@pytest.mark.parametrize(
    "events",
    ["posedge clk or negedge rst_n", "negedge rst_n, posedge clk", "negedge rst_n or\nposedge clk"],
)
@pytest.mark.parametrize("process", ["always", "always_ff"])
def test_the_clock_stays(process, events):
    found = made_synchronous(f"{process} @( {events} ){BODY}")
    assert found == f"{process} @(posedge clk){BODY}"


def test_processes_with_a_clock_alone_stay():
    clocked = "always @(posedge clk) if (rst_n) r <= d;"
    found = made_synchronous(f"{clocked} always @(posedge clk or negedge rst_n){BODY}")
    assert found.startswith(clocked)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("always @(posedge clk) q <= d;", "no process"),
        ("always @(posedge clk or posedge set) q <= d;", "a first `if`"),
        ("always @(posedge clk or posedge set) if (clk && set) q <= d;", "a first `if`"),
        (
            "always @(posedge clk or negedge rst_n)" + BODY + " always @(posedge c or posedge s or "
            "posedge r) if (r) q <= 0;",
            "posedge c or posedge s or posedge r",
        ),
    ],
)
def test_another_form_is_told(text, told):
    with pytest.raises(ValueError, match=told):
        made_synchronous(text)


SYNCHRONOUS = """  always @(posedge clk) begin
    done <= 1'b0;
    if (reset)
      busy <= 1'b0;
    else if"""
ASYNCHRONOUS = """  always @(posedge clk or posedge reset)
    if (reset) begin
      busy <= 1'b0;
      done <= 1'b0;
    end else begin
    done <= 1'b0;
    if"""
WRITTEN = 'reset = { port = "reset", synchronous = false'


def asynchronous(folder, reset):
    """Write a core whose flip-flops have an asynchronous reset."""
    make(folder, changes=[('reset = "reset"', reset)])
    file = folder / "power.v"
    text = file.read_text("utf-8")
    assert SYNCHRONOUS in text
    file.write_text(text.replace(SYNCHRONOUS, ASYNCHRONOUS))
    return describe(folder).configure(8).described


def test_a_core_keeps_its_reset_or_has_a_synchronous_one(tmp_path):
    kept = asynchronous(tmp_path / "kept", f"{WRITTEN} }}")
    assert "posedge reset" in kept.text(8)
    assert not kept.core(8).reset.synchronous
    made = asynchronous(tmp_path / "made", f"{WRITTEN}, make_synchronous = true }}")
    assert made.text(8) == kept.text(8).replace(" or posedge reset", "")
    assert made.core(8).reset.synchronous


def test_it_is_simulated(rsaxcel, tmp_path):
    asynchronous(tmp_path / "core", f"{WRITTEN}, make_synchronous = true }}")
    done = rsaxcel("sim", tmp_path / "core", "--nbits", 8, "--random", 20)
    assert done.status == 0, done


def test_a_core_without_one_is_told(tmp_path):
    make(tmp_path / "core", changes=[('reset = "reset"', f"{WRITTEN}, make_synchronous = true }}")])
    with pytest.raises(DescriptionError, match=r"core\.toml:9: no process of the core has"):
        describe(tmp_path / "core").configure(8).described.text(8)
