"""Designs as a class hands them in: the files of ``rsaxcel new``, with planted changes."""

from dataclasses import dataclass
from pathlib import Path

from rsaxcel.course.new import multiplier

NAME = "student"
MODULUS = 0xB5
"""Modulus for which some of the designs are wrong."""


@dataclass(frozen=True)
class Student:
    """Changes to the files of a new multiplier.

    Parameters
    ----------
    kind : str
        Kind of refusal in a ranking (``Verdict.kind``); empty: the design is ranked.
    edits : tuple of (end of the file's name, old text, new text)
        Replaced texts.
    """

    kind: str = ""
    edits: tuple[tuple[str, str, str], ...] = ()

    def write(self, folder: Path) -> Path:
        """Write the design into a new folder in ``folder``, and return the new folder."""
        place = folder / NAME
        place.mkdir(parents=True)
        for file, text in multiplier(NAME).items():
            for end, old, new in self.edits:
                if file.endswith(end):
                    assert text.count(old) == 1, (file, old)
                    text = text.replace(old, new)
            (place / file).write_text(text)
        return place


def _circuit(old: str, new: str) -> tuple[str, str, str]:
    return ("_rtl.py", old, new)


_REGISTERS = "        s.modulus = Wire(Sum)\n"
_LOAD = "                s.m_reg <<= s.recv.msg.m\n"
_RETURN = "        return a * b % modulus"
_TIMING = "return (serial_cycles(self._nbits, finish_cycles=0),)"
_ENTRY = "\nDESIGNS = (\n"


def _entry(code: str) -> tuple[str, str, str]:
    return ("__init__.py", _ENTRY, f"\n{code}\n{_ENTRY}")


def _wrong(condition: str) -> tuple[str, str, str]:
    """Edit of the circuit: if a condition holds, the result is the product plus 1."""
    old = "        s.send.msg.r //= s.p_reg"
    new = f"""
        @update
        def comb_result():
            s.send.msg.r @= s.p_reg
            if {condition}:
                s.send.msg.r @= s.p_reg + 1
"""
    return _circuit(old, new)


_COUNTER = (
    _circuit(_REGISTERS, f"        s.count_reg = Wire(8)\n{_REGISTERS}"),
    _circuit(_LOAD, f"{_LOAD}                s.count_reg <<= s.count_reg + 1\n"),
)

STUDENTS: dict[str, Student] = {
    "good": Student(),
    "slow": Student(
        edits=(
            _circuit("SerialControl(nbits, finish_cycles=0)", "SerialControl(nbits, 3)"),
            ("_cl.py", "finish_cycles=0", "finish_cycles=3"),
        )
    ),
    "wrong_for_one_modulus": Student("wrong", (_wrong(f"s.m_reg == {MODULUS}"),)),
    # Every 256th product since power-up is wrong, for any operands.
    "counts_products": Student("state", (*_COUNTER, _wrong("s.count_reg == 200"))),
    "writes_to_the_tree": Student(
        "touches",
        (_entry("from rsaxcel import fl\n\nopen(fl.__path__[0] + '/keys.py', 'a').close()"),),
    ),
    "calls_c": Student("touches", (_entry("import ctypes\n\nctypes.CDLL(None)"),)),
    "starts_a_program": Student("touches", (_entry("import os\n\nos.system('true')"),)),
    "never_ends": Student("limits", (_entry("while True:\n    pass"),)),
    "wrong_cycle_model": Student("cycles", (("_cl.py", _TIMING, "return (3,)"),)),
    "wrong_golden_model": Student("model", (("_fl.py", _RETURN, f"{_RETURN} + (a == 3)"),)),
    "says_what_it_likes": Student(
        "broken", (_entry("raise ValueError('\\x1b[2J' + 'x' * 10000)"),)
    ),
    "never_answers": Student(
        "wrong", (_circuit("s.control.recv_val //= s.recv.val", "s.control.recv_val //= 0"),)
    ),
    "a_loop": Student("broken", (_circuit("s.doubled @= s.twice\n", "s.doubled @= s.product\n"),)),
    "no_python": Student("broken", (_entry("def ("),)),
    # `rsaxcel check` must find these faults, too; see tests/cli/test_check_command.py.
    "compares_wrongly": Student(
        "wrong", (_circuit("if s.added >= s.modulus:", "if s.added > s.modulus:"),)
    ),
    "a_bit_too_narrow": Student("wrong", (_circuit("Sum = mk_bits(nbits + 1)", "Sum = Value"),)),
    "wrong_for_one_operand": Student("wrong", (_wrong("s.a_reg == 77"),)),
    "wrong_cycles_at_odd_widths": Student(
        "cycles", (("_cl.py", _TIMING, _TIMING.replace("self._nbits", "self._nbits // 2 * 2")),)
    ),
    "wrong_overlaps": Student("cycles", (("_cl.py", "overlaps = True", "overlaps = False"),)),
    "constant_not_connected": Student(
        "broken",
        (
            _circuit(_REGISTERS, f"        s.start = Wire(Value)\n{_REGISTERS}"),
            _circuit("s.p_reg <<= 0", "s.p_reg <<= s.start"),
        ),
    ),
    "wrong_golden_model_for_one_modulus": Student(
        "model", (("_fl.py", _RETURN, f"{_RETURN} ^ (modulus == {MODULUS})"),)
    ),
    # Only `rsaxcel check` shows it, which forms every product; a ranking does not form this one.
    "hangs_for_one_product": Student(
        "",
        (
            _circuit(
                "s.control.recv_val //= s.recv.val",
                "s.control.recv_val //= lambda: s.recv.val & ~((s.recv.msg.a == 77) & "
                "(s.recv.msg.b == 33) & (s.recv.msg.m == 201))",
            ),
        ),
    ),
    "declares_constant_time": Student(
        "cycles", (("_cl.py", _TIMING, _TIMING.replace("self._nbits", "self._nbits + (a == 3)")),)
    ),
    "golden_model_that_never_ends": Student(
        "limits",
        (("_fl.py", _RETURN, f"        while modulus == {MODULUS}:\n            pass\n{_RETURN}"),),
    ),
    "a_latch": Student("broken", (_circuit("            s.added @= s.doubled\n", ""),)),
}
