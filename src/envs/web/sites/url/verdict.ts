import { inTime, type Timers } from '../../../../core/clock.ts';
import type { Awaitable } from '../../../../core/contracts.ts';
import { causeText, EspalierError, type ErrorCode } from '../../../../core/errors.ts';
import { describeIssues, type Ending, type Verdict } from '../../../../core/records.ts';
import { LostError } from '../../browser/connection.ts';
import type { Ask } from '../../sessions/site.ts';
import { judgementSchema, type Judgement, type OpenPage, type UrlTask } from './tasks.ts';

/** A user's own function that says nothing for so long will not answer. */
const deadlineMilliseconds = 20_000;

interface Judging extends Pick<OpenPage, 'http' | 'sql'> {
  readonly ask: Ask;
  readonly timers: Timers;
}

/** Prepares a page that was just loaded, as its task says. */
export async function setUp({ id, setup }: UrlTask, judging: Judging): Promise<void> {
  if (setup === undefined) return;
  const run = typeof setup === 'string' ? ({ ask }: OpenPage) => ask(setup) : setup;
  await withPage(judging, page => run(page)).catch((cause: unknown) => {
    throw cause instanceof LostError ? cause : failed('template-failed', `The setup of task "${id}"`, cause);
  });
}

/** What the verifier of a task says, as a verdict. Nothing there says what else may change, so it is always clean. */
export async function judge(task: UrlTask, ending: Ending | null, judging: Judging): Promise<Verdict> {
  const { id } = task;
  const answer = ending?.answer ?? null;
  const said = await withPage(judging, page => task.verify({ ...page, answer })).catch((cause: unknown) => {
    throw cause instanceof LostError ? cause : failed('check-failed', `The verifier of task "${id}"`, cause);
  });
  const { pass: isDone, message } = readJudgement(id, said);
  const gaveUp = ending?.infeasible === true;
  const reason = gaveUp ? 'given up as infeasible' : message;
  const pass = isDone && !gaveUp;
  return {
    pass,
    checks: [{ id: 'verifier', name: reason === undefined || reason === '' ? id : `${id}: ${reason}`, pass }],
    progress: pass ? 1 : 0,
    clean: true,
    evidence: { sideEffects: [], answer, sideEffectsKnown: false },
  };
}

function readJudgement(id: string, said: unknown): Exclude<Judgement, boolean> {
  const parsed = judgementSchema.safeParse(said);
  if (!parsed.success) throw failed('check-failed', `The verifier of task "${id}"`, describeIssues(parsed.error));
  return typeof parsed.data === 'boolean' ? { pass: parsed.data } : parsed.data;
}

/** Runs a function of the user's with the page, in time. A page that is lost meanwhile is told, whatever they make of it. */
async function withPage<T>({ ask, http, sql, timers }: Judging, run: (page: OpenPage) => Awaitable<T>): Promise<T> {
  let loss: LostError | null = null;
  const asking: Ask = expression =>
    ask(expression).catch((cause: unknown) => {
      if (cause instanceof LostError) loss = cause;
      throw cause;
    });
  const work = async (): Promise<T> => run({ ask: asking, http, sql, url: String(await asking('location.href')) });
  const late = (): Error => new Error(`no answer in ${deadlineMilliseconds} ms`);
  const done = inTime(work(), { timers, milliseconds: deadlineMilliseconds, late });
  const value = await done.catch((cause: unknown) => {
    throw loss ?? cause;
  });
  if (loss !== null) throw loss;
  return value;
}

function failed(code: ErrorCode, who: string, cause: unknown): EspalierError {
  return new EspalierError({
    boundary: code === 'check-failed' ? 'verifier' : 'environment',
    code,
    message: `${who} failed: ${causeText(cause)}.`,
    expected: 'Expected verify to give true, false or { pass, message? }, and neither it nor setup to throw.',
    cause,
  });
}
