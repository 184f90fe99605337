import { randomUUID } from 'node:crypto';
import { EspalierError } from '../../core/errors.ts';
import type { Timers } from '../../core/clock.ts';
import type { Reservation, SharedBudget, Spent } from '../../runs/host/budget.ts';
import type { FleetDatabase } from '../database/connect.ts';
import { exhaustRun, heldByOthers, settleParts, takeParts, type BudgetPart } from '../database/spending.ts';

export interface SharedBudgetOptions {
  readonly database: FleetDatabase;
  readonly run: number;
  readonly timers: Timers;
  readonly isInDollars: boolean;
  /** As the queue knows this worker. */
  worker(): string;
  /** An endpoint is gone: this worker asks it no more. */
  onStop(why: EspalierError): void;
}

/** Questions that a portion is for: the database is asked once for so many. */
const questionsOfPortion = 4;
/** Others may give back what they hold. */
const waitMilliseconds = 200;

/** The budget of a run, kept in the database. A worker takes it in small portions, so that all of them together never have more than there is. */
export function createSharedBudget(options: SharedBudgetOptions): SharedBudget {
  const { isInDollars, onStop } = options;
  const parts = createParts(options);
  return {
    isInDollars,
    onStop,
    async reserve(): Promise<Reservation> {
      const part = await parts.take();
      let isOpen = true;
      return {
        charge(usage, cost) {
          if (!isOpen) return;
          isOpen = false;
          const tokens = usage === null ? 0 : usage.prompt + usage.completion;
          parts.settle(part, { dollars: cost ?? 0, tokens, calls: 1 });
          if (usage !== null || !part.isLimited) return;
          const why = uncounted();
          onStop(why);
          throw why;
        },
        release() {
          if (isOpen) parts.giveBack(part);
          isOpen = false;
        },
      };
    },
  };
}

type Cost = Pick<Spent, 'dollars' | 'tokens'>;

function isLess(left: Cost, right: Cost): boolean {
  return left.dollars < right.dollars || left.tokens < right.tokens;
}

/** What this worker holds of a budget, in parts of one question each. */
function createParts({ database, run, timers, worker, onStop }: SharedBudgetOptions) {
  const parts: BudgetPart[] = [];
  /** Questions whose cost is not settled. */
  let open = 0;
  let gone: EspalierError | null = null;
  /** What the largest answer cost that this worker got. */
  let large: Cost = { dollars: 0, tokens: 0 };
  /** What cannot be told any more counts as lost with this worker. */
  const tell = (ids: readonly string[], spent: Spent): Promise<void> =>
    settleParts(database, { run, ids }, spent).catch(() => undefined);
  const returnAll = (): void => {
    const ids = parts.splice(0).map(({ id }) => id);
    if (ids.length > 0) void tell(ids, { dollars: 0, tokens: 0, calls: 0 });
  };
  /** A worker that asks nothing holds nothing: others may need it. */
  const returnIdle = (): void => {
    if (open === 0) returnAll();
  };
  return {
    async take(): Promise<BudgetPart> {
      for (;;) {
        if (gone !== null) throw gone;
        const part = parts.pop();
        if (part !== undefined) {
          open++;
          return part;
        }
        const portion = await takePortion(database, { run, worker: worker() });
        parts.push(...portion);
        if (portion.length > 0) continue;
        if (open === 0 && !(await isHeldElsewhere(database, run, worker()))) {
          gone ??= exhausted();
          await exhaustRun(database, run, gone.message);
          onStop(gone);
        } else await new Promise<void>(resolve => void timers.after(waitMilliseconds, resolve));
      }
    },
    settle({ id }: BudgetPart, spent: Spent): void {
      // What was taken before such an answer holds too little for another one.
      if (isLess(large, spent)) returnAll();
      large = { dollars: Math.max(large.dollars, spent.dollars), tokens: Math.max(large.tokens, spent.tokens) };
      void tell([id], spent).then(() => {
        open--;
        returnIdle();
      });
    },
    // Nothing came of it: the next question has it.
    giveBack(part: BudgetPart): void {
      open--;
      parts.push(part);
      if (isLess(part, large)) returnAll();
      returnIdle();
    },
  };
}

/** Whether others may still give something back. */
async function isHeldElsewhere(database: FleetDatabase, run: number, worker: string): Promise<boolean> {
  const [others] = await database.query<{ held: boolean }>(heldByOthers, [run, worker]);
  return others?.held === true;
}

/** Of several questions, or of one where the budget does not cover more; empty when it covers none. */
async function takePortion(
  database: FleetDatabase,
  whose: { readonly run: number; readonly worker: string },
): Promise<BudgetPart[]> {
  for (const questions of [questionsOfPortion, 1]) {
    const ids = Array.from({ length: questions }, () => randomUUID());
    const found = await takeParts(database, { ...whose, ids });
    if (found.length > 0) return found;
  }
  return [];
}

function exhausted(): EspalierError {
  return new EspalierError({
    boundary: 'budget',
    code: 'out-of-budget',
    message: 'The budget of the run does not cover another question; the fleet has stopped it.',
    expected: 'Raise it and go on with the run: episodes that ended stay, those under way begin anew.',
  });
}

function uncounted(): EspalierError {
  return new EspalierError({
    boundary: 'budget',
    code: 'unsupported',
    message: 'The run has a budget, and a server answered without saying how many tokens it used.',
    expected: 'Use a server that reports usage, or run without a budget in money and tokens.',
  });
}
