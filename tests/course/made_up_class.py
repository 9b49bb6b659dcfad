"""A made-up class: hand-ins in both languages, right, late, wrong and hostile."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.course import new

NAME = "modpow"
RUBRIC = """\
title = "A made-up class"
secret = "not for students"
deadline = 2026-11-29T23:59:00Z

[late]
points_per_day = 2
days = 3

[[cases]]
name = "corners"
points = 1
visible = true
rows = [[2, 0, 3], [200, 65, 251], [0, 1, 3], [1, 255, 255]]

[[cases]]
name = "drawn"
points = 2
random = 100

[[limits]]
figure = "area_um2"
most = 1500
points = 1

[[limits]]
figure = "cycles"
most = 140
points = 1
"""

Edit = tuple[str, str, str]


@dataclass(frozen=True)
class Student:
    """A hand-in: the files of ``rsaxcel new project`` with planted changes.

    Parameters
    ----------
    edits : tuple of (end of the file's name, old text, new text)
        Replaced texts; without the old one, the new one is appended.
    verdict, told : str
        Kind of its refusal, and a pattern of the reason; empty: it is right.
    form : function of a folder, or None
        What is done to the folder at the end.
    below : str
        Folder of the project in the student's folder.
    """

    kind: str
    language: str
    edits: tuple[Edit, ...] = ()
    verdict: str = ""
    told: str = ""
    form: Callable[[Path], object] | None = None
    below: str = ""

    def write(self, place: Path) -> Path:
        project = place / self.below
        texts = new.project(NAME, self.kind, self.language)
        for end, old, text in self.edits:
            (file,) = [x for x in texts if x.endswith(end)]
            assert not old or texts[file].count(old) == 1, (file, old)
            texts[file] = texts[file].replace(old, text) if old else texts[file] + text
        for file, text in texts.items():
            (project / file).parent.mkdir(parents=True, exist_ok=True)
            (project / file).write_text(text)
        if self.form:
            self.form(project)
        return place


def twice(place: Path) -> None:
    """Hand in a wrong design before, and another one after the deadline."""
    (place.parent / "20261128T1000").mkdir()
    late = place.parent / "20261130T0100"
    late.mkdir()
    (late / "project.toml").write_text("[rsaxcel")


def fifo(place: Path) -> None:
    (place / NAME / "core.toml").unlink()
    os.mkfifo(place / NAME / "core.toml")


_REDUCED = "added >= {1'b0, modulus_reg} ?"
_C = "/* Operands of one word. */\nstruct answer modexp_word"
_SOFTWARE = """
static struct answer own(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  uint32_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result = (uint64_t)result * base % modulus;
    base = (uint64_t)base * base % modulus;
  }
  return (struct answer){OK, result};
}

"""
_FORGED = """
import json, os, subprocess
for place in ("/autograder/results/results.json", "results.json", "../results.json"):
    try:
        with open(place, "w") as file:
            json.dump({"score": 100, "tests": []}, file)
    except OSError:
        pass
for place in ("/autograder/source/rubric.toml", "/etc/shadow", f"/proc/{os.getppid()}/mem"):
    try:
        raise SystemExit(open(place, errors="replace").read(300))
    except OSError:
        pass
subprocess.Popen(["sleep", "86397"])
"""

STUDENTS = {
    "exp_verilog": Student("exponentiator", "verilog"),
    "twice": Student("exponentiator", "verilog", below="20261129T2358", form=twice),
    "very_late": Student("multiplier", "verilog", below="20261224T0100"),
    "one_modulus": Student(
        "exponentiator",
        "verilog",
        (("_power.v", "next    = " + _REDUCED, "next    = modulus_reg != 181 && " + _REDUCED),),
        "wrong",
        "n=0xb5: result 0x",
    ),
    "software": Student(
        "xcel",
        "pymtl",
        (
            ("accelerator.c", _C, _SOFTWARE + _C.replace("modexp_word", "unused")),
            (
                "accelerator.c",
                "",
                "\nstruct answer modexp_word(uint32_t b, uint32_t e, uint32_t m)"
                "\n{\n  return own(b, e, m);\n}\n",
            ),
        ),
        "programs",
        "without a read or a write of its accelerator's registers",
    ),
    "forges": Student(
        "exponentiator",
        "pymtl",
        (("modpow/__init__.py", "", _FORGED),),
        "touches",
        "starts a program",
    ),
    "includes": Student(
        "xcel",
        "verilog",
        (
            (
                "accelerator.c",
                "",
                '\n#include "/etc/shadow"\n__asm__(".incbin \\"/etc/shadow\\"");\n',
            ),
        ),
        "programs",
        "No such file or directory|Permission denied",
    ),
    "fifo": Student(
        "exponentiator", "verilog", form=fifo, verdict="broken", told="not a regular file"
    ),
}


def write(place: Path) -> list[Path]:
    """Write hand-ins, and the rubric beside them; return the folders of the students."""
    (place / "rubric.toml").write_text(RUBRIC)
    return [student.write(place / "class" / name) for name, student in STUDENTS.items()]
