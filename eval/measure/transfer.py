"""Sends results, and designs of other packages, between machines without a shared folder.

A worker packs the entries of stores (``store.folders``) that a job used or made into a parcel.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from rsaxcel.catalog.registry import VARIABLE
from rsaxcel.flow.layout import usual_timer
from rsaxcel.flow.paths import STORE, work_folder
from rsaxcel.flow.timers import find_timer
from rsaxcel.flow.yosys import yosys_version
from rsaxcel.store.code import code_digest
from rsaxcel.store.errors import SetupError, UserError
from rsaxcel.store.folders import cache_root, keep, used_entries
from rsaxcel.store.packages import MODULES, up_to
from rsaxcel.store.parcel import adopt, label, pack, size_of, unpack
from rsaxcel.store.places import MEASUREMENTS

_FLOWS = ("flow", "fpga")
_BUILD = Path("build")
PACKAGES = up_to("eval")  # packages whose code must be the same on a worker

_TREE = Path(__file__).parents[2]
_MOST_BYTES = 10_000_000  # largest size of the designs of other packages


def pack_used() -> bytes:
    """Pack the store entries that this process has made, found or requested into a parcel."""
    stores = _stores().items()
    return pack({label(name, x): x for name, root in stores for x in used_entries(root)})


def keep_parcel(parcel: bytes) -> None:
    """Keep the results in a parcel in the stores of the current folder."""
    with TemporaryDirectory() as folder:
        unpack(parcel, Path(folder))
        adopt(Path(folder), _stores())


def _stores() -> dict[str, Path]:
    """Folders of the stores of results, by name."""
    flows = {name: work_folder((_BUILD / name).absolute()) / STORE for name in _FLOWS}
    return {**flows, MEASUREMENTS.name: MEASUREMENTS.absolute()}


def fingerprint() -> dict[str, str]:
    """Versions of code and tools, by name, on which the keys of results depend."""
    timer = find_timer(usual_timer())
    tools = {"Yosys": yosys_version, timer.name: timer.version}
    found = {
        "rsaxcel's code": code_digest(_TREE / name for name in (*PACKAGES, *MODULES))[:12],
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }
    for name, version in tools.items():
        try:
            found[name] = version()
        except SetupError:
            found[name] = "missing"
    return found


def pack_designs() -> bytes:
    """Pack the designs that ``RSAXCEL_DESIGNS`` names; refuse them if too large for every job."""
    paths = [Path(x).absolute() for x in os.environ.get(VARIABLE, "").split(os.pathsep) if x]
    if size_of(paths) > _MOST_BYTES:
        raise UserError(
            f"{VARIABLE}: its folders have more than {_MOST_BYTES // 1_000_000} MB, which is too "
            "much to send to a cluster; name folders that have nothing but designs"
        )
    return pack({f"{number}/{x.name}": x for number, x in enumerate(paths)}) if paths else b""


def unpack_designs(parcel: bytes) -> Mapping[str, str]:
    """Unpack designs from a parcel; return the environment variables by which Python finds them."""
    if not parcel:
        return {}
    name = f"designs-{sha256(parcel).hexdigest()[:20]}"
    folder = keep(cache_root(), name, lambda draft: unpack(parcel, draft))
    paths = sorted(folder.glob("[0-9]*/*"), key=lambda x: int(x.parent.name))
    # Python must not write bytecode files beside the designs: they would change the folder, which
    # is an entry of a store.
    return {VARIABLE: os.pathsep.join(map(str, paths)), "PYTHONDONTWRITEBYTECODE": "1"}
