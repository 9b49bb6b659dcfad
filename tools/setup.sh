#!/usr/bin/env bash
# Installs missing parts: Debian packages, the virtual environment .venv, pinned Python packages. If
# nothing is missing, it ends quickly. The variable PYTHON selects the Python for .venv. An argument
# names an extra of setup.py to install as well.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# User settings could change the place of the packages, or make pip find other ones.
unset PYTHONPATH PYTHONHOME PIP_TARGET PIP_PREFIX
export PIP_USER=0

venv=.venv
stamp=$venv/.rsaxcel-installed   # what was installed, and where
partial=$venv/.rsaxcel-partial   # there while pip works: an interrupted pip leaves half packages

say() { echo "set-up: $*"; }
die() { echo "set-up: $*" >&2; exit 1; }

# Prints the first Python that can make the environment. A Python inside a virtual environment
# cannot, because that environment may be the one to replace.
find_python() {
  local candidate
  while read -r candidate; do
    if "$candidate" -c 'import sys, ctypes, ensurepip, ssl, venv
sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12) or sys.prefix != sys.base_prefix)' \
        2>/dev/null </dev/null; then
      echo "$candidate"
      return
    fi
  done < <(if [[ -n ${PYTHON:-} ]]; then type -P "$PYTHON"; else
    echo /usr/bin/python3; type -aP python3 python3.11 python3.12; fi)
  return 1
}

missing_packages() {
  type -P g++ >/dev/null || echo g++                            # compiles simulators
  perl -MPod::Usage -MGetopt::Long -e1 2>/dev/null || echo perl # Verilator's front end
  type -P sta >/dev/null || echo opensta                        # timing analysis
  type -P riscv64-unknown-elf-gcc >/dev/null || echo gcc-riscv64-unknown-elf # processor's programs
  [[ -x $venv/bin/python || -n ${PYTHON:-} ]] || find_python >/dev/null || echo python3-venv
}

system_packages() {
  local packages run=()
  packages=$(missing_packages | paste -sd ' ')
  [[ -n $packages ]] || return 0
  type -P apt-get >/dev/null || die "missing: $packages (Debian's names; there is no apt-get here)"
  local command="apt-get update && apt-get install --yes --no-install-recommends $packages"
  if ((EUID)); then
    if ! type -P sudo >/dev/null; then
      die "Debian packages are missing. Run this, then make again:  su - -c '$command'"
    elif ! sudo -n true 2>/dev/null; then
      die "Debian packages are missing. Run this, then make again:  sudo sh -c '$command'"
    fi
    run=(sudo -n)
  fi
  say "installing Debian packages: $packages"
  run+=(env DEBIAN_FRONTEND=noninteractive)
  local apt=("${run[@]}" apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300
    -o Acquire::Retries=3)
  "${run[@]}" dpkg --configure -a >/dev/null   # after an interrupted installation
  "${apt[@]}" update </dev/null || say "some package lists did not update; trying all the same"
  # shellcheck disable=SC2086
  "${apt[@]}" install --yes --no-install-recommends $packages </dev/null >/dev/null
  packages=$(missing_packages | paste -sd ' ')
  [[ -z $packages ]] || die "still missing after apt-get install: $packages"
}

