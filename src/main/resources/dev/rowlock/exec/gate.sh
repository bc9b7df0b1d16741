# Read by a command's own shell, before anything of the command, through BASH_ENV; it lies on the shell's standard input, so that it
# cannot be missing. Built-ins only. Leaves no trace but /dev/null as standard input.
builtin read -r ROWLOCK_GATE </proc/uptime &&
  ROWLOCK_GATE=${ROWLOCK_GATE%% *} &&
  ((10#${ROWLOCK_GATE/./}0 < ROWLOCK_GATE_DEADLINE)) &&
  exec </dev/null || {
  builtin printf 'rowlock: too late, nothing of %s was run\n' "$ROWLOCK_LAUNCH_ID"
  builtin exit 113
}
unset -v BASH_ENV ROWLOCK_GATE ROWLOCK_GATE_DEADLINE
: "$BASH"
