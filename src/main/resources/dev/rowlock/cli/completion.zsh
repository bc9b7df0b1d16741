#compdef rowlock
# Completes rowlock in zsh: source <(rowlock completion zsh) after compinit, or as _rowlock in a directory of $fpath

@TABLES@
_rowlock() {
  local found
  _rowlock_place "${(@)words[2,CURRENT-1]}"
  found=$(_rowlock_candidates "${words[1]}" "${words[CURRENT]}")
  if [ "$found" = files ]; then
    _files
    return
  fi
  compadd -S '' -- ${(M)${(f)found}:#*/}
  compadd -- ${${(f)found}:#*/}
}

if [ "${funcstack[1]}" = _rowlock ]; then _rowlock "$@"; else compdef _rowlock rowlock; fi
