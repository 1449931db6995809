# pip of the environment, with its log kept and a failure told in one sentence.
# Sourced by .ci/setup, which sets `venv`.

fail() {
    printf 'okso-jupyter: %s\n' "$1" >&2
    exit 1
}

# Runs the environment's pip; all that it says goes to standard output.
pip() {
    "$venv/bin/python" -m pip --disable-pip-version-check "$@" 2>&1
}

# The reason of a failure, out of pip's log, or the sentence that is given for all others.
reason() {
    local log=$1 otherwise=$2 missing
    missing=$(sed -n 's/^ERROR: No matching distribution found for \([^ ]*\).*/\1/p' "$log" | tail -n 1)
    if grep -q 'No space left on device' "$log"; then
        echo "the disk is full; free some space (or name a folder with more in TMPDIR), then run this again."
    elif grep -qE 'NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ConnectionReset|ProxyError' "$log"; then
        echo "the package index cannot be reached; run this again when it can. What is there already is kept."
    elif [ -n "$missing" ]; then
        echo "$missing has nothing ready for $("$venv/bin/python" -VV | cut -d ' ' -f 1,2) on $(uname -sm), if the package index could be reached; where it could, take another Python (make PYTHON=/path/to/python3.12) or another machine, else run this again."
    else
        echo "$otherwise"
    fi
}

# Fails with the end of a log and the reason in one sentence.
fail_with_log() {
    tail -n 25 "$1" >&2
    fail "$(reason "$1" "$2 The whole log: $1")"
}
