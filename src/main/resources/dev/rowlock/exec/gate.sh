# Read by a command's own shell, before the command, through BASH_ENV. It is the shell's standard input, so it cannot be
# missing, and the daemon sees by it whether the shell has passed. Built-ins only. Goes to the working directory, where
# nobody else waits if that hangs, and then looks at the deadline. Leaves no trace but standard input: the job's text, or
# /dev/null.
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
  if [[ -z $ROWLOCK_GATE_STDIN ]]; then exec </dev/null; else exec <&"$ROWLOCK_GATE_STDIN"-; fi || {
  builtin printf 'rowlock %s: nothing was run: %s\n' "$ROWLOCK_GATE_WORD" "$ROWLOCK_GATE_REFUSAL"
  builtin exit 113
}
[[ -z $ROWLOCK_GATE_OPEN_FILES ]] || builtin ulimit -S -n "$ROWLOCK_GATE_OPEN_FILES" 2>/dev/null
unset -v BASH_ENV OLDPWD "${!ROWLOCK_GATE@}"
declare -x OLDPWD
: "$BASH"
