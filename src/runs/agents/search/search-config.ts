import { resolve } from 'node:path';
import { z } from 'zod';
import type { AppMap } from '../../../agents/page-search/app-map.ts';
import type { FeatureWeights } from '../../../agents/page-search/words/feature-weights.ts';
import type { SearchAgentOptions } from '../../../agents/page-search/search-agents.ts';
import { openSmall, smallNamed } from '../students/small.ts';

/** What a config says of a search, as a policy and as a teacher. */
export const searchSchema = z.strictObject({
  kind: z.literal('search'),
  /** Actions that each search may try. */
  nodes: z.int().positive().default(100),
  /** A student whose probabilities guide the search beside words: a file, or `small`; null for words alone. */
  guide: z.string().nullable().default(null),
  weight: z.number().min(0).max(1).default(0.5).describe('of the student’s probabilities; words have the rest'),
});
export type SearchConfig = z.infer<typeof searchSchema>;

export const searchUsage = 'search[:<nodes>[,<student file or small>]]';
const pattern = /^search(?::(\d+)(?:,(.+))?)?$/;

/** Reads `search`, `search:500`, `search:500,student.json` and `search:500,small`. */
export function searchNamed(text: string): Readonly<Record<string, unknown>> | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const [, nodes, guide] = match;
  return {
    kind: 'search',
    ...(nodes === undefined ? {} : { nodes: Number(nodes) }),
    ...(guide === undefined ? {} : { guide: guideOf(guide) }),
  };
}

function guideOf(text: string): string {
  const small = smallNamed(text);
  if (small === null) return resolve(text);
  return small.folder === null ? 'small' : `small:${small.folder}`;
}

/** What is known beside the config. */
export interface SearchKnowledge {
  /** Learned weights of the features of words; those set by hand when null. */
  readonly features?: FeatureWeights | null;
  /** What a tour of the app found. */
  readonly map?: AppMap | null;
}

/** The prior of a search: words, what a tour found, and the student where there is one. */
export async function openSearch(
  { nodes, guide, weight }: SearchConfig,
  { features = null, map = null }: SearchKnowledge = {},
): Promise<() => SearchAgentOptions> {
  const { createModelPrior, createScorePrior, createStudentPrior } = await import(
    '../../../agents/page-search/prior.ts'
  );
  const { createWordScorer } = await import('../../../agents/page-search/word-prior.ts');
  const { readStudentFile } = await import('../student-file.ts');
  const small = guide === null ? null : smallNamed(guide);
  const model = small === null ? null : (await openSmall(small.folder)).model;
  const weights = guide === null || model !== null ? null : readStudentFile(guide).weights;
  return () => {
    const words = createScorePrior(createWordScorer(features ?? undefined, map));
    if (model !== null) return { nodes, prior: createModelPrior(model, words, weight) };
    return { nodes, prior: weights === null ? words : createStudentPrior(weights, words, weight) };
  };
}
