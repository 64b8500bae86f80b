import { EXIT_CODES } from "../exit-code.ts";
import { wordOf } from "../read-text.ts";
import type { Command, Session } from "../session.ts";

export const SHELLS = ["bash", "zsh"] as const;

export const COMPLETION: Command = {
  summary: "what a shell needs to complete commands, workflows and ids",
  arguments: [{ name: "SHELL", place: "shell" }],
  options: {},
  run: printCompletion,
};

/** They ask `stepwell complete`, whose last argument is the word to complete. */
const SCRIPTS = {
  bash: `_stepwell() {
  local IFS=$'\\n'
  COMPREPLY=($(stepwell complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]]; then compopt -o nospace; fi
}
complete -F _stepwell stepwell
`,
  zsh: `#compdef stepwell
_stepwell() {
  local -a open closed
  local candidate
  for candidate in "\${(@f)$(stepwell complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $candidate ]] && continue
    if [[ $candidate == */ ]]; then open+=("$candidate"); else closed+=("$candidate"); fi
  done
  compadd -S '' -a open
  compadd -a closed
}
compdef _stepwell stepwell
`,
} as const;

async function printCompletion({ terminal, given }: Session) {
  const shell = wordOf(given.arguments[0] ?? "", "SHELL", SHELLS);
  terminal.text(SCRIPTS[shell]);
  return EXIT_CODES.done;
}
