"""Columns of the processor: the stages F, D, X, M, W, and its xcel interface."""

from rsaxcel.fl.xcel import XcelReqMsg, XcelRespMsg
from rsaxcel.proc.isa import disassemble
from rsaxcel.proc.pipeline.messages import ExecuteMsg, MemoryMsg
from rsaxcel.proc.proc_rtl import ProcRTL
from rsaxcel.sim.traces.columns import Column, handshake, hexadecimal, path_of
from rsaxcel.sim.traces.waves import Signal

_STALLS, _SQUASHED = "#", "~"
_PC_DIGITS, _TEXT, _MNEMONIC = 5, 26, 6


def pipeline_columns(processor: ProcRTL) -> list[Column]:
    """Columns of an elaborated processor.

    F shows the address of an instruction, D the instruction, X, M and W the mnemonic. ``#``: it
    stalls; ``~``: a jump or branch squashes it. The program ends one cycle after the last line: the
    trap port shows the end in a cycle in which W is empty.
    """
    path = path_of(processor)

    def signals(stage: str, *names: str) -> list[Signal]:
        return [Signal(f"{path}{stage}.{name}") for name in names]

    def held(stage: str, message: type) -> list[Signal]:
        return [
            *signals(stage, "valid_reg", "stalls"),
            Signal(f"{path}{stage}.msg_reg", message, "inst"),
        ]

    committed = _Committed()
    fetch = [
        *signals("fetch", "valid", "redirect"),
        *signals("decode", "take"),
        *signals("fetch", "pc"),
    ]
    decode = signals("decode", "valid_reg", "squash", "stalls", "pc_reg", "inst_reg")
    memory = [*held("memory", MemoryMsg), *signals("memory", "commit_reg")]
    return [
        Column("F", _PC_DIGITS + 1, fetch, _show_fetch),
        Column("D", _TEXT + 1, decode, _show_decode),
        Column("X", _MNEMONIC + 1, held("execute", ExecuteMsg), _show_held),
        Column("M", _MNEMONIC + 1, held("memory", MemoryMsg), _show_held),
        Column("W", _MNEMONIC + 1, memory, committed.show),
        *_xcel_columns(path),
    ]


def _show_fetch(valid: int, redirect: int, take: int, pc: int) -> str:
    if not valid:
        return ""
    mark = _SQUASHED if redirect else " " if take else _STALLS
    return f"{mark}{pc:0{_PC_DIGITS}x}"


def _show_decode(valid: int, squash: int, stalls: int, pc: int, inst: int) -> str:
    if not valid:
        return ""
    mark = _SQUASHED if squash else _STALLS if stalls else " "
    return f"{mark}{disassemble(inst, pc)}"


def _show_held(valid: int, stalls: int, inst: int) -> str:
    return f"{_STALLS if stalls else ' '}{_mnemonic(inst)}" if valid else ""


def _mnemonic(inst: int) -> str:
    return disassemble(inst).split()[0]


class _Committed:
    """Text of column W, which has no register: the instruction in stage M one cycle before."""

    def __init__(self) -> None:
        self._before = 0

    def show(self, valid: int, stalls: int, inst: int, commits: int) -> str:
        text = f" {_mnemonic(self._before)}" if commits else ""
        self._before = inst
        return text


def _xcel_columns(path: str) -> list[Column]:
    request, response = f"{path}xcel.req", f"{path}xcel.resp"

    def show_request(valid: int, ready: int, writes: int, addr: int, data: int) -> str:
        text = f"xr{addr}={hexadecimal(data, 32)}" if writes else f"xr{addr}?"
        return handshake(valid, ready, text)

    def show_response(valid: int, ready: int, kind: int, data: int) -> str:
        return handshake(valid, ready, "done" if kind else hexadecimal(data, 32))

    asked = [Signal(f"{request}.msg", XcelReqMsg, x) for x in ("type_", "addr", "data")]
    told = [Signal(f"{response}.msg", XcelRespMsg, x) for x in ("type_", "data")]
    return [
        Column(
            "xcel", 13, [Signal(f"{request}.val"), Signal(f"{request}.rdy"), *asked], show_request
        ),
        Column(
            "answer",
            8,
            [Signal(f"{response}.val"), Signal(f"{response}.rdy"), *told],
            show_response,
        ),
    ]
