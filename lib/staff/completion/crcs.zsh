# Completes the staff command in zsh, as `npx crcs` and as `crcs`, which is the same from any folder, and quicker. Where
# ~/.zshrc runs compinit, it does so above the line that sources this.
(( $+commands[crcs] + $+functions[crcs] )) || crcs() { {program} "$@" }
_crcs() {
  local -a typed candidates described
  local candidate about
  typed=("${(@Q)words[1,CURRENT - 1]}" "$PREFIX")
  if [[ ${typed[1]} == npx ]]; then
    if [[ ${typed[2]} != crcs ]]; then
      ${_crcs_npx:-_default}
      return
    fi
    shift typed
  fi
  candidates=("${(@f)$({program} complete -- "${(@)typed[2,-1]}" 2>/dev/null)}")
  if [[ ${candidates[1]} == :files ]]; then
    compset -P '--*='
    _files
    return
  fi
  for candidate in ${candidates}; do
    about=${candidate#*$'\t'}
    described+=("${${candidate%%$'\t'*}//:/\\:}${about:+:$about}")
  done
  (( $#described )) && _describe -V crcs described
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
[[ ${_comps[npx]} == _crcs ]] || _crcs_npx=${_comps[npx]}
compdef _crcs crcs npx
