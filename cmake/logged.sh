#!/bin/sh
# logged.sh FILE COMMAND...: runs the command with its output in FILE, and shows it only if the command fails.
log=$1
shift
"$@" >"$log" 2>&1 && exit 0
status=$?
cat "$log" >&2
exit $status
