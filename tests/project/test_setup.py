"""The set-up checks what it needs before it changes anything, and says what is missing and why."""

import os
import pty
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests.shared.programs import program

ROOT = Path(__file__).parents[2]
TOOLS = ("g++", "perl", "sta", "riscv64-unknown-elf-gcc", "bwrap", "iverilog")
USED = """
    basename bash cat comm cp dirname env flock grep head ln mkdir mktemp paste readlink rm sed
    sha256sum sort touch
""".split()
UNAME = "#!/bin/sh\ncase $1 in -m) echo {machine};; *) echo {system};; esac\n"
APT_GET = Path(__file__).with_name("apt-get.sh").read_text("utf-8")
APT_CACHE = Path(__file__).with_name("apt-cache.sh").read_text("utf-8")


class Machine:
    """A checkout whose environment is up to date, and the programs that its set-up finds."""

    def __init__(self, folder: Path) -> None:
        if not (ROOT / "tools").is_dir():
            pytest.skip("no checkout")
        self.checkout, self.programs = folder / "checkout", folder / "bin"
        self.programs.mkdir(parents=True)
        for name in USED:
            found = shutil.which(name)
            assert found
            (self.programs / name).symlink_to(found)
        for name in TOOLS:
            program(self.programs / name)
        self.kernel()
        shutil.copytree(ROOT / "tools", self.checkout / "tools")
        shutil.copytree(ROOT / "store", self.checkout / "store")
        for name in ("setup.py", "requirements.txt"):
            shutil.copy(ROOT / name, self.checkout)
        self.environment = self.checkout / ".venv"

    def finish(self) -> "Machine":
        """Make what pip would have made."""
        (self.environment / "bin").mkdir(parents=True)
        # Never the pip of this environment.
        python = f'#!/bin/sh\n[ "$2" != pip ] || exit 9\nexec "{sys.executable}" "$@"\n'
        program(self.environment / "bin" / "python", python)
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        (self.environment / "lib" / version).mkdir(parents=True)
        for name in ("share/qflow/tech/osu018/osu018_stdcells.lib", f"lib/x/lib{version}.so"):
            (self.environment / "debian/usr" / name).parent.mkdir(parents=True)
            (self.environment / "debian/usr" / name).touch()
        told = subprocess.check_output([sys.executable, "--version"], text=True).strip()
        locked = b"".join((ROOT / x).read_bytes() for x in ("setup.py", "requirements.txt"))
        stamp = f"{self.checkout} {told}\n{sha256(locked).hexdigest()}  -\n"
        (self.environment / ".rsaxcel-installed").write_text(stamp)
        return self

    def kernel(self, system: str = "Linux", machine: str = "x86_64") -> "Machine":
        program(self.programs / "uname", UNAME.format(system=system, machine=machine))
        return self

    def lacks(self, *names: str) -> "Machine":
        for name in names:
            (self.programs / name).unlink()
        return self

    def apt(self, user: int, has: str = "*", update: int = 0) -> "Machine":
        program(self.programs / "apt-get", APT_GET.format(update=update))
        program(self.programs / "apt-cache", APT_CACHE.format(has=has))
        program(self.programs / "dpkg")
        program(self.programs / "id", f"#!/bin/sh\necho {user}\n")
        return self

    @property
    def asked(self) -> list[str]:
        """Calls of apt-get that install."""
        log = self.programs / "apt-get.log"
        return [x for x in log.read_text().splitlines() if "install" in x] if log.exists() else []

    def set_up(self, *arguments: str, answer: str | None = None, **variables: str):
        environment = {"PATH": str(self.programs), "LANG": "C.UTF-8", **variables}
        command = ["bash", "tools/setup.sh", *arguments]
        options = {"cwd": self.checkout, "env": environment, "text": True}
        if answer is None:
            return subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, check=False, **options
            )
        try:
            terminal, inside = pty.openpty()
        except OSError as error:  # a chroot without /dev/pts
            pytest.skip(f"no terminal here: {error}")
        with open(inside) as file, open(terminal, "wb", buffering=0) as keys:
            keys.write(answer.encode())
            # The question is printed on standard error, which is the terminal.
            return subprocess.run(
                command, stdin=file, stdout=subprocess.PIPE, stderr=file, check=False, **options
            )


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def test_nothing_is_said_where_nothing_is_missing(machine):
    done = machine.finish().apt(user=0).set_up()
    assert (done.returncode, done.stdout, done.stderr, machine.asked) == (0, "", "", [])


