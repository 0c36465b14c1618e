# shellcheck shell=bash
# Sourced by tests/demo and tests/all: time-stamped lines, and Debian packages that are lacking.

say() {
  printf '%s  %s\n' "$(date +%H:%M:%S)" "$*"
}

die() {
  say "error: $*" >&2
  exit 1
}

# shellcheck disable=SC2034
readonly build_packages=(
  g++ cmake ninja-build
  libcli11-dev nlohmann-json3-dev libspdlog-dev libfmt-dev libsodium-dev zlib1g-dev libzstd-dev libgtest-dev libgmock-dev
)
# shellcheck disable=SC2034
readonly test_packages=(
  slurm-wlm munge python3 python3-jsonschema libxml2-utils rsync
  clang-format
)

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "not root and no sudo here; as root run: apt-get install ${lacking[*]}"
  fi
}

# install_packages NAME…: installs what is not there yet, and nothing else.
install_packages() {
  local package
  lacking=()
  command -v dpkg-query >/dev/null ||
    die "this is no Debian; install what CMakeLists.txt looks for by hand and build with cmake"
  for package in "$@"; do
    [[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] ||
      lacking+=("$package")
  done
  if ((${#lacking[@]} == 0)); then
    say "every package that is needed is installed"
    return
  fi
  say "installing ${lacking[*]}"
  local log
  log=$(mktemp)
  if ! {
    as_root apt-get -qq update &&
      as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install --yes --no-install-recommends "${lacking[@]}"
  } </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    die "apt-get failed, see above"
  fi
  rm -f "$log"
}

# configure FOLDER OPTION…: one build folder; quiet unless it fails.
configure() {
  local folder=$1
  shift
  mkdir -p "$folder"
  if ! cmake -S "$root" -B "$folder" -G Ninja "$@" </dev/null >"$folder/configure.log" 2>&1; then
    cat "$folder/configure.log" >&2
    die "cmake failed in $folder"
  fi
}

# Shows ten lines of ninja's progress at most, as they come.
show_steps() {
  local line shown=0
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    if ((BASH_REMATCH[1] * 10 >= BASH_REMATCH[2] * (shown + 1))); then
      shown=$((BASH_REMATCH[1] * 10 / BASH_REMATCH[2]))
      say "  step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    fi
  done
}

# build FOLDER TARGET…: the compiler's words are shown only when it fails.
build() {
  local folder=$1 log=$1/build.log
  shift
  say "building ${folder#"$root"/} with $jobs jobs"
  if ! NINJA_STATUS='[%f/%t] ' ninja -C "$folder" -j"$jobs" "$@" </dev/null 2>&1 |
    tee "$log" | show_steps; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Re-running)' "$log" | tail -n 60 >&2
    die "the build failed in $folder"
  fi
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
jobs=$(nproc)
