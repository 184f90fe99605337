import { z } from 'zod';
import type { Model } from '../../../core/chat/model.ts';
import type { Environment } from '../../../core/contracts.ts';
import { createCallReader } from '../../../core/episode/call-log.ts';
import type { EpisodeHead } from '../../../core/episode/events.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Task } from '../../../core/records.ts';
import { SessionError } from '../../sessions/session-error.ts';
import { answerOf, type RunAnswer } from '../../verifiers/episode-record.ts';
import type { RunRequest } from '../../verifiers/messages.ts';
import { runRecorded, type SessionSetting } from './run-session.ts';

/** Which task a row of a taskset means. */
export interface TaskChoice {
  readonly environment?: string | undefined;
  readonly task?: string | undefined;
  readonly seed?: number | undefined;
}

export interface VerifiersRunOptions extends SessionSetting {
  readonly run: string;
  readonly version: string;
  taskOf(choice: TaskChoice): Promise<{ readonly task: Task; readonly environment: Environment }>;
  modelOf(endpoint: { readonly base_url: string; readonly model: string }): Promise<Model>;
  createId(): string;
}

const name = z.string().max(255).nullish();
const seed = z.int().nonnegative().nullish();
/** As our Python taskset has it, or flat. */
const dataSchema = z.looseObject({
  environment: name,
  task: name,
  seed,
  max_steps: z.int().positive().max(1000).nullish(),
  choice: z.looseObject({ task: name, seed }).nullish(),
});

/** Beyond the numbers of other episodes in the same run. */
const firstIndex = 2_000_000;
const usualSteps = 30;

/** Runs a rollout for a client of verifiers, journalled as any other episode. */
export function createVerifiersRun(options: VerifiersRunOptions) {
  let index = firstIndex;
  return async ({ task_data, client, model: named, sampling }: RunRequest, signal: AbortSignal): Promise<RunAnswer> => {
    const { choice, maxSteps } = readData(task_data);
    const { task, environment } = await options.taskOf(choice);
    const model = await options.modelOf({ base_url: client.base_url, model: named });
    const id = options.createId();
    const agents = { student: model.endpoint, teacher: null, strategy: 'verifiers' };
    const place = {
      run: options.run,
      key: `verifiers/${id}`,
      index: index++,
      phase: 'collect',
      round: 0,
      trial: 0,
    } as const;
    const head: EpisodeHead = { ...place, task, ...agents };
    const { temperature, top_p, max_tokens } = sampling;
    const request = {
      max_steps: maxSteps,
      model: { temperature: temperature ?? undefined, top_p: top_p ?? undefined, max_tokens: max_tokens ?? undefined },
    };
    const begun = options.clock.now() / 1000;
    const record = await runRecorded(
      { head, environment, request, pausable: { model, versions: [] }, signal },
      options,
    );
    if (record === null) throw signal.reason;
    const readCall = createCallReader(options.store.attachment);
    const asked = record.calls.filter(({ by, question }) => by.role === 'student' && question === 'act');
    const calls = asked.map(event => readCall(event.record));
    const ids = { episode: id, trace: `${id}-0` };
    const run = { record, calls, begun, ended: options.clock.now() / 1000 };
    return answerOf(run, { task: task_data, version: options.version, ids });
  };
}

function readData(data: JsonObject): { readonly choice: TaskChoice; readonly maxSteps: number } {
  const parsed = dataSchema.safeParse(data);
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    throw new SessionError('invalid', `The task is not valid at "${first?.path.join('.')}": ${first?.message}.`);
  }
  const { environment, task, seed: own, choice, max_steps: steps } = parsed.data;
  return {
    choice: {
      environment: environment ?? undefined,
      task: choice?.task ?? task ?? undefined,
      seed: choice?.seed ?? own ?? undefined,
    },
    maxSteps: steps ?? usualSteps,
  };
}
