import { existsSync } from 'node:fs';

/** Bash where the machine has it. */
export function shellProgram(): string {
  return existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
}

/** Writes down where a shell stands and what it exports, each with a NUL at its end, whatever the shell calls by these names. Nothing of it is seen. */
const tell =
  '{ set +xv; unset -f printf export exit; printf "%s\\0" "$PWD" >&3; export -p >&3; printf "\\0" >&3; } 2>/dev/null';

/**
 * Runs a command where the last one stood, with what it exported, and writes both down when it ends, and when it exits before: the first
 * that is written counts. One line, since a command that cannot be parsed spoils the next. Arguments: folder, exports, command.
 */
export const shellWrapper = [
  'eval "$2"',
  'cd -- "$1" 2>/dev/null',
  '__command=$3',
  'set --',
  `trap '${tell}' EXIT`,
  `eval "unset __command\n$__command"; { set +xv -- "$?"; } 2>/dev/null; ${tell}; exit "$1"`,
].join('\n');
