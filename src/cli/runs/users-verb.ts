import { percentText } from '../../analysis/estimate.ts';
import { countUsers, type UserRate, type UsersFound } from '../../analysis/users/count-users.ts';
import { invalidOption } from '../../core/errors.ts';
import { openRun } from '../../runs/folder/folder.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

export interface UsersRequest {
  readonly run: string;
  readonly json?: boolean;
}

/** Tells how simulated users were treated in a run, what they think of it, and where they were wrong themselves. */
export function users(output: Output, { run, json = false }: UsersRequest): ExitCode {
  const store = openRun(run);
  try {
    const evaluated = countUsers(store.episodes({ phase: 'evaluate' }));
    const found = evaluated.users.length > 0 ? evaluated : countUsers(store.episodes());
    if (found.users.length === 0)
      throw invalidOption(
        `The run ${run} has no verified episode with a simulated user.`,
        'Expected one of espalier eval users:<app> --student <student> --out <run>.',
      );
    if (json) output.json(found);
    else tell(output, found);
    return 0;
  } finally {
    store.close();
  }
}

function tell({ line, paint }: Output, { users: all, agreement }: UsersFound): void {
  for (const { student, n, both, neither, rubricOnly, verifierOnly, kappa, correlation } of agreement) {
    const own = all.filter(user => user.student === student);
    line(paint.bold(student));
    const heads = ['user', 'passed', 'questions', 'rounds', 'rubric', 'wrong messages', 'passed despite'];
    const rows = own.map(user => [
      user.persona,
      rateText(user.passed),
      user.questions.toFixed(1),
      user.rounds.toFixed(1),
      user.score.toFixed(2),
      user.errors.n === 0 ? '–' : rateText(user.errors),
      user.passedDespite === null ? '–' : rateText(user.passedDespite),
    ]);
    for (const text of columns([heads.map(head => paint.dim(head)), ...rows], [2, 3, 4])) line(`  ${text}`);
    line();
    line(
      `  Rubric and verifier agree on ${both + neither} of ${n}: kappa ${numberText(kappa)}, correlation ${numberText(correlation)}; ` +
        `${rubricOnly} passed by the rubric alone, ${verifierOnly} by the verifier alone.`,
    );
    const kinds = Map.groupBy(
      own.flatMap(user => Object.entries(user.errors.kinds)),
      ([kind]) => kind,
    );
    for (const [kind, found] of kinds) line(`  The user ${kind}: ${found.reduce((sum, [, count]) => sum + count, 0)}`);
    line();
  }
}

function rateText({ rate, low, high, n }: UserRate): string {
  return `${percentText(rate)} (${Math.round(100 * low)}–${Math.round(100 * high)}) of ${n}`;
}

function numberText(value: number | null): string {
  return value === null ? '–' : value.toFixed(2);
}
