# Completion of longshot for bash. The program itself knows what may follow: longshot complete.
# SPDX-License-Identifier: Apache-2.0

# What the shell would make of a word as it is typed: without quotes, backslashes and tilde.
_longshot_plain() {
  local word=$1
  [[ $word == '~/'* ]] && word=$HOME/${word#'~/'}
  case $word in
    \"*) word=${word#\"} word=${word%\"} ;;
    \'*) word=${word#\'} word=${word%\'} ;;
    *) word=${word//\\/} ;;
  esac
  REPLY=$word
}

_longshot() {
  local words=() word REPLY
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    _longshot_plain "$word"
    words+=("$REPLY")
  done
  local typed=${COMP_WORDS[COMP_CWORD]} current=${words[-1]}
  [[ $current == = ]] && current=
  COMPREPLY=()
  local text meaning path
  while IFS=$'\t' read -r text meaning; do
    if [[ $text == files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r path; do COMPREPLY+=("$path"); done < <(
        compgen -d -- "$current"
        compgen -f -X "!$meaning" -- "$current"
      )
    elif [[ $typed == [\"\']* ]]; then
      COMPREPLY+=("$text")
    else
      # Commas, which %q would escape, separate methods.
      [[ $text =~ ^[[:alnum:]_./,:=+@-]+$ ]] || printf -v text %q "$text"
      COMPREPLY+=("$text")
    fi
  done < <("${COMP_WORDS[0]/#\~/$HOME}" complete "${words[@]}" 2>/dev/null)
  if ((${#COMPREPLY[@]} > 1)); then
    mapfile -t COMPREPLY < <(printf '%s\n' "${COMPREPLY[@]}" | sort -u)
  fi
}

complete -F _longshot longshot
