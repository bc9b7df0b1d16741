# Completes rowlock in bash: source <(rowlock completion bash), or a file in /etc/bash_completion.d

@TABLES@
_rowlock() {
  local word=${COMP_WORDS[COMP_CWORD]} found
  _rowlock_place "${COMP_WORDS[@]:1:COMP_CWORD-1}"
  found=$(_rowlock_candidates "${COMP_WORDS[0]}" "$word")
  COMPREPLY=()
  if [ "$found" = files ]; then
    compopt -o default 2>/dev/null
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$found" -- "$word")
  if [ "${#COMPREPLY[@]}" = 1 ] && [[ ${COMPREPLY[0]} = */ ]]; then compopt -o nospace 2>/dev/null; fi
}

complete -F _rowlock rowlock
