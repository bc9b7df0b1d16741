# The guard: kills every process of a session whose daemon can no longer vouch for it. Built-ins only: it must work when
# nothing can be started. The daemon writes lines to its standard input:
#   session ID DEADLINE   the session to guard from now on, or its later deadline; one named before is killed
# and gets a line back for each: "ok ID", or "condemned ID" if that session's deadline had passed; and "expired ID" when
# it passes. DEADLINE is in milliseconds of /proc/uptime. End of file means that the daemon is dead.
trap '' HUP INT QUIT TERM PIPE ALRM USR1 USR2
builtin printf -- '-900' >/proc/self/oom_score_adj
exec {never}<> <(:) # nothing ever comes from here: a place to wait without a process

session='' deadline=0 daemon_lives=1 begun=''
declare -A condemned=() # session id → how many sweeps in a row have found nothing

# Puts parent and process session of process $1 into ppid and sid; false if it is gone.
ids_of() {
  local line fields
  IFS= read -r -d '' line <"/proc/$1/stat"
  line=${line##*) }
  read -r -a fields <<<"$line"
  ppid=${fields[1]} sid=${fields[3]}
  [[ -n $sid ]]
}
ids_of $PPID && daemon_sid=$sid

carries_condemned() { # $1: process id
  local entries entry id
  mapfile -d '' -t entries <"/proc/$1/environ" || return 1
  for entry in "${entries[@]}"; do
    [[ $entry == ROWLOCK_SESSION=* ]] || continue
    for id in "${!condemned[@]}"; do
      [[ $entry == "ROWLOCK_SESSION=$id" ]] && return 0
    done
  done
  return 1
}

# Adds to victims what hides its environment: whoever shares a process session with a victim, or descends from one.
add_kin() {
  local pid grown=1
  local -A parents=() sids=() doomed_sids=()
  for pid in /proc/[1-9]*; do
    pid=${pid#/proc/}
    ids_of "$pid" && parents[$pid]=$ppid sids[$pid]=$sid
  done
  while ((grown)); do
    grown=0
    for pid in "${!victims[@]}"; do
      [[ -n ${sids[$pid]} && ${sids[$pid]} != "$daemon_sid" && ${sids[$pid]} != 0 ]] && doomed_sids[${sids[$pid]}]=1
    done
    for pid in "${!parents[@]}"; do
      [[ -z ${victims[$pid]} && $pid != "$$" && $pid != 1 ]] || continue
      if [[ -n ${victims[${parents[$pid]}]} || -n ${doomed_sids[${sids[$pid]}]} ]]; then
        victims[$pid]=1 grown=1
      fi
    done
  done
}

sweep() {
  local pid id
  local -A victims=()
  for pid in /proc/[1-9]*; do
    pid=${pid#/proc/}
    [[ $pid != "$$" ]] && carries_condemned "$pid" && victims[$pid]=1
  done
  if ((${#victims[@]})); then
    add_kin
    unset "victims[$$]" "victims[1]"
    kill -STOP "${!victims[@]}" # or a shell whose child is killed first goes on with its next line
    kill -KILL "${!victims[@]}"
    for id in "${!condemned[@]}"; do condemned[$id]=0; done
    return
  fi
  for id in "${!condemned[@]}"; do
    condemned[$id]=$((condemned[$id] + 1))
    # The session of a living daemon is swept until the daemon names another: it may still start something.
    if ((condemned[$id] >= 3)) && { ((!daemon_lives)) || [[ $id != "$session" ]]; }; then
      unset "condemned[$id]"
    fi
  done
}

obey() { # a line from the daemon
  local word a b
  read -r word a b <<<"$1"
  case $word in
    session)
      if [[ $session != "$a" ]]; then
        [[ -n $session ]] && condemned[$session]=0
        session=$a deadline=$b
      elif [[ -z ${condemned[$session]} ]]; then
        deadline=$b
      fi
      ;;
  esac
  if [[ -n ${condemned[$session]} ]]; then echo "condemned $session"; else echo "ok $session"; fi
}

while :; do
  if ((daemon_lives)); then
    # All that waits is read before the session is judged: a guard that was held up must not judge by an old deadline.
    # The time may be over in the middle of a line: what was read of it is kept, or the daemon would not be understood.
    while IFS= read -r -t 0.2 line || { status=$? && false; }; do obey "$begun$line"; begun=''; done
    begun+=$line
    if ((status <= 128)); then # not a timeout: end of file
      daemon_lives=0
      [[ -n $session && -z ${condemned[$session]} ]] && condemned[$session]=0
    fi
  else
    read -r -t 0.2 -u "$never"
  fi
  read -r uptime </proc/uptime
  uptime=${uptime%% *}
  if ((daemon_lives)) && [[ -n $session && -z ${condemned[$session]} ]] && ((10#${uptime/./}0 >= deadline)); then
    condemned[$session]=0
    sweep
    echo "expired $session"
  elif ((${#condemned[@]})); then
    sweep
  fi
  ((!daemon_lives && !${#condemned[@]})) && exit 0
done
