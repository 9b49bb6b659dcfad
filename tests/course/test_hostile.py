"""Hand-ins that attack reach nothing outside, and each is refused with its reason."""

import base64
import ctypes
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from rsaxcel.course.rank import assess, sandbox
from rsaxcel.course.rank.assess import Assessment
from rsaxcel.course.rank.handed import Handed, find_handed, read
from rsaxcel.course.rank.sandbox import BY_BUBBLEWRAP, BY_USER, Limits, check_confinement
from rsaxcel.sim.check.refused import Refused
from rsaxcel.store.errors import UserError
from rsaxcel.store.foreign import ForeignLibrary
from tests.course.confinements import OPTIONS, WAYS, limits, needs_confinement, processes_with
from tests.course.student_designs import NAME, STUDENTS
from tests.shared.programs import program
from tests.shared.strangers import STRANGER, as_root
from tests.shared.tables import each_row

pytestmark = needs_confinement

#: The hand-in first removes all that only informs. Each attack that succeeds is told at the end.
_HEAD = Path(__file__).with_name("hostile_head.txt").read_text("utf-8")
_ATTACKS = Path(__file__).with_name("hostile_attacks.txt").read_text("utf-8")

X86 = os.uname().machine == "x86_64"
ADD_KEY, REQUEST_KEY, KEYCTL = (248, 249, 250) if X86 else (217, 218, 219)
OPEN_TO_ALL = ["reads_what_all_can_read", "connects_to_a_file"]


def refused(code: str, under: Limits) -> Refused:
    """Translate a hand-in of one file; return how it is refused."""
    files = {"__init__.py": base64.b64encode((_HEAD + code).encode()).decode()}
    with pytest.raises(Refused) as refusal:
        assess.translated(Handed("hostile", Path("/hostile"), "", files=files), [8], under)
    assert refusal.value.reason.isprintable()
    return refusal.value


@pytest.mark.parametrize("way", WAYS)
def test_nothing_outside_is_touched(way, tmp_path, monkeypatch):
    """A hand-in with the rights of its sandbox tries all it can; the teacher's process serves."""
    monkeypatch.setenv("RSAXCEL_SECRET", "environment")
    tmp_path.chmod(0o755)
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "secret").chmod(0o600)
    public = tmp_path / "public"
    public.write_text("public")
    public.chmod(0o644)
    before = public.stat()
    abstract = f"\0rsaxcel-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX) as file,
    ):
        named.bind(abstract)
        named.listen()
        monkeypatch.chdir(tmp_path)  # the path of a socket is short
        file.bind("socket")
        file.listen()
        (tmp_path / "socket").chmod(0o777)
        given = {
            "HERE": str(tmp_path),
            "HOME": str(Path.home()),
            "PARENT": os.getpid(),
            "PORT": server.getsockname()[1],
            "ABSTRACT": abstract,
            "CLONE": 56 if X86 else 220,
        }
        code = "".join(f"{name} = {value!r}\n" for name, value in given.items())
        found = refused(code + _ATTACKS, Limits(60, 1, way))
    # Files that everybody can read are open to another uid, unless namespaces hide them. A home
    # shows what leads to Python and rsaxcel, where these are in it.
    open_to_all = [] if way == BY_BUBBLEWRAP else OPEN_TO_ALL
    if any(Path(x).is_relative_to(Path.home()) for x in (sys.prefix, sys.base_prefix, __file__)):
        open_to_all = [*open_to_all, "lists_the_home"]
    won = json.loads(found.reason.partition("won: ")[2])
    assert set(won) <= set(open_to_all)
    assert sorted(x.name for x in tmp_path.iterdir()) == ["public", "secret", "socket"]
    assert public.read_text() == "public"
    after = public.stat()
    changed = ("st_mode", "st_uid", "st_mtime", "st_ino")
    assert [getattr(after, x) for x in changed] == [getattr(before, x) for x in changed]


@each_row(__file__, "greedy", "code", "kind", "reason")
def test_greedy_and_lying_hand_ins(code, kind, reason):
    began = time.monotonic()
    found = refused(code, limits(8, 1))
    assert time.monotonic() - began < 30
    assert found.kind in kind.split(), found.reason
    assert re.search(reason, found.reason), found.reason


def test_daemons_end_with_their_sandbox():
    """Processes that leave their session, and whose parents have ended, are gone afterwards."""
    mark = f"86399.{os.getpid()}"
    code = (
        "if not os.fork():\n    os.setsid()\n    if not os.fork():\n"
        f"        os.execv('/bin/sleep', ['sleep', '{mark}'])\n    os._exit(0)\n"
        "time.sleep(0.5)\nraise ValueError('a daemon runs')"
    )
    assert refused(code, limits(60, 1)).reason == "ValueError: a daemon runs"
    assert not processes_with(mark)


