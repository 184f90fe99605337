import { createInterface } from 'node:readline';
import type { Input } from './line-source.ts';
import { visible } from './output.ts';

/** What somebody types, or what is piped in. */
export function createInput(): Input {
  const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const lines = createInterface({ input: process.stdin, ...(terminal ? { output: process.stdout } : {}) });
  return {
    lines,
    prompt(text) {
      if (!terminal) return;
      lines.setPrompt(visible(text));
      lines.prompt();
    },
    close: () => lines.close(),
  };
}
