/**
 * Completion scripts of the shells. They contain no commands but call `modelwire __complete`, so they never become outdated. It prints a
 * line for each word: the word, a tab and a description. The line `:files` tells the shell to complete files.
 */
export const completionScripts = {
  bash: `# modelwire completion for bash: source <(modelwire completion bash)
_modelwire() {
  local line piece glue= current prefix i
  local -a words=()
  COMPREPLY=()
  # bash splits words at = and :, which modelwire does not.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    piece="\${COMP_WORDS[i]}"
    if [[ ( -n "$glue" || "$piece" == [=:]* ) && \${#words[@]} -gt 0 ]]; then
      words[\${#words[@]}-1]+="$piece"
    else
      words+=("$piece")
    fi
    if [[ "$piece" == [=:] ]]; then glue=1; else glue=; fi
  done
  current="\${words[\${#words[@]}-1]}"
  prefix="\${current%"\${current##*[=:]}"}"
  while IFS= read -r line; do
    if [[ "$line" == ":files" ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r piece; do COMPREPLY+=("$piece"); done < <(compgen -f -- "\${current#"$prefix"}")
    elif [[ -n "$line" ]]; then
      line="\${line%%$'\\t'*}"
      COMPREPLY+=("$(printf '%q' "\${line#"$prefix"}")")
    fi
  done < <(modelwire __complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _modelwire modelwire
`,
  zsh: `#compdef modelwire
# modelwire completion for zsh: source <(modelwire completion zsh)
_modelwire() {
  local line
  local -a found
  while IFS= read -r line; do
    if [[ "$line" == ":files" ]]; then
      _files
    elif [[ -n "$line" ]]; then
      found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(modelwire __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe 'modelwire' found
}
if [[ "\${funcstack[1]}" == "_modelwire" ]]; then
  _modelwire "$@"
else
  compdef _modelwire modelwire
fi
`,
  fish: `# modelwire completion for fish: modelwire completion fish | source
function __modelwire_complete
  set -l words (commandline --tokenize --cut-at-cursor)
  set -l current (commandline --current-token --cut-at-cursor)
  for line in (modelwire __complete -- $words[2..-1] "$current" 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete --command modelwire --no-files --arguments '(__modelwire_complete)'
`,
} as const;

export type Shell = keyof typeof completionScripts;
export const SHELLS = ['bash', 'zsh', 'fish'] as const satisfies Shell[];