@as_root
def test_a_python_that_another_uid_cannot_run(tmp_path, monkeypatch):
    """As root's own by pyenv, whose home is closed: told at once, and not for each hand-in."""
    tmp_path.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program(tmp_path / "python")))
    with pytest.raises(
        UserError, match=r"^--as-user: another uid cannot run this Python: .*denied"
    ):
        check_confinement(BY_USER)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_left_behind(way, monkeypatch):
    """A thousand nested folders are removed, and what another uid leaves where all can write."""
    mark = f"rsaxcel-left-{os.getpid()}"
    places = [Path(x) for x in ("/tmp", "/var/tmp", "/dev/shm", "/run/lock") if os.path.isdir(x)]
    code = (
        f"for place in {list(map(str, places))}:\n    try: os.makedirs(f'{{place}}/{mark}/deep')\n"
        "    except OSError: pass\n"
        "for _ in range(1100): os.mkdir('d'); os.chdir('d')\nraise ValueError('left')"
    )
    with tempfile.TemporaryDirectory() as own:
        os.chmod(own, 0o755)
        monkeypatch.setattr(tempfile, "tempdir", own)
        assert refused(code, Limits(60, 1, way)).reason == "ValueError: left"
        assert not [x for x in places if mark in os.listdir(x)]
        assert not os.listdir(own)
        monkeypatch.undo()


@pytest.mark.slow
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGKILL])
def test_a_signal_to_the_teacher_ends_all_processes(tmp_path, signum):
    mark = f"86398.{os.getpid()}{signum:02}"
    place = STUDENTS["good"].write(tmp_path)
    with (place / "__init__.py").open("a") as file:
        file.write(
            f"\nimport subprocess, sys\nsys.modules['rsaxcel.course.rank.models']._TOLD.clear()\n"
            f"subprocess.run(['sleep', '{mark}'])\n"
        )
    command = [sys.executable, "-m", "rsaxcel", "rank", str(place), "--nbits", "8", *OPTIONS]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=-3, stderr=-3, start_new_session=True)
    until = time.monotonic() + 120
    while not processes_with(mark) and time.monotonic() < until:
        time.sleep(0.2)
    assert processes_with(mark)
    process.send_signal(signum)
    process.wait(30)
    until = time.monotonic() + 10
    while processes_with(mark) and time.monotonic() < until:
        time.sleep(0.1)
    assert not processes_with(mark)


def _nested(place: Path) -> None:
    for _ in range(3000):
        place = place / "d"
        place.mkdir()
        os.chdir(place)
        place = Path()


def _sparse(place: Path) -> None:
    with (place / "large.py").open("wb") as file:
        file.truncate(6 << 30)


_FOLDERS = {
    "nested": (_nested, "more than 32 deep"),
    "sparse": (_sparse, "more than 16 MB"),
    "fifo": (lambda place: os.mkfifo(place / "fifo.py"), "not a regular file"),
    "link": (lambda place: (place / "x.py").symlink_to("/etc/passwd"), "not a regular file"),
    "many": (lambda place: [(place / f"{n}.py").touch() for n in range(2001)], "2000 files"),
    "quadratic": (lambda place: (place / "x.py").write_text("#" * 4_000_000), ""),
    "signs": (lambda place: (place / "x.py").write_text("(" * 200_000), ""),
}


@pytest.mark.quick_cases("sparse")
@pytest.mark.parametrize("name", _FOLDERS)
def test_folders_that_cannot_be_read(name, here, request):
    """A folder of any form is read or refused with its reason, soon, and the next one is read."""
    # pytest removes old folders by recursion, and ends with an error at 1,000 nested ones.
    request.addfinalizer(lambda: subprocess.run(["rm", "-rf", here / "hostile"], check=True))
    make, reason = _FOLDERS[name]
    places = [STUDENTS["good"].write(here / who) for who in ("hostile", "honest")]
    make(places[0])
    os.chdir(here)
    began = time.monotonic()
    hostile, honest = find_handed(places, limits(60, 2))
    assert time.monotonic() - began < 20
    assert reason in hostile.problem
    assert bool(hostile.problem) == bool(reason)
    assert not honest.problem
    assert honest.files.keys() == {x.name for x in places[1].iterdir()}


