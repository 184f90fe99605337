import { writeCompactPrompt, type CompactSituation } from '../../models/prompt/compact.ts';
import { remembering } from '../learned/remembering.ts';
import { fitPrompt, type FittedPrompt } from './fit-prompt.ts';
import { marksOf } from './marks.ts';
import type { ModelFiles } from './model-files.ts';
import { weighSteps, type WeighedStep } from './pointing.ts';
import { createPromptTokens, type ReadPromptTokens } from './prompt-tokens.ts';
import type { Infer } from './runtime.ts';

/** What the model makes of a situation. */
export interface WeighedSituation extends Pick<FittedPrompt, 'leftOut'> {
  /** Everything it could do, the likeliest first. */
  readonly steps: readonly WeighedStep[];
  /** Tokens of the prompt. */
  readonly tokens: number;
}

/** A model that points: one pass gives the kind of step, its element and its text. */
export interface SmallModel extends Pick<ModelFiles, 'sha256'> {
  weigh(situation: CompactSituation): Promise<WeighedSituation>;
}

/** Attempts at one task meet the same situations: so many are kept. */
const mostKept = 256;

/** Nothing is loaded before the first question. */
export function createSmallModel(files: ModelFiles): SmallModel {
  let opened: Promise<{ readonly infer: Infer; readonly read: ReadPromptTokens }> | null = null;
  const open = async () => {
    const infer = await files.open();
    return { infer, read: createPromptTokens(files.readTokenizer()) };
  };
  const weigh = async (situation: CompactSituation): Promise<WeighedSituation> => {
    const { infer, read } = await (opened ??= open());
    const { facts } = files;
    const { tokens, leftOut } = fitPrompt(situation, { read, facts });
    const { first } = facts.references;
    const references = tokens.ids.flatMap((id, at) => (id >= first ? [at] : []));
    // Elements are told apart by their places, so that all references are one token.
    const ids = tokens.ids.map(id => Math.min(id, first));
    const scores = await infer({ ids, marks: marksOf(tokens.ids, facts), references });
    const screen = situation.screens.at(-1) ?? '';
    return { steps: weighSteps(scores, { tokens, references, screen }), tokens: ids.length, leftOut };
  };
  const known = remembering(mostKept, weigh);
  const keyOf = (situation: CompactSituation): string =>
    `${writeCompactPrompt(situation)}\0${situation.screens.at(-1) ?? ''}`;
  return { sha256: files.sha256, weigh: situation => known(situation, keyOf(situation)) };
}