# Scripts of Python packages contain the environment's path in double quotes of the shell. If the
# path is a link, the environment belongs to another checkout, whose packages would be replaced.
usable_place() {
  [[ ! -L $venv ]] ||
    die "$PWD/$venv is a link, to $(readlink "$venv"): each checkout needs its own; remove the link"
  [[ $PWD != *[:\"\\\$\`]* ]] ||
    die "$PWD: a Python environment cannot work in a folder with : \" \\ \$ or \` in its path"
}

# Content of an up-to-date stamp: place and Python, then a digest of the requirements.
wanted() {
  echo "$PWD $("$venv/bin/python" --version 2>&1)"
  cat setup.py constraints.txt | sha256sum
}

usable() {
  [[ ! -e $partial ]] && "$venv/bin/python" -m pip --version >/dev/null 2>&1 &&
    { [[ ! -e $stamp ]] || [[ $(head -n 1 "$stamp") == "$(wanted | head -n 1)" ]]; }
}

python_packages() {
  local python pip=("$venv/bin/python" -m pip --disable-pip-version-check --no-input)
  local install=(install -c constraints.txt -e '.[test,lint]')
  [[ -t 1 ]] || install+=(--quiet)
  if usable; then
    # A trial run first: if the network or a pinned version is missing, the environment stays
    # unchanged.
    "${pip[@]}" "${install[@]}" --quiet --dry-run >/dev/null
  else
    python=$(find_python) || die "${PYTHON:-no python3 on PATH} is not" \
      "Python 3.11 or 3.12 with ssl and venv: name one with make PYTHON=/path/to/python3"
    say "making .venv with $python"
    "$python" -m venv --clear "$venv" ||
      die "cannot write $PWD/$venv: clone to a folder of your own"
  fi
  say "installing Python packages into .venv (a minute or two)"
  touch "$partial" && rm -f "$stamp"
  "${pip[@]}" "${install[@]}"
  hold_interrupts "$venv/bin/rsaxcel"
  # Without stored bytecode (PYTHONDONTWRITEBYTECODE), every command would compile all packages.
  "$venv/bin/python" -m compileall -q store fl cl rtl catalog proc sim flow eval rsaxcel || true
  wanted >"$stamp"
  rm -f "$partial"
}

# Python packages that only one target of make needs; $1 is the extra of setup.py.
extra_packages() {
  local stamp=$venv/.rsaxcel-extra-$1 quiet=()
  [[ ! -e $stamp || $(<"$stamp") != "$(wanted)" ]] || return 0
  [[ -t 1 ]] || quiet=(--quiet)
  say "installing Python packages for $1"
  rm -f "$stamp"
  "$venv/bin/python" -m pip --disable-pip-version-check --no-input install "${quiet[@]}" \
    -c constraints.txt -e ".[$1]"
  hold_interrupts "$venv/bin/rsaxcel"
  wanted >"$stamp"
}

# Makes the kernel hold Ctrl-C back until a command handles it; otherwise Python, while it starts,
# would end with a traceback. Scripts of pip have one of two heads.
hold_interrupts() {
  env --block-signal=INT true 2>/dev/null || return 0
  sed -i -e "1s|^#!\(/[^ ]*python[^ ]*\)\$|#!/usr/bin/env -S --block-signal=INT \1|" \
    -e "2s|^'''exec' \"|'''exec' env --block-signal=INT \"|" "$1"
}

# Unpacks a Debian package beside the Python packages, without root; $2 is the purpose.
unpack() {
  local package=$1 folder
  folder=$(mktemp -d)
  if (cd "$folder" && { apt-get -qq download "$package" ||
      { ((EUID == 0)) && apt-get -qq update && apt-get -qq download "$package"; }; } &&
      dpkg-deb -x "$package"_*.deb unpacked) >/dev/null 2>&1; then
    mkdir -p "$venv/debian" && cp -a "$folder/unpacked/." "$venv/debian/"
  else
    say "no $package: for $2, install it (apt-get install $package)"
  fi
  rm -rf "$folder"
}

# Library of 180 nm cells: only data, but Debian's package depends on a whole tool chain.
library_cells() {
  local cells=usr/share/qflow/tech/osu018/osu018_stdcells.lib
  [[ -e /$cells || -e $venv/debian/$cells ]] || unpack qflow-tech-osu018 "--library osu018"
}

# Python as a shared library, for the simulator that runs cocotb.
shared_python() {
  local name found
  name=lib$(basename "$venv"/lib/python3.*)
  # Try the file name first: asking Python takes as long as the rest of a run with nothing to do.
  for found in {,"$venv"/debian}/usr/lib/*/"$name".so*; do
    [[ ! -e $found ]] || return 0
  done
  [[ -n $("$venv/bin/python" -m find_libpython 2>/dev/null) ]] || unpack "$name" "tests with cocotb"
}

# A second simulator for the output of `rsaxcel verilog`.
icarus() {
  type -P iverilog >/dev/null || [[ -x $venv/debian/usr/bin/iverilog ]] ||
    unpack iverilog "tests of rsaxcel verilog with Icarus"
}

# Only one run at a time; on a file system without locks, there is no such limit.
exec 9<tools/setup.sh
flock 9 || true
usable_place
system_packages
if [[ -e $partial || ! -e $stamp || $(<"$stamp") != "$(wanted)" ]]; then
  python_packages
  say "done"
fi
library_cells
shared_python
icarus
[[ -z ${1:-} ]] || extra_packages "$1"
