# Read by a command's own shell, before anything of the command, through BASH_ENV; it lies on the shell's standard input, so that it
# cannot be missing, and the daemon sees by that whether the shell has passed. Built-ins only. Goes to the working directory: if that
# hangs, nobody else waits, and the deadline is looked at afterwards. Leaves no other trace but /dev/null as standard input.
ROWLOCK_GATE_REFUSAL='too late'
if [[ -z $ROWLOCK_GATE_WORKDIR ]]; then
  builtin cd -P -- "$ROWLOCK_GATE_HOME" 2>/dev/null || {
    [[ $HOME != "$ROWLOCK_GATE_HOME" ]] || HOME=/
    builtin cd /
  }
elif ! builtin cd -P -- "$ROWLOCK_GATE_WORKDIR" 2>/dev/null; then
  if [[ -d $ROWLOCK_GATE_WORKDIR ]]; then
    ROWLOCK_GATE_REFUSAL='closed'
  elif [[ -e $ROWLOCK_GATE_WORKDIR ]]; then
    ROWLOCK_GATE_REFUSAL='no directory'
  else
    ROWLOCK_GATE_REFUSAL='missing'
  fi
fi
[[ $ROWLOCK_GATE_REFUSAL == 'too late' ]] &&
  builtin read -r ROWLOCK_GATE </proc/uptime &&
  ROWLOCK_GATE=${ROWLOCK_GATE%% *} &&
  ((10#${ROWLOCK_GATE/./}0 < ROWLOCK_GATE_DEADLINE)) &&
  exec </dev/null || {
  # Where this cannot be said, for want of an output file or of room in it, the shell waits here to be found, and killed.
  [[ -z $ROWLOCK_GATE_MUTE ]] &&
    builtin printf 'rowlock: nothing of %s was run: %s\n' "$ROWLOCK_LAUNCH_ID" "$ROWLOCK_GATE_REFUSAL" 2>/dev/null &&
    builtin exit 113
  while :; do builtin kill -STOP $$; done
}
unset -v BASH_ENV OLDPWD "${!ROWLOCK_GATE@}"
declare -x OLDPWD
: "$BASH"
