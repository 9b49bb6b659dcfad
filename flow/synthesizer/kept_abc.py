"""Takes ABC's place when Yosys maps a unit: the same unit is mapped once, in whichever design.

Yosys gives ABC a folder with a script and a unit, whose nets are numbered: two designs with the
same unit give the same files, but for comments with the names of nets, and paths.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

from rsaxcel.store.folders import CacheError, cache_root, file_digest, keep, key_of

_UNIT, _MAPPED, _LOG = "input.blif", "output.blif", "log.txt"
_AS_YOSYS_DOES = "-s", "-f"  #: options of ABC before the name of a script
_QUOTED = re.compile(r'"([^"]+)"')


def main(abc: str, version: str, path: str) -> None:
    """Run ABC's script, or take what it wrote earlier for the same unit; exit as ABC does."""
    script = Path(path)
    try:
        entry = keep(cache_root(), f"abc-{_key(script, version)}", partial(_run, abc, script))
        shutil.copyfile(entry / _MAPPED, script.with_name(_MAPPED))
        log = (entry / _LOG).read_text(encoding="utf-8", errors="replace")
    except (CacheError, OSError):  # the store cannot be used, or ABC wrote nothing: ABC tells it
        os.execv(abc, [abc, *_AS_YOSYS_DOES, path])
    print(log)


def _key(script: Path, version: str) -> str:
    unit = hashlib.sha256()
    with (script.parent / _UNIT).open("rb") as lines:
        for line in lines:
            if not line.startswith(b"#"):
                unit.update(line)

    def content(quoted: re.Match[str]) -> str:
        path = Path(quoted[1])
        return file_digest(path) if path.is_absolute() and path.is_file() else quoted[0]

    commands = script.read_text(encoding="utf-8").replace(f"{script.parent}/", "")
    return key_of(version, _QUOTED.sub(content, commands), unit.hexdigest())


def _run(abc: str, script: Path, entry: Path) -> None:
    with (entry / _LOG).open("w+b") as log:
        done = subprocess.run([abc, *_AS_YOSYS_DOES, script], stdout=log, stderr=log, check=False)
        if done.returncode:
            log.seek(0)
            shutil.copyfileobj(log, sys.stdout.buffer)
            sys.exit(done.returncode)
    shutil.copyfile(script.with_name(_MAPPED), entry / _MAPPED)


if __name__ == "__main__":
    main(*sys.argv[1:])
