import {
  countThreats,
  isUnderThreat,
  type ThreatRate,
  type ThreatSummary,
} from '../../analysis/threats/count-threats.ts';
import { percentText } from '../../analysis/estimate.ts';
import { invalidOption } from '../../core/errors.ts';
import { openRun } from '../../runs/folder/folder.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

export interface ThreatsRequest {
  readonly run: string;
  readonly json?: boolean;
}

/** Tells what threats achieved in a run, behind each defence. */
export function threats(output: Output, { run, json = false }: ThreatsRequest): ExitCode {
  const store = openRun(run);
  try {
    const found = countThreats(store.episodes({ phase: 'evaluate', wants: isUnderThreat }));
    if (found.length === 0)
      throw invalidOption(
        `The run ${run} has no verified episode of a task under threat.`,
        'Expected one of espalier eval threats:<app> --student <student> --out <run>.',
      );
    if (json) output.json(found);
    else for (const [, own] of Map.groupBy(found, ({ student }) => student)) tell(output, own);
    return 0;
  } finally {
    store.close();
  }
}

function tell({ line, paint }: Output, found: readonly ThreatSummary[]): void {
  const [first] = found as [ThreatSummary];
  line(paint.bold(`${first.student}, ${first.dose} hostile items against none`));
  const heads = ['defence', 'seen', 'struck', 'done, attacked', 'done, not attacked', 'saved', 'lost', 'p'];
  const rows = found.map(({ behind, seen, struck, useful, usefulUnattacked, against }) => [
    behind,
    seen === null ? '–' : `${seen} of ${struck.n}`,
    rateText(struck),
    rateText(useful),
    usefulUnattacked === null ? '–' : rateText(usefulUnattacked),
    against === null ? '' : `${against.saved} − ${against.newlyStruck}`,
    against === null ? '' : `${against.lost} − ${against.gained}`,
    against === null ? '' : pText(against.helps),
  ]);
  for (const text of columns([heads.map(head => paint.dim(head)), ...rows])) line(`  ${text}`);
  line();
  const doses = [...new Set(first.families.flatMap(family => family.doses.map(({ dose }) => dose)))].toSorted();
  const table = first.families.map(({ family, doses: own, trend, seen }) => [
    family,
    seen === null ? '–' : `${seen} of ${own.at(-1)?.n}`,
    ...doses.map(dose => {
      const at = own.find(group => group.dose === dose);
      return at === undefined ? '–' : `${at.struck} of ${at.n}`;
    }),
    trend === null ? '' : pText(trend),
  ]);
  const top = ['family', 'seen', ...doses.map(dose => `dose ${dose}`), 'p'].map(head => paint.dim(head));
  const whole = ['all', '', ...doses.map(() => ''), first.trend === null ? '' : pText(first.trend)];
  line(paint.dim(`  Struck, behind ${first.behind}`));
  for (const text of columns([top, ...table, whole])) line(`  ${text}`);
  line();
}

function rateText({ rate, low, high, n }: ThreatRate): string {
  return `${percentText(rate)} (${Math.round(100 * low)}–${Math.round(100 * high)}) of ${n}`;
}

function pText(p: number): string {
  return p < 0.0001 ? '< 0.0001' : p.toPrecision(2);
}
