import type { Experience, SlottedStep } from './writer.ts';

/** Where a way that failed left one that passed. */
export interface Divergence {
  readonly right: SlottedStep;
  readonly wrong: SlottedStep;
  /** How many steps both share. */
  readonly shared: number;
}

/** The first step in which two ways differ; null where one is the beginning of the other. */
export function divergenceOf(passed: Experience, failed: Experience): Divergence | null {
  const [good, bad] = [passed.steps, failed.steps];
  const at = good.findIndex(({ line }, index) => bad[index] !== undefined && line !== bad[index].line);
  if (at < 0) return null;
  return { right: good[at] as SlottedStep, wrong: bad[at] as SlottedStep, shared: at };
}
