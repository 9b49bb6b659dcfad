"""Tasks that run a handed-in design's Python: translate it to Verilog, and run its models."""

import base64
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rsaxcel import catalog
from rsaxcel.catalog import registry
from rsaxcel.catalog.given import constants_as_json
from rsaxcel.cores import front_end
from rsaxcel.course.own import OwnDesign, OwnEntry
from rsaxcel.course.rank.cores import write
from rsaxcel.diagnosis.check import check_circuit
from rsaxcel.diagnosis.explain import diagnose
from rsaxcel.eval.measure.memo import texts
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.check.steps import NARROW, on_one_lane
from rsaxcel.sim.translate import translate

_READER = [sys.executable, "-P", "-m", front_end.__name__]  #: reads the Verilog of cores
#: types and modules in a translation of PyMTL3
_DECLARED = re.compile(r"^(?:\}\s*(\w+)\s*;|module\s+(\w+))", re.MULTILINE)
_PROGRAM, _NETWORK = "starts a program", "uses the network"
_TOLD = {
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.spawn"), _PROGRAM),
    **dict.fromkeys(("os.posix_spawn", "os.fork", "os.forkpty", "pty.spawn"), _PROGRAM),
    **dict.fromkeys(("os.kill", "os.killpg"), "sends a signal"),
    **dict.fromkeys(("ctypes.dlopen", "ctypes.dlsym", "ctypes.call_function"), "calls C"),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"), _NETWORK),
    **dict.fromkeys(("socket.getaddrinfo", "socket.gethostbyname"), _NETWORK),
}


def _tell(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook that reports forbidden actions of a design in words; the hook confines nothing."""
    if event == "subprocess.Popen" and [*arguments[1]][: len(_READER)] == _READER:
        return
    if event in _TOLD:
        raise Refused("touches", f"it {_TOLD[event]} ({event})")


def load(name: str, files: Mapping[str, str]) -> catalog.Design | OwnEntry:
    """Load the only design of a folder's files; without files, find a design of the registry."""
    if not files:
        return catalog.get(name)
    folder = write(name, files).absolute()
    try:
        found = registry._load(folder)
        designs = tuple(found) if isinstance(found, list | tuple) else (found,)
        if len(designs) != 1:
            raise ValueError(f"its DESIGNS has {len(designs)} designs; 1 is allowed")
        if isinstance(designs[0], OwnEntry):
            registry.register_given(designs[0])
        else:
            catalog.register(*designs)
            registry._try_out(designs[0])
    except Refused:
        raise
    except ModuleNotFoundError as error:
        module = str(error.name).partition(".")[0]
        if module == folder.name or not list(folder.glob(f"{module}_*.py")):
            raise diagnose(error) or error from error
        raise ValueError(
            f"the folder is named {folder.name}, but its files import {module}: rename the folder"
        ) from error
    except Exception as error:
        raise diagnose(error) or error from error
    return designs[0]


def verilog(name: str, files: Mapping[str, str], widths: Sequence[int]) -> dict[str, Any]:
    """Return circuits by width; for any width but the first, the reason why it is not supported."""
    sys.addaudithook(_tell)
    design = load(name, files)
    found: dict[str, Any] = {}
    one_lane: dict[str, Any] = {}
    skipped: dict[str, str] = {}
    for nbits in widths:
        try:
            configuration = design.configure(nbits)
        except ValueError as error:
            if nbits == widths[0]:
                raise
            skipped[str(nbits)] = str(error)
            continue
        if isinstance(configuration, OwnDesign):
            found[str(nbits)] = _core(configuration)
        else:
            found[str(nbits)] = _circuit(design.name, configuration)
    for nbits in {*NARROW, min(map(int, found))} & set(map(int, found)):
        other = None if isinstance(design, OwnEntry) else on_one_lane(design, nbits, {})
        if other is not None:
            circuit = _circuit(design.name, other)
            one_lane[str(nbits)] = {**circuit, "params": texts(other.composition)}
    return {
        "name": design.name,
        "summary": design.summary,
        "circuits": found,
        "one_lane": one_lane,
        "skipped": skipped,
    }


def _core(configuration: OwnDesign) -> dict[str, Any]:
    """Files of a core, with which it is made without Python; its circuit may be in PyMTL3."""
    place = configuration.described.file.parent
    files = {str(x.relative_to(place)): x.read_bytes() for x in place.rglob("*") if x.is_file()}
    if configuration.in_pymtl:
        top = configuration.described_core.module
        files = {k: _apart(x.decode(), top).encode() for k, x in files.items()}
    return {"files": {k: base64.b64encode(x).decode() for k, x in files.items()}}


def _apart(text: str, top: str) -> str:
    """Rename types and modules below the top: the processor may have some of the same names."""
    names = {x for pair in _DECLARED.findall(text) for x in pair} - {"", top}
    return re.sub(r"\b\w+\b", lambda x: f"own_{x[0]}" if x[0] in names else x[0], text)


def _circuit(name: str, configuration: catalog.Configuration) -> dict[str, Any]:
    if configuration.constant_modulus:
        raise ValueError("its modulus is constant; a ranking needs designs for any modulus")
    if configuration.exponent_nbits != configuration.nbits:
        raise ValueError(
            f"its exponents have {configuration.exponent_nbits} bits; "
            f"{configuration.nbits} are allowed, as many as the operands have"
        )
    try:
        module = translate(configuration.component("rtl"), name, check=check_circuit)
    except Exception as error:
        raise diagnose(error) or error from error
    return {
        "text": module.text,
        "odd_modulus": configuration.odd_modulus,
        "host_constants": constants_as_json(configuration.host_constants),
    }


def answers(
    name: str,
    files: Mapping[str, str],
    operands: Mapping[str, Sequence[Sequence[int]]],
    params: Mapping[str, Mapping[str, str]],
) -> dict[str, Any]:
    """Run the models on the operands at each width; return result, status and cycles of each."""
    sys.addaudithook(_tell)
    design = load(name, files)
    found: dict[str, Any] = {}
    for width, rows in operands.items():
        configuration = design.configure(int(width), **params.get(width, {}))
        evaluated = (configuration.evaluate(*row) for row in rows)
        found[width] = [[x.result, int(x.status), cycles] for x, cycles in evaluated]
    return found