@pytest.mark.parametrize("part", ["x.py", "sub", "sub/y.py"])
def test_a_folder_that_changes_is_not_read_elsewhere(part, tmp_path, monkeypatch):
    """What was a file or a folder when it was listed is a link when it is opened."""
    place = STUDENTS["good"].write(tmp_path)
    (place / "sub").mkdir()
    for name in ("x.py", "sub/y.py"):
        (place / name).write_text("own")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/y.py").write_text("secret")
    change = {part: tmp_path / "secret" / ("" if part == "sub" else "y.py")}
    opened = os.open

    def changed(name, *more, **where):
        if part.endswith(str(name)) and change:
            (place / part).rename(tmp_path / "before")
            (place / part).symlink_to(change.pop(part))
        return opened(name, *more, **where)

    monkeypatch.setattr(os, "open", changed)
    with pytest.raises(OSError, match=r"symbolic|directory"):
        read(str(place))
    assert not change


@as_root
def test_a_link_of_another_user_is_not_followed(tmp_path):
    """It could lead to a folder that only the user of this command can read."""
    place = STUDENTS["good"].write(tmp_path / "secret")
    for name in ("theirs", "mine"):
        (tmp_path / name).symlink_to(tmp_path / "secret")
    os.chown(tmp_path / "theirs", STRANGER, STRANGER, follow_symlinks=False)
    theirs, mine = find_handed([tmp_path / x / NAME for x in ("theirs", "mine")], limits(60, 2))
    assert theirs.problem == f"{tmp_path}/theirs is a link of another user"
    assert mine.files.keys() == {x.name for x in place.iterdir()}


@pytest.mark.parametrize(
    "name", ["a" * 250, os.fsdecode(b"caf\xe9"), "a=b", "two\nlines", "\x1b[2J"]
)
def test_folders_with_odd_names_are_read(name, tmp_path):
    place = STUDENTS["good"].write(tmp_path).rename(tmp_path / name)
    (handed,) = find_handed([place], limits(60, 2))
    assert not handed.problem
    assert handed.files
    assert handed.label.isprintable()
    assert assess.assess(handed, Assessment(8, 1, None, limits())) is None  # its key can be formed


@pytest.mark.slow
def test_keys_of_the_kernel_are_not_handed_on(monkeypatch):
    """A key of the user's session in the kernel's keyring is not found in a sandbox."""
    code = (
        f"ids = [libc.syscall({KEYCTL}, 6, -3, None, 0), "
        f"libc.syscall({REQUEST_KEY}, b'user', b'rsaxcel-test', None, 0)]\n"
        "raise ValueError(f'found: {ids[1] > 0}')"
    )
    library = ForeignLibrary()
    add = library.declare(
        "syscall", ctypes.c_long, ctypes.c_long, *[ctypes.c_char_p] * 3, *[ctypes.c_long] * 2
    )
    key = add(ADD_KEY, b"user", b"rsaxcel-test", b"secret", 6, -3)
    if key < 0:
        pytest.skip("the kernel keeps no keys here")
    assert "found: False" in refused(code, limits(60, 1)).reason


def test_a_refusal_of_namespaces_names_the_two_ways(refused, tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "_refusal", lambda: "no namespaces here")
    line = refused("rank", STUDENTS["good"].write(tmp_path))
    assert "hand-ins cannot be confined: no namespaces here; --as-user" in line
    assert "--trust-hand-ins" in line


@pytest.mark.skipif(os.geteuid() == 0, reason="root can change to another uid")
def test_another_uid_needs_root(refused, tmp_path):
    line = refused("rank", STUDENTS["good"].write(tmp_path), "--as-user")
    assert "only root" in line


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_an_honest_hand_in_is_ranked_beside_hostile_ones(rsaxcel, here):
    names = ("good", "starts_a_program", "never_ends", "says_what_it_likes")
    folders = [STUDENTS[name].write(here / name) for name in names]
    _sparse(STUDENTS["good"].write(here / "sparse"))
    options = "--nbits 8 --random 100 --json --seconds 60 --activity zero".split()
    finished = rsaxcel("rank", *folders, here / "sparse" / NAME, *options, *OPTIONS)
    assert finished.status == 1, finished.err
    rows = {row["folder"]: row for row in map(json.loads, finished.out.splitlines())}
    assert rows.pop(f"good/{NAME}")["rank"] == 1
    assert rows.pop("mulrem_r2l")["baseline"]
    assert all(row["rank"] is None and row["reason"] for row in rows.values())
    assert rows[f"never_ends/{NAME}"]["reason"].startswith("its translation takes more than")
