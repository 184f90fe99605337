import type { Reader } from './here.ts';

/** What an experience model expects of the steps here: what is worth more than a half speaks for a step, what is worth less against it. */
export const readTransitions: Reader = ({ memory, heading, before, pattern }) =>
  memory.index
    .onHeading('transition', heading)
    .filter(({ content }) => content.pattern === pattern && content.before === before)
    .map(({ id, content }) => ({
      item: id,
      how: content.value >= 0.5 ? 'prefer' : 'avoid',
      line: content.line,
      weight: Math.abs(2 * content.value - 1),
    }));