def test_arm_needs_the_systems_verilator(machine):
    machine.finish().apt(user=0).kernel(machine="aarch64")
    assert machine.set_up().returncode == 0
    (asked,) = machine.asked
    assert asked.endswith("install --yes --no-install-recommends verilator")
    program(machine.programs / "verilator_bin")
    done = machine.set_up()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", ['my "best"', "a$b", "a`b", "a\\b", "a:b", "a\nb"])
def test_a_checkout_that_no_environment_can_be_in(tmp_path, name):
    machine = Machine(tmp_path / "machine")
    machine.checkout = machine.checkout.rename(tmp_path / name)
    done = machine.set_up()
    (line,) = done.stderr.splitlines()
    assert done.returncode == 1
    assert line.startswith(f"set-up: {machine.checkout}: ".replace("\n", "?"))
    assert line.endswith("in its path")
    assert not (machine.checkout / ".venv").exists()


def test_an_environment_of_another_checkout_is_left_alone(machine, tmp_path):
    other = tmp_path / "other"
    (other / "bin").mkdir(parents=True)
    machine.environment.symlink_to(other)
    done = machine.set_up()
    (line,) = done.stderr.splitlines()
    assert done.returncode == 1
    assert line.startswith(f"set-up: {machine.environment} is a link, to {other}: ")
    assert (other / "bin").is_dir()


def test_a_python_without_locked_packages(machine):
    """The cause is the version, which no Debian package changes."""
    text = (ROOT / "setup.py").read_text()
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    other = text.replace(f"Python :: {version}", "Python :: 3.99")
    assert other != text
    (machine.checkout / "setup.py").write_text(other)
    done = machine.set_up(PYTHON=sys.executable)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert f" is Python {version}; the locked packages are for " in line
    assert "3.99" in line
    assert "ppa:deadsnakes" in line
    assert "python3-venv" not in line
    assert not machine.environment.exists()


@pytest.mark.parametrize("has", ["python3.99-venv", "g++"])
def test_another_python_that_the_release_has_or_has_not(machine, has):
    """Where the system's Python is too old or too new; nothing else is installed in vain."""
    text = (ROOT / "setup.py").read_text()
    (machine.checkout / "setup.py").write_text(re.sub(r"Python :: 3\.\d+", "Python :: 3.99", text))
    done = machine.lacks("g++").apt(user=0, has=has).set_up()
    assert [x.split()[-1] for x in machine.asked] == [has] * (has != "g++")
    assert done.returncode == 1  # nothing was really installed
    assert "the locked packages are for 3.99" in done.stderr


def test_the_python_that_is_named_is_looked_at_first(machine):
    done = machine.lacks("g++").apt(user=0).set_up(PYTHON="nothing")
    assert (done.returncode, machine.asked) == (1, [])


@pytest.mark.parametrize("hidden", ["ensurepip", "ssl"])
def test_a_python_without_a_module(machine, hidden):
    hide = f"import sys; sys.modules['{hidden}'] = None; exec(sys.stdin.read())"
    base = sys._base_executable
    program(machine.programs / "mine", f'#!/bin/sh\nexec "{base}" -c "{hide}" "$@"\n')
    done = machine.set_up(PYTHON="mine")
    assert done.returncode == 1
    assert f"{machine.programs}/mine has no module {hidden}; " in done.stderr


def test_a_python_of_another_environment(machine, tmp_path):
    if sys.prefix == sys.base_prefix:
        pytest.skip("no environment")
    done = machine.set_up(PYTHON=sys.executable)
    assert done.returncode == 1
    assert f" belongs to the environment {sys.prefix}; " in done.stderr


@pytest.mark.parametrize("name", ["nothing", "broken"])
def test_a_python_that_is_none(machine, name):
    program(machine.programs / "broken", "#!/bin/sh\nexit 1\n")
    done = machine.set_up(PYTHON=name)
    assert done.returncode == 1
    assert f"{name} is no program; " in done.stderr or "/broken does not run; " in done.stderr


def test_a_package_that_this_release_has_not(machine):
    machine.finish().lacks("sta", "g++").apt(user=0, has="g++")
    done = machine.set_up()
    assert (done.returncode, done.stderr) == (0, "")
    assert [x.split()[-1] for x in machine.asked] == ["g++"]
    assert "set-up: not installed: opensta\n" in done.stdout
    assert " has no package opensta\n" in done.stdout
    assert "opensta (OpenSTA) is for: flow --timer opensta" in done.stdout
    # Later runs say it in one line, and do not ask Debian again, unless told to.
    (line,) = machine.set_up().stdout.splitlines()
    assert line == "set-up: without opensta (make setup YES=1 tries to install)"
    assert len(machine.asked) == 1
    machine.apt(user=0)
    machine.set_up("--yes")
    assert [x.split()[-1] for x in machine.asked] == ["g++", "opensta"]


def test_a_package_that_goes_missing_later_is_installed(machine):
    machine.finish().lacks("sta").apt(user=0, has="g++").set_up()
    machine.lacks("g++").set_up()
    assert [x.split()[-1] for x in machine.asked] == ["g++"]


def test_lists_that_cannot_be_fetched(machine):
    """Nothing is claimed of the release."""
    machine.finish().lacks("sta").apt(user=0, has="nothing", update=100)
    program(machine.programs / "apt-cache")
    done = machine.set_up()
    assert done.returncode == 0
    assert "apt-get update failed" in done.stdout
    assert "has no package" not in done.stdout


@pytest.mark.parametrize("sudo", [False, True])
def test_without_root(machine, sudo):
    """The set-up goes on, and names the command for whoever has the rights."""
    machine.finish().lacks("g++", "iverilog").apt(user=1000)
    if sudo:
        program(machine.programs / "sudo", "#!/bin/sh\nexit 1\n")
    done = machine.set_up()
    assert (done.returncode, done.stderr, machine.asked) == (0, "", [])
    install = "apt-get update && apt-get install --yes --no-install-recommends g++"
    assert f"install them with:  {'sudo sh' if sudo else 'su -'} " in done.stdout
    assert f"'{install}'" in done.stdout
    assert "set-up: not installed: g++ iverilog\n" in done.stdout
    assert "g++ (GCC's compiler for C++) is for: sim, " in done.stdout
    assert "; without it: sim and run with --level fl" in done.stdout
    assert "iverilog is for: verilog --testbench" in done.stdout


def test_a_compiler_without_root(machine):
    """Where there is no C++ compiler, pip has one; later runs find it."""
    machine.finish().lacks("g++").apt(user=1000)
    python = machine.environment / "bin/python"
    place = machine.environment / f"lib/python3.{sys.version_info.minor}/site-packages/ziglang"
    told = 'case "$*" in *requirements-compiler.txt) touch "$0.asked"; mkdir -p {0} && touch {0}/'
    pip = f"{told}__init__.py; exit;; esac\n".format(place)
    python.write_text(python.read_text().replace("\n", f"\n{pip}", 1))
    done = machine.set_up()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "set-up: no C++ compiler: installing the Python package ziglang\n"
    assert python.with_name("python.asked").exists()
    assert machine.set_up().stdout == ""


@pytest.mark.parametrize("other", ["clang++", "g++"])
def test_a_compiler_that_is_there(machine, other):
    machine.finish().lacks("g++").apt(user=1000)
    program(machine.programs / other)
    assert machine.set_up().stdout == ""


def test_fedora_and_other_systems(machine):
    machine.finish().lacks("g++")
    program(machine.programs / "dnf")
    told = machine.set_up().stdout
    assert "Fedora's:  dnf install gcc-c++ " in told
    assert "docker build --tag rsaxcel ." in told
    machine.kernel("Darwin")
    done = machine.set_up()
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("set-up: Darwin is not Linux: install Docker, and: docker build ")


def test_a_package_that_is_unpacked(machine):
    """Its folder of documents may be a link into another package."""
    machine.finish().lacks("iverilog").apt(user=1000)
    link = 'mkdir -p "$3/usr/share/doc" && ln -s ivl "$3/usr/share/doc/iverilog"'
    program(machine.programs / "dpkg-deb", f"#!/bin/sh\n{link}\n")
    done = machine.set_up()
    assert (done.returncode, done.stdout) == (0, "")
    assert (machine.environment / "debian/usr/share/doc/iverilog").is_symlink()


def test_where_there_is_no_apt(machine):
    done = machine.finish().lacks("riscv64-unknown-elf-gcc").set_up()
    assert done.returncode == 0
    assert "there is no apt-get here" in done.stdout
    assert "gcc-riscv64-unknown-elf (GCC for RISC-V without an operating system) is for: " in (
        done.stdout
    )


@pytest.mark.parametrize("answer", ["No\n", "\x04"])
def test_no_at_a_terminal(machine, answer):
    done = machine.finish().lacks("g++").apt(user=0).set_up(answer=answer)
    assert (done.returncode, machine.asked) == (0, [])
    assert "the answer was no" in done.stdout


@pytest.mark.parametrize("answer", ["\n", "y\n"])
def test_yes_at_a_terminal(machine, answer):
    done = machine.finish().lacks("g++").apt(user=0).set_up(answer=answer)
    assert (done.returncode, len(machine.asked)) == (0, 1)
    assert "not installed" not in done.stdout


@pytest.mark.parametrize(("option", "variables"), [(["--yes"], {}), ([], {"CI": "true"})])
def test_nothing_is_asked(machine, option, variables):
    """The answer would be no."""
    machine.finish().lacks("g++").apt(user=0).set_up(*option, answer="n\n", **variables)
    assert len(machine.asked) == 1


@pytest.mark.parametrize("fault", ["hash", "source"])
@pytest.mark.slow
def test_a_package_that_is_not_the_locked_one(machine, tmp_path, fault):
    """A wheel of another content, and a source package, whose build tools nothing would check."""
    store = tmp_path / "store"
    store.mkdir()
    package = store / ("tiny-1.0.tar.gz" if fault == "source" else "tiny-1.0-py3-none-any.whl")
    package.write_bytes(b"no archive")
    digest = sha256(b"another" if fault == "hash" else b"no archive").hexdigest()
    (machine.checkout / "requirements.txt").write_text(f"tiny==1.0 --hash=sha256:{digest}\n")
    variables = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(store), "PYTHON": sys._base_executable}
    done = machine.set_up(**variables)
    assert done.returncode == 1
    told = {"hash": "DO NOT MATCH THE HASHES", "source": "No matching distribution found"}
    assert told[fault] in done.stderr
    assert not (machine.environment / ".rsaxcel-installed").exists()
    assert os.listdir(store) == [package.name]
