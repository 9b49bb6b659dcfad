"""The archive that Gradescope runs: rsaxcel as a wheel, a rubric, and two scripts."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, distribution
from importlib.resources import files
from pathlib import Path
from shlex import quote
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from jinja2 import Environment, StrictUndefined

from rsaxcel.store.code import is_made
from rsaxcel.store.packages import MODULES, PACKAGES
from rsaxcel.store.tools import BUBBLEWRAP, GXX, RISCV_GCC

_ROOT = Path(__file__).parents[2]  #: root of the package, as Python finds it
_SCRIPTS = "setup.sh", "run_autograder"
_TOOLS = GXX, RISCV_GCC, BUBBLEWRAP
#: files about an installation, not about what is installed
_OF_INSTALLATION = {"INSTALLER", "RECORD", "REQUESTED", "WHEEL", "direct_url.json"}
_WHEEL = "Wheel-Version: 1.0\nGenerator: rsaxcel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_RUNS = 0o755 << 16  #: mode of a script, in a field of the archive
_READ = 0o600 << 16


def write(file: Path, rubric: bytes, options: Sequence[str]) -> None:
    """Write the archive; ``options`` of ``rsaxcel rank`` are those of each hand-in."""
    own = distribution("rsaxcel")
    values = {
        "packages": " ".join(x.debian for x in _TOOLS),
        "wheel": f"rsaxcel-{own.version}-py3-none-any.whl",
        "options": " ".join(map(quote, options)),
    }
    environment = Environment(keep_trailing_newline=True, undefined=StrictUndefined)
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name in _SCRIPTS:
            text = files(__package__).joinpath(f"{name}.j2").read_text("utf-8")
            _add(archive, name, environment.from_string(text).render(values).encode(), _RUNS)
        _add(archive, "rubric.toml", rubric)
        _add(archive, values["wheel"], _wheel(own))


def _add(archive: ZipFile, name: str, content: bytes, mode: int = _READ) -> None:
    about = ZipInfo(name)
    about.external_attr, about.compress_type = mode, ZIP_DEFLATED
    archive.writestr(about, content)


def _wheel(own: Distribution) -> bytes:
    """Make a wheel of the package that runs, from a clone or from an installation."""
    about = f"rsaxcel-{own.version}.dist-info"
    content = {**dict(_code()), **dict(_about(own, about)), f"{about}/WHEEL": _WHEEL.encode()}
    record = io.StringIO()
    lines = csv.writer(record, lineterminator="\n")
    for name, data in content.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.writerow((name, f"sha256={digest}", len(data)))
    lines.writerow((f"{about}/RECORD", "", ""))
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
        archive.writestr(f"{about}/RECORD", record.getvalue())
    return made.getvalue()


def _code() -> Iterator[tuple[str, bytes]]:
    for name in (*MODULES, "py.typed"):
        yield f"rsaxcel/{name}", (_ROOT / name).read_bytes()
    for package in PACKAGES:
        for file in sorted((_ROOT / package).rglob("*")):
            place = file.relative_to(_ROOT)
            if file.is_file() and not any(map(is_made, place.parts)):
                yield f"rsaxcel/{place}", file.read_bytes()


def _about(own: Distribution, folder: str) -> Iterator[tuple[str, bytes]]:
    for file in own.files or ():
        if file.parts[0] == folder and file.name not in _OF_INSTALLATION:
            yield str(file), Path(str(file.locate())).read_bytes()
