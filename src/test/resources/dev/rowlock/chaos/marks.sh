# Sourced by every command of a run: what a command says of itself, past Rowlock and its database. One short line for each mark,
# appended by a single write. No process is started for it.
exec {chaos_never}<>"$CHAOS/never" # nothing ever comes from here: a place to wait without a process

mark() { # KIND [EXIT CODE]
  local up line=${ROWLOCK_SCHEDULE// /_}
  read -r up _ </proc/uptime
  printf '%s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s\n' "$1" "$ROWLOCK_JOB" "$ROWLOCK_FIRE_TIME" "$ROWLOCK_ATTEMPT" "$ROWLOCK_CAUSE" \
    "$ROWLOCK_NODE" "$ROWLOCK_SESSION" "$ROWLOCK_LAUNCH_ID" "$ROWLOCK_TASK_ID" "$up" "$BASHPID" "${2:--}" \
    "${CHAOS_RUN:--}" "${CHAOS_EDITION:--}" "${CHAOS_LINE:--}" "${line:--}" >>"$CHAOS/marks.log"
}

pass() { # HALF SECONDS: goes by, with a mark for each
  local i
  for ((i = 0; i < $1; i++)); do
    read -r -t 0.5 -u "$chaos_never"
    mark TICK
  done
}

finish() { # EXIT CODE
  local code=$1
  if [[ -n ${CHAOS_DECLINES:-} ]] && ((RANDOM % 3 == 0)); then
    code=75
  fi
  mark END "$code"
  exit "$code"
}
