import { caseFrom } from './case.ts';
import { writePage, type Library } from './page.ts';
import type { Finding } from './shrink.ts';
import type { FeatureTally, Tally } from './tally.ts';
import { describeStep } from './walk-step.ts';

const mostReasons = 30;

/** What came of the pages: shares, reasons of refusal, and every feature. */
export function describeTally(tally: Tally): readonly string[] {
  const { restored, refused } = tally.rollbacks();
  const reasons = tally.reasons().slice(0, mostReasons);
  return [
    `${tally.pages()} pages: ${Object.entries(tally.outcomes())
      .map(([outcome, count]) => `${outcome} ${count}`)
      .join(', ')}`,
    `${restored + refused} rollbacks: ${restored} restored, ${refused} replayed`,
    '',
    'Why snapshots were refused:',
    ...reasons.map(([reason, count]) => `${String(count).padStart(6)}  ${reason}`),
    '',
    'Features (pages: restored, replayed, restored-wrong, unsteady, refused, failed, stuck):',
    ...tally.features().map(describeFeature),
    '',
  ];
}

function describeFeature({ name, pages, outcomes }: FeatureTally): string {
  const counts = Object.values(outcomes).map(count => String(count).padStart(4));
  return `${String(pages).padStart(6)}:${counts.join('')}  ${name}`;
}

/** A finding with its walk and its page, to be tried by hand. */
export function describeFinding(finding: Finding, library: Library, number: number): readonly string[] {
  const { slots, examined } = finding;
  const { name, found } = caseFrom(slots, examined);
  return [
    `${number}. ${name}`,
    `   ${found}`,
    ...examined.steps.map((step, index) => `   ${index + 1}) ${describeStep(step)}`),
    ...writePage(slots, library)
      .split('\n')
      .map(line => `   ${line}`),
  ];
}
