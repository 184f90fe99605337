import { EspalierError } from '../../core/errors.ts';
import { hash32 } from '../../core/random.ts';

/** Evaluation uses the seeds from the first to the end. Collection uses smaller and larger ones. */
export const firstEvaluationSeed = 1_000_000;
export const endOfEvaluationSeeds = 902_000_000;

/** Whether a seed is kept for evaluation. */
export function isEvaluationSeed(seed: number): boolean {
  return seed >= firstEvaluationSeed && seed < endOfEvaluationSeeds;
}

/** One content in so many is kept for evaluation. */
const evaluationShare = 4;

/** Whether a content is kept for evaluation. It depends on the content alone: not on the environment, template or seed. */
export function isEvaluationContent(content: string): boolean {
  return hash32(`evaluation? ${content}`) % evaluationShare === 0;
}

export interface ContentDraw<T> {
  readonly seed: number;
  /** What is drawn, for the error: `tasks of tools-7/short`. */
  readonly what: string;
  /** Draws the next one. Null means that this draw gave nothing. */
  draw(attempt: number): T | null;
  /** What makes two tasks the same, without wording. */
  contentOf(drawn: T): string;
  readonly mostDraws?: number;
}

const usualDraws = 400;

/**
 * Draws until the content belongs to the side of the seed. Seeds for evaluation and all other seeds therefore never give
 * the same task, however few tasks there are. Null when every draw gave nothing.
 */
export function drawForSeed<T>({ seed, what, draw, contentOf, mostDraws = usualDraws }: ContentDraw<T>): T | null {
  const isEvaluated = isEvaluationSeed(seed);
  const otherSide = new Set<string>();
  for (let attempt = 0; attempt < mostDraws; attempt++) {
    const drawn = draw(attempt);
    if (drawn === null) continue;
    const content = contentOf(drawn);
    if (isEvaluationContent(content) === isEvaluated) return drawn;
    otherSide.add(content);
  }
  if (otherSide.size === 0) return null;
  const [wanted, found] = isEvaluated ? ['evaluation', 'training'] : ['training', 'evaluation'];
  throw new EspalierError({
    boundary: 'environment',
    code: 'no-instance',
    message: `There are too few ${what}: ${mostDraws} draws gave ${otherSide.size} different ones, all kept for ${found}, and none for ${wanted}.`,
    expected: 'Expected more different tasks: choose a harder level or a larger world.',
  });
}
