# Completes the staff command in bash, as `npx crcs` and as `crcs`, which is the same from any folder, and quicker.
type crcs &>/dev/null || crcs() { {program} "$@"; }
_crcs() {
  local line=${COMP_LINE:0:COMP_POINT} words current breaks prefix candidate candidates
  # Split, and nothing else: what is typed is never evaluated.
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  if [[ $1 == npx ]]; then
    if [[ ${words[1]} != crcs ]]; then
      [[ $_crcs_npx ]] && "$_crcs_npx" "$@"
      return
    fi
    words=("${words[@]:1}")
  fi
  candidates=$({program} complete -- "${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  [[ $candidates == :files ]] && return
  # Without files, which is what nothing means to bash 3.
  compopt +o default 2>/dev/null
  # Of a word with : or = in it, bash replaces what stands behind the last of them.
  current=${words[${#words[@]} - 1]} breaks=${COMP_WORDBREAKS//[^:=]/}
  [[ $breaks ]] && prefix=${current%"${current##*[$breaks]}"}
  while IFS=$'\t' read -r candidate _; do
    [[ $candidate ]] && COMPREPLY+=("${candidate#"$prefix"}")
  done <<<"$candidates"
}
_crcs_npx=$(complete -p npx 2>/dev/null | sed -n 's/.* -F \([^ ]*\).*/\1/p')
[[ $_crcs_npx == _crcs ]] && _crcs_npx=
complete -o default -F _crcs crcs npx
