import { existsSync } from 'node:fs';

/** Bash where the machine has it. */
export function shellProgram(): string {
  return existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
}

/**
 * Runs a command where the last one stood, with what it exported, and writes both down when it ends. Arguments: folder, exports,
 * command.
 */
export const shellWrapper = [
  'eval "$2"',
  'cd -- "$1" 2>/dev/null',
  '__command=$3',
  'set --',
  `trap 'printf "%s\\0" "$PWD" >&3; export -p >&3' EXIT`,
  'eval "unset __command',
  '$__command"',
].join('\n');
