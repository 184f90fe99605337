import { z } from 'zod';
import { standsIn } from '../../../core/text.ts';
import type { Episode } from '../../verbs/episode.ts';
import type { Usable } from '../../verbs/questions.ts';
import { createAttempts } from '../attempts.ts';
import { counting, defineStrategy } from '../definition.ts';
import { propose } from '../proposals.ts';
import { createReserve } from '../reserve.ts';
import { goTo, type Strategy } from '../strategy.ts';
import { createFrontier, isFinish } from './frontier.ts';

interface ArgusOptions {
  readonly steps: number;
  readonly width: number;
  readonly samples: number;
}

/** A piece of evidence that the task asks for, and where it was seen. */
export interface Piece {
  readonly text: string;
  /** The node on whose screen it stands; null while it is missing. */
  source: number | null;
}

/** What the task names: texts in quotes, else its numbers and words with a capital. */
export function piecesOf(instruction: string): Piece[] {
  const quoted = [...instruction.matchAll(/"([^"]+)"|“([^”]+)”/g)].map(match => (match[1] ?? match[2]) as string);
  const named = [
    ...instruction.matchAll(/(?<!^|[.!?]\s)\b(?:\p{Lu}[\p{L}\p{N}-]+|\d[\d.,:-]*\d)(?:\s+\p{Lu}[\p{L}\p{N}-]+)*/gu),
  ];
  const texts = quoted.length > 0 ? quoted : named.map(([text]) => text);
  return [...new Set(texts)].map(text => ({ text, source: null }));
}

/** Notes the pieces that a screen shows. A piece that has a source keeps it. */
export function gather(pieces: readonly Piece[], screen: string, node: number): void {
  for (const piece of pieces) if (piece.source === null && standsIn(screen, piece.text)) piece.source = node;
}

/** Looks for what the task names before it acts: one search for each missing piece. Answers only with what it has seen. */
function createArgus(options: ArgusOptions): Strategy {
  return {
    name: `argus-${options.steps}`,
    asksTeacher: false,
    async run(episode) {
      const attempts = createAttempts(episode);
      const pieces = piecesOf(episode.instruction);
      const screens = new Set<string>();
      await dispatch(episode, { pieces, screens, options });
      await goTo(episode, 0);
      const hint = hintOf(pieces);
      const done = await attempts.run(
        { hint, choose: cursor => withSource(cursor, screens, { ...options, hint }) },
        'main',
      );
      return attempts.conclude(done);
    },
  };
}

interface Dispatch {
  readonly pieces: readonly Piece[];
  readonly screens: Set<string>;
  readonly options: ArgusOptions;
}

/** One searcher after another, for the first piece that is missing. What a searcher passes by is noted, too. */
async function dispatch(episode: Episode, { pieces, screens, options }: Dispatch): Promise<void> {
  const reserve = createReserve(episode);
  const note = async (): Promise<void> => {
    const { text } = await episode.look();
    screens.add(text);
    gather(pieces, text, episode.at());
  };
  await note();
  const frontier = createFrontier(episode, options);
  const missing = (): Piece | undefined => pieces.find(({ source }) => source === null);
  if (missing() === undefined) return;
  await frontier.look({ depth: 0, logprob: 0 });
  for (const wanted of pieces) {
    for (let taken = 0; taken < options.steps && wanted.source === null && reserve.mayTry(); taken++) {
      const next = frontier.take(one => (isFinish(one) ? -Infinity : one.logprob));
      if (next === null) return;
      await frontier.try(next);
      await note();
    }
  }
}

function hintOf(pieces: readonly Piece[]): string | undefined {
  const found = pieces.filter(({ source }) => source !== null).map(({ text }) => JSON.stringify(text));
  const missing = pieces.filter(({ source }) => source === null).map(({ text }) => JSON.stringify(text));
  if (found.length + missing.length === 0) return undefined;
  return `seen so far: ${found.join(', ') || 'nothing'}${missing.length === 0 ? '' : `; not found: ${missing.join(', ')}`}`;
}

/** A finish whose answer stands on no screen gives way to the likeliest action that is no such finish. */
async function withSource(
  episode: Episode,
  screens: Set<string>,
  { hint, ...asking }: ArgusOptions & { readonly hint: string | undefined },
): Promise<Usable | null> {
  screens.add((await episode.look()).text);
  const { proposals } = await propose(episode, { ...asking, hint });
  const isSeen = ({ action }: Usable): boolean =>
    action.kind !== 'finish' ||
    action.answer === undefined ||
    [...screens].some(text => standsIn(text, action.answer as string));
  return proposals.find(isSeen) ?? proposals[0] ?? null;
}

export const argus = defineStrategy({
  name: 'argus',
  about:
    'Searches for what the task names before it acts, a search for each missing piece; answers only with what it saw.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    steps: counting.default(8).describe('steps of the search for one piece'),
    width: counting.default(4).describe('actions that are considered in a state'),
    samples: counting.default(2).describe('questions in a state, to a student that names one action only'),
  }),
  create: createArgus,
});
