import { inTime, type Timers } from '../../core/clock.ts';
import type { Awaitable } from '../../core/contracts.ts';
import { causeText, EspalierError, type ErrorCode } from '../../core/errors.ts';
import { describeIssues, type Ending, type Verdict } from '../../core/records.ts';
import { judgementSchema, type Judgement } from '../web/sites/url/tasks.ts';
import type { EndedTools, OpenTools, ToolTask } from './tasks.ts';

/** Prepares a server, as its task says. */
export async function setUp({ id, setup }: ToolTask, tools: OpenTools, timers: Timers): Promise<void> {
  if (setup === undefined) return;
  await running(() => setup(tools), timers).catch((cause: unknown) => {
    throw failed('template-failed', `The setup of task "${id}"`, cause);
  });
}

/** What the verifier of a task says, as a verdict. Nothing there says what else may change, so it is always clean. */
export async function judge(task: ToolTask, tools: EndedTools, given: Judging): Promise<Verdict> {
  const { id } = task;
  const { ending, timers } = given;
  const said = await running(() => task.verify(tools), timers).catch((cause: unknown) => {
    throw failed('check-failed', `The verifier of task "${id}"`, cause);
  });
  const { pass: isDone, message } = readJudgement(id, said);
  const gaveUp = ending?.infeasible === true;
  const reason = gaveUp ? 'given up as infeasible' : (message ?? '');
  const pass = isDone && !gaveUp;
  return {
    pass,
    checks: [{ id: 'verifier', name: reason === '' ? id : `${id}: ${reason}`, pass }],
    progress: pass ? 1 : 0,
    clean: true,
    evidence: { sideEffects: [], answer: tools.answer, sideEffectsKnown: false },
  };
}

export interface Judging {
  readonly ending: Ending | null;
  readonly timers: Timers;
}

/** A user's own function that says nothing for so long will not answer. */
const deadlineMilliseconds = 60_000;

function running<T>(work: () => Awaitable<T>, timers: Timers): Promise<T> {
  const late = (): Error => new Error(`no answer in ${deadlineMilliseconds} ms`);
  const started = async (): Promise<T> => work();
  return inTime(started(), { timers, milliseconds: deadlineMilliseconds, late });
}

function readJudgement(id: string, said: unknown): Exclude<Judgement, boolean> {
  const parsed = judgementSchema.safeParse(said);
  if (!parsed.success) throw failed('check-failed', `The verifier of task "${id}"`, describeIssues(parsed.error));
  return typeof parsed.data === 'boolean' ? { pass: parsed.data } : parsed.data;
}

/** That the server is gone is told as it is: it is nobody's verifier that failed. */
function failed(code: ErrorCode, who: string, cause: unknown): EspalierError {
  if (cause instanceof EspalierError && cause.boundary === 'environment') return cause;
  return new EspalierError({
    boundary: code === 'check-failed' ? 'verifier' : 'environment',
    code,
    message: `${who} failed: ${causeText(cause)}.`,
    expected: 'Expected verify to give true, false or { pass, message? }, and neither it nor setup to throw.',
    cause,
  });
}
