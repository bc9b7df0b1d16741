# Read by a first shell, as bash -c, of commands that are to run as somebody else, under limits, or with text on standard
# input. Gives them that and becomes the command's own shell, which comes to the gate as the user that it will be. Its
# arguments are that shell's line. Standard input is the gate's text until then, so a user database or a disk that hangs
# is seen like a working directory that does. Programs are named by their paths: PATH is the job's.
builtin set -f
ROWLOCK_GATE_refuse() { # $1: a word, and after a colon what it is about
  builtin printf 'rowlock %s: nothing was run: %.300s\n' "$ROWLOCK_GATE_WORD" "${1//$'\n'/ }"
  builtin exit 113
}
ROWLOCK_GATE_line=()

if [[ -n $ROWLOCK_GATE_NICE ]]; then
  builtin read -r ROWLOCK_GATE_stat <"/proc/$$/stat"
  ROWLOCK_GATE_stat=(${ROWLOCK_GATE_stat##*) })
  ROWLOCK_GATE_line+=("$ROWLOCK_GATE_NICE_PROGRAM" -n $((ROWLOCK_GATE_NICE - ROWLOCK_GATE_stat[16])))
fi

if [[ -n $ROWLOCK_GATE_USER ]]; then
  ROWLOCK_GATE_groups=--init-groups
  if ROWLOCK_GATE_entry=$("$ROWLOCK_GATE_GETENT" passwd "$ROWLOCK_GATE_USER" 2>/dev/null); then
    IFS=: && ROWLOCK_GATE_entry=($ROWLOCK_GATE_entry) && IFS=$' \t\n'
    ROWLOCK_GATE_name=${ROWLOCK_GATE_entry[0]} ROWLOCK_GATE_uid=${ROWLOCK_GATE_entry[2]}
    ROWLOCK_GATE_gid=${ROWLOCK_GATE_entry[3]} ROWLOCK_GATE_HOME=${ROWLOCK_GATE_entry[5]}
  elif [[ $ROWLOCK_GATE_USER =~ ^[0-9]+$ ]]; then # nobody's: it needs no name to run
    ROWLOCK_GATE_name=$ROWLOCK_GATE_USER ROWLOCK_GATE_uid=$ROWLOCK_GATE_USER ROWLOCK_GATE_gid=$ROWLOCK_GATE_USER
    ROWLOCK_GATE_HOME=/ ROWLOCK_GATE_groups=--clear-groups
  else
    ROWLOCK_GATE_refuse 'no such user'
  fi
  [[ $ROWLOCK_GATE_HOME == /* ]] || ROWLOCK_GATE_HOME=/
  for ROWLOCK_GATE_variable in $ROWLOCK_GATE_NAMES; do
    case $ROWLOCK_GATE_variable in
      HOME) builtin export HOME=$ROWLOCK_GATE_HOME ;;
      *) builtin export "$ROWLOCK_GATE_variable=$ROWLOCK_GATE_name" ;;
    esac
  done
  ROWLOCK_GATE_files=("/proc/$$/fd/1") # its own pipe, so that it can open it again
  [[ -n $ROWLOCK_GATE_TEXT ]] && ROWLOCK_GATE_files+=("$ROWLOCK_GATE_TEXT")
  ROWLOCK_GATE_said=$("$ROWLOCK_GATE_CHOWN" "$ROWLOCK_GATE_uid:$ROWLOCK_GATE_gid" "${ROWLOCK_GATE_files[@]}" 2>&1) ||
    ROWLOCK_GATE_refuse "cannot: $ROWLOCK_GATE_said"
  ROWLOCK_GATE_line+=("$ROWLOCK_GATE_SETPRIV" --reuid "$ROWLOCK_GATE_uid" --regid "$ROWLOCK_GATE_gid"
    "$ROWLOCK_GATE_groups" --)
fi

if [[ -n $ROWLOCK_GATE_TEXT ]]; then
  builtin exec {ROWLOCK_GATE_STDIN}<"$ROWLOCK_GATE_TEXT" || ROWLOCK_GATE_refuse 'cannot: its stdin cannot be read'
  "$ROWLOCK_GATE_RM" -f "$ROWLOCK_GATE_TEXT" 2>/dev/null
  builtin export ROWLOCK_GATE_STDIN
fi

[[ -z $ROWLOCK_GATE_CGROUP ]] || { builtin printf '%s' $$ >"$ROWLOCK_GATE_CGROUP/cgroup.procs"; } 2>/dev/null ||
  ROWLOCK_GATE_refuse "cannot: it cannot be moved to the control group $ROWLOCK_GATE_CGROUP"
[[ -z $ROWLOCK_GATE_UMASK ]] || builtin umask "$ROWLOCK_GATE_UMASK"
ROWLOCK_GATE_limit() { # $1: the field, $2...: for ulimit
  builtin ulimit "${@:2}" 2>/dev/null || ROWLOCK_GATE_refuse "cannot: limits.$1 is more than this node may allow"
}
[[ -z $ROWLOCK_GATE_FILES ]] || ROWLOCK_GATE_limit openFiles -n "$ROWLOCK_GATE_FILES"
[[ -z $ROWLOCK_GATE_PROCESSES ]] || ROWLOCK_GATE_limit processes -u "$ROWLOCK_GATE_PROCESSES"
if [[ -n $ROWLOCK_GATE_SECONDS ]]; then # at the first it is told to end, and a moment later it is killed
  ROWLOCK_GATE_limit cpuTime -S -t "$ROWLOCK_GATE_SECONDS"
  ROWLOCK_GATE_limit cpuTime -H -t $((ROWLOCK_GATE_SECONDS + 5))
fi
[[ -z $ROWLOCK_GATE_KIB ]] || ROWLOCK_GATE_limit memory -v "$ROWLOCK_GATE_KIB"

# A rehearsal: from then on, nothing of this can be told from what the command says. The gate must not be skipped. It has
# no environment: whatever is said is a refusal (nice only says it), and not that there is no such locale.
if ((${#ROWLOCK_GATE_line[@]})); then
  ROWLOCK_GATE_said=$(builtin exec -c "${ROWLOCK_GATE_line[@]}" "$BASH" -c 'exec </proc/self/fd/0' 2>&1) &&
    [[ -z $ROWLOCK_GATE_said ]] || ROWLOCK_GATE_refuse "cannot: $ROWLOCK_GATE_said"
fi
builtin export BASH_ENV=/proc/self/fd/0 ROWLOCK_GATE_HOME
builtin exec "${ROWLOCK_GATE_line[@]}" "$@"
