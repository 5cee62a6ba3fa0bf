# Shared by the launch scripts: finds Python and a compiler, makes the virtual environment,
# installs the project when its sources have changed. Source it from the clone's root.

fail() {
  echo "mpisog: $*" >&2
  exit 3
}

find_python() {
  local candidate
  for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  fail "Python 3.11 or newer is missing (Debian: apt-get install python3 python3-venv)"
}

require_compiler() {
  local candidate
  for candidate in ${CXX:-} c++ g++ clang++; do
    command -v "$candidate" >/dev/null && return
  done
  fail "a C++20 compiler is missing (Debian: apt-get install g++)"
}

# Sets `venv`: the active virtual environment, or .venv in the clone, made if need be.
enter_venv() {
  local python
  if [ -n "${VIRTUAL_ENV:-}" ]; then
    venv=$VIRTUAL_ENV
    return
  fi
  venv=$PWD/.venv
  if [ ! -x "$venv/bin/python" ]; then
    python=$(find_python) || exit 3
    "$python" -m venv "$venv" ||
      fail "cannot make a virtual environment (Debian: apt-get install python3-venv)"
  fi
}

# What an installation depends on; Python files are used in place.
source_digest() {
  find pyproject.toml CMakeLists.txt native -type f | LC_ALL=C sort | xargs cat | cksum
}

# install EXTRAS [pip options]: skipped when the same sources are installed with these extras.
install() {
  local extras=$1 stamp digest
  shift
  stamp=$venv/.mpisog-installed-$extras
  digest="$PWD $(source_digest)"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$digest" ]; then
    return
  fi
  require_compiler
  echo "installing mpisog into $venv (a minute or two the first time) ..." >&2
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    --editable ".[$extras]" "$@" || fail "the installation failed, see above"
  echo "$digest" >"$stamp"
}

# offer WHAT PACKAGE...: Debian's packages for a test, where they can be installed. Without them that
# test is skipped.
offer() {
  local what=$1
  shift
  dpkg --status "$@" >/dev/null 2>&1 && return
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    return
  fi
  echo "installing $* for the test with $what ..." >&2
  local get=(timeout 300 env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  local add=(install --yes --no-install-recommends "$@")
  "${get[@]}" "${add[@]}" >/dev/null 2>&1 ||
    { "${get[@]}" update && "${get[@]}" "${add[@]}"; } >/dev/null 2>&1 ||
    echo "they cannot be installed, the test will be skipped" >&2
}
