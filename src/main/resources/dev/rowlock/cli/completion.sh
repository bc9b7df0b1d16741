# Where the words that are typed already lead: _rowlock_at is the command, _rowlock_option an option that lacks a value.
_rowlock_place() {
  local word
  _rowlock_at='' _rowlock_option=''
  for word in "$@"; do
    if [ -n "$_rowlock_option" ]; then
      _rowlock_option=''
      continue
    fi
    case $word in
      -*=*) ;;
      -*) if [ -n "$(_rowlock_kind "$_rowlock_at" "$word")" ]; then _rowlock_option=$word; fi ;;
      *) if _rowlock_words "$_rowlock_at" | grep -qxF -e "$word"; then
           _rowlock_at=${_rowlock_at:+$_rowlock_at }$word
         fi ;;
    esac
  done
}

# What may stand there, one a line. $1: the program; $2: what is typed of it; "files" alone: whatever files there are.
_rowlock_candidates() {
  local kind
  if [ -z "$_rowlock_option" ]; then
    case $2 in -*) _rowlock_options "$_rowlock_at"; return ;; esac
    _rowlock_words "$_rowlock_at"
  fi
  kind=$(_rowlock_kind "$_rowlock_at" "$_rowlock_option")
  case $kind in
    '' | none) ;;
    files) echo files ;;
    words:*) echo "${kind#words:}" | tr ' ' '\n' ;;
    *) "$1" complete "$kind" -- "$2" 2>/dev/null </dev/null ;;
  esac
}

