import { resolve } from 'node:path';
import { z } from 'zod';
import type { FeatureWeights } from '../../../agents/search/words/feature-weights.ts';
import type { SearchAgentOptions } from '../../../agents/search/search-agents.ts';

/** What a config says of a search, as a policy and as a teacher. */
export const searchSchema = z.strictObject({
  kind: z.literal('search'),
  /** Actions that each search may try. */
  nodes: z.int().positive().default(100),
  /** File of a student whose probabilities guide the search beside words; null for words alone. */
  guide: z.string().nullable().default(null),
  weight: z.number().min(0).max(1).default(0.5).describe('of the student’s probabilities; words have the rest'),
});
export type SearchConfig = z.infer<typeof searchSchema>;

export const searchUsage = 'search[:<nodes>[,<student file>]]';
const pattern = /^search(?::(\d+)(?:,(.+))?)?$/;

/** Reads `search`, `search:500` and `search:500,student.json`. */
export function searchNamed(text: string): Readonly<Record<string, unknown>> | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const [, nodes, guide] = match;
  return {
    kind: 'search',
    ...(nodes === undefined ? {} : { nodes: Number(nodes) }),
    ...(guide === undefined ? {} : { guide: resolve(guide) }),
  };
}

/** The prior of a search: words, with weights of their features that were learned or set by hand, and the student where there is one. */
export async function openSearch(
  { nodes, guide, weight }: SearchConfig,
  features?: FeatureWeights,
): Promise<() => SearchAgentOptions> {
  const { createScorePrior, createStudentPrior } = await import('../../../agents/search/prior.ts');
  const { createWordScorer } = await import('../../../agents/search/word-prior.ts');
  const { readStudentFile } = await import('../student-file.ts');
  const weights = guide === null ? null : readStudentFile(guide).weights;
  return () => {
    const words = createScorePrior(createWordScorer(features));
    return { nodes, prior: weights === null ? words : createStudentPrior(weights, words, weight) };
  };
}
