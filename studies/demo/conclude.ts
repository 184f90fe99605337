import { compare, type Comparison } from '../../src/analysis/compare.ts';
import type { Evaluation } from '../../src/analysis/evaluate.ts';
import type { ReportArm, ReportData } from '../../src/analysis/report/data.ts';
import { createRandom } from '../../src/core/random.ts';
import { readReport, type ReportOptions } from '../../src/runs/report.ts';
import { aheadClaim, recordedClaims, type Claim } from './claims.ts';
import { runFolders, type Entered } from './enter-app.ts';
import { readRecorded } from './recorded.ts';

/** The report of a demo: its run, what is claimed of it, and figures of a GPU. */
export function concludeDemo(entered: Entered, { folder, ...about }: ReportOptions): ReportData {
  const folders = runFolders(folder);
  const unseen = readReport({ ...about, folder: folders.unseen });
  const corrected = readReport({ ...about, folder: folders.corrected });
  const recorded = readRecorded();
  return {
    ...corrected,
    title: 'Espalier: a model in apps that it has never seen',
    arms: [
      {
        id: (corrected.arms[0] as ReportArm).id,
        rounds: [unseen, corrected].flatMap(({ arms }) => arms[0]?.rounds ?? []),
        label: 'small',
        about:
          'Round 0 is the model as it comes. Then it acts, a planner reviews its steps and corrects the first harmful one, and what it learns is added to its scores.',
      },
    ],
    baselines: unseen.baselines,
    evaluationGallery: unseen.evaluationGallery,
    recorded,
    claims: [...claimsOf(entered), ...recorded.flatMap(recordedClaims)],
  };
}

function claimsOf({ before, corrected }: Entered): Claim[] {
  const own = before.subject;
  const trivial = before.baselines.filter(({ student }) => student !== 'planner');
  const best = trivial.toSorted((a, b) => rateOf(b) - rateOf(a))[0] ?? null;
  return [
    aheadClaim(
      'small passes more in apps that it has never seen than random steps, fixed endings and replay',
      compared(own, best),
    ),
    aheadClaim('Corrections in the apps raise what it passes there', compared(corrected, own)),
  ];
}

function rateOf({ newInstances }: Evaluation): number {
  return newInstances?.overall.rate ?? 0;
}

function compared(first: Evaluation | null, second: Evaluation | null): Comparison | null {
  if (first === null || second === null) return null;
  return compare(first, second, { random: createRandom(`${first.student} against ${second.student}`) }).newInstances;
}
