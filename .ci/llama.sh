# llama-cpp-python, compiled without what is never used; its wheel is kept for the next environment.
# Sourced by .ci/setup, after .ci/pip.sh.

# LLAVA is for pictures; the rest that is left out stands in llama.cmake.
llama_options=-DLLAVA_BUILD=OFF
llama_include=$PWD/.ci/llama.cmake
# Upstream installs its libraries into two folders, each under three names; two names in one of
# the folders are loaded.
llama_leaves_out='lib/*;include/*;llama_cpp/lib/*.so.*.*'
# The sources, the objects and the wheel.
build_mb=800

# macOS has a c++ that only says that there is none, so something has to be compiled.
can_compile() {
    printf 'int main() {}\n' | "${CXX:-c++}" -x c++ -fsyntax-only - >/dev/null 2>&1
}

# All that a wheel depends on beside its version: it is compiled for this very processor.
build_key() {
    {
        "$venv/bin/python" -V
        uname -sm
        grep -m 1 -E '^(flags|Features)' /proc/cpuinfo || sysctl -n machdep.cpu.brand_string
        env | grep -E '^(CMAKE_|CC=|CXX=|CFLAGS=|CXXFLAGS=|LDFLAGS=)' | sort
        echo "$llama_options $llama_leaves_out"
        cat "$llama_include"
    } 2>/dev/null | cksum | tr ' ' '-'
}

# The requirement as pyproject.toml states it.
llama_requirement() {
    "$venv/bin/python" - <<'PYTHON'
import tomllib

with open("pyproject.toml", "rb") as file:
    needed = tomllib.load(file)["project"]["dependencies"]
print(*(name for name in needed if name.startswith("llama-cpp-python")))
PYTHON
}

# Removes what an interrupted copy or a bad disk left: pip would stumble over it for ever.
remove_broken_wheels() {
    local wheel
    for wheel in "$1"/*.whl; do
        "$venv/bin/python" -c \
            'import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip() is not None)' \
            "$wheel" 2>/dev/null || rm -f "$wheel"
    done
}

# Copies pip's log to a file and shows how much is compiled: Ninja counts files, make percents.
show_progress() {
    local log=$1 line percent shown=-1
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log" || true # the disk may be full, which pip says better
        [[ $line =~ ^\ *\[\ *([0-9]+)(/([0-9]+)|%)\] ]] || continue
        percent=$((BASH_REMATCH[1] * 100 / ${BASH_REMATCH[3]:-100}))
        if ((percent / 10 > shown)); then
            shown=$((percent / 10))
            echo "  llama.cpp: $percent % is compiled" >&2
        fi
    done
}

has_room() {
    local free
    free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
    [ "$free" -ge "$2" ]
}

# Says what is in the way of compiling; silent if a kept wheel makes that needless.
check_room() {
    local folder=${TMPDIR:-/tmp}
    ls "$1"/*.whl >/dev/null 2>&1 || has_room "$folder" "$build_mb" ||
        fail "compiling llama.cpp needs $build_mb MB in $folder; free them, or name another folder in TMPDIR."
}

# Puts a wheel into a folder: a kept one, a package index's, or a new one. pip chooses the version
# as it does for pyproject.toml, and a ready wheel before the source.
get_wheel() {
    local kept=$1 folder=$2 ready_only=()
    can_compile || ready_only=(--only-binary ":all:")
    # pip does not know how a wheel was built, so this one stays out of its cache; what the user
    # says in CMAKE_ARGS comes last and wins
    SKBUILD_WHEEL_EXCLUDE=$llama_leaves_out \
        CMAKE_ARGS="$llama_options '-DCMAKE_PROJECT_llama_cpp_INCLUDE=$llama_include' ${CMAKE_ARGS:-}" \
        pip wheel -v --no-deps --no-cache-dir ${ready_only[@]+"${ready_only[@]}"} \
        --find-links "$kept" --wheel-dir "$folder" "$(llama_requirement)"
}

# Prints the path of a wheel for this environment, which is kept from now on.
llama_wheel() {
    local kept log partial
    kept=${XDG_CACHE_HOME:-$HOME/.cache}/okso-jupyter/wheels/$(build_key)
    log=$kept/build.log
    partial=$kept/partial.$$
    mkdir -p "$kept" || fail "$kept cannot be made; name another folder in XDG_CACHE_HOME."
    rm -rf "$log" "$kept"/partial.*
    remove_broken_wheels "$kept"
    check_room "$kept"
    if ! get_wheel "$kept" "$partial" | show_progress "$log"; then
        can_compile ||
            fail "no C++ compiler works here; install one (Debian and Ubuntu: apt-get install g++; macOS: xcode-select --install), or name it in CXX."
        fail_with_log "$log" "llama.cpp could not be compiled; README.md names ways that need no compiler."
    fi
    mv -f "$partial"/*.whl "$kept" || fail "the wheel cannot be kept in $kept."
    rm -rf "$partial"
    # the newest, where several versions are kept
    ls -t "$kept"/*.whl | head -n 1
}
