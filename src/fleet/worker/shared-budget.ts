import { EspalierError } from '../../core/errors.ts';
import type { Timers } from '../../core/clock.ts';
import type { Reservation, SharedBudget } from '../../runs/host/budget.ts';
import { whenReachable, type FleetDatabase } from '../database/connect.ts';
import { exhaustRun, heldByOthers, settlePortion, takePortion } from '../database/spending.ts';

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

interface Part {
  readonly dollars: number;
  readonly tokens: number;
  /** Whether the run had a budget then: a run that goes on may get one, or lose it. */
  readonly isLimited: boolean;
}

/** The budget of a run, kept in the database. A worker takes it in small portions, so that all of them together never have more than there is. */
export function createSharedBudget(options: SharedBudgetOptions): SharedBudget {
  const { database, run, timers, isInDollars, worker, onStop } = options;
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
          const values = [run, worker(), part.dollars, part.tokens, cost ?? 0, tokens, 1];
          const settled = whenReachable(() => database.query(settlePortion, values), { timers });
          void settled.finally(() => parts.settled());
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

/** What this worker holds of a budget, in parts of one question each. */
function createParts({ database, run, timers, worker, onStop }: SharedBudgetOptions) {
  const parts: Part[] = [];
  /** Questions whose cost is not settled. */
  let open = 0;
  let gone: EspalierError | null = null;
  const ask = <R>(sql: string, values: readonly unknown[]): Promise<R[]> =>
    whenReachable(() => database.query<R>(sql, values), { timers });
  const fetch = async (): Promise<boolean> => {
    for (const questions of [questionsOfPortion, 1]) {
      const [found] = await ask<Part>(takePortion, [run, worker(), questions]);
      if (found === undefined) continue;
      const part = { ...found, dollars: found.dollars / questions, tokens: found.tokens / questions };
      parts.push(...Array.from({ length: questions }, () => part));
      return true;
    }
    return false;
  };
  /** Whether somebody may still give something back. */
  const mayCome = async (): Promise<boolean> => {
    if (open > 0) return true;
    const [others] = await ask<{ held: boolean }>(heldByOthers, [run, worker()]);
    return others?.held === true;
  };
  /** A worker that asks nothing holds nothing: others may need it. */
  const returnIdle = (): void => {
    if (open > 0 || parts.length === 0) return;
    const left = parts.splice(0);
    const [dollars, tokens] = [sum(left, 'dollars'), sum(left, 'tokens')];
    ask(settlePortion, [run, worker(), dollars, tokens, 0, 0, 0]).catch(() => undefined);
  };
  return {
    async take(): Promise<Part> {
      for (;;) {
        if (gone !== null) throw gone;
        const part = parts.pop();
        if (part !== undefined) {
          open++;
          return part;
        }
        if (await fetch()) continue;
        if (!(await mayCome())) {
          gone ??= exhausted();
          await exhaustRun(database, run, gone.message);
          onStop(gone);
        } else await new Promise<void>(resolve => void timers.after(waitMilliseconds, resolve));
      }
    },
    settled(): void {
      open--;
      returnIdle();
    },
    // Nothing came of it: the next question has it.
    giveBack(part: Part): void {
      open--;
      parts.push(part);
      returnIdle();
    },
  };
}

function sum(parts: readonly Part[], of: 'dollars' | 'tokens'): number {
  return parts.reduce((all, part) => all + part[of], 0);
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
