import type { HumanOptions, ReadLine } from '../../agents/human.ts';
import { readMove } from '../play/play-input.ts';
import type { Input } from '../terminal/line-source.ts';

export interface TerminalOptions {
  readonly input: Input;
  say(text: string): void;
  stop(): void;
}

/** The person at the terminal. When there are no more lines, or one says quit, the run stops and can be resumed. */
export function createTerminalHuman({ say, input, stop }: TerminalOptions): HumanOptions {
  const lines = input.lines[Symbol.asyncIterator]();
  return {
    say,
    async ask(question) {
      say(question.trimEnd());
      input.prompt('› ');
      const { value, done } = await lines.next();
      if (done !== true && value.trim() !== 'quit') return value;
      stop();
      // The run lets go of this question.
      return new Promise<never>(() => {});
    },
    readAction,
  };
}

function readAction(line: string, roleOf: (ref: string) => string | null): ReadLine {
  const move = readMove(line, roleOf);
  if (move.kind === 'act') return { action: move.action };
  if (move.kind === 'unclear') return { expected: move.expected };
  return { expected: 'Expected a step, such as: click e3, e5 some text, finish; or quit.' };
}
