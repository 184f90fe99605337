import { createHash } from 'node:crypto';
import { lacksCertificate } from '../../../core/episode/certificate.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { defined, type JsonObject } from '../../../core/json.ts';
import type { Verdict } from '../../../core/records.ts';
import type { Requests, RowRequest } from '../../requests/requests.ts';
import { conversationOf, messagesOf } from '../conversation.ts';
import { taskOf } from '../format.ts';
import { createEventLog, type EventLog } from './events.ts';
import { createMessagePool } from './messages.ts';
import { outputOf, usageOf, type StepWriter } from './model-event.ts';
import { writeTree } from './sample-events.ts';
import { scoreOf } from './score.ts';
import { timelineOf, type Lane } from './timeline.ts';

export interface SampleOptions {
  readonly requests: Requests;
  readonly startedAt: number;
  /** Unique in its log together with the epoch. */
  readonly id: string;
}

/** An episode as a sample of Inspect, and what its log sums up. */
export interface Sample {
  readonly sample: JsonObject;
  readonly summary: JsonObject;
  /** Null where there is no verdict that counts: such a sample is not scored. */
  readonly pass: boolean | null;
}

const spans = { solvers: 'solvers', agent: 'agent', scorers: 'scorers' };

export function sampleOf(record: EpisodeRecord, { requests, startedAt, id }: SampleOptions): Sample {
  const { head, end, tree } = record;
  const uuid = createHash('sha256').update(`${head.run}\n${head.key}`).digest('hex').slice(0, 22);
  const log = createEventLog(uuid, startedAt);
  const writer: StepWriter = {
    record,
    log,
    pool: createMessagePool(uuid),
    request: rememberedRequests(record, requests),
  };
  const verdict = lacksCertificate(record, end.leaf) ? null : end.verdict;
  const lane = writeEvents(writer, verdict);
  const conversation = conversationOf(record, end.leaf, requests);
  const last = conversation.turns.at(-1);
  const about = aboutSample(record, { id, uuid, startedAt, log });
  const sample = defined({
    ...about,
    messages: messagesOf(conversation).map(writer.pool.message),
    output:
      last === undefined
        ? undefined
        : outputOf(writer.pool.message(last.answer), last.request.call, last.nodes[0].actor.name),
    scores: scoresOf(verdict),
    store: {},
    events: log.all(),
    timelines: tree.leaves().length > 1 ? [timelineOf(lane)] : undefined,
    error: errorOf(record),
    attachments: {},
    events_data: { messages: writer.pool.all(), calls: [] },
    turn_count: conversation.turns.length,
  });
  const summary = defined({
    ...about,
    scores: scoresOf(verdict),
    error: end.message ?? undefined,
    completed: true,
    message_count: messagesOf(conversation).length,
    turn_count: conversation.turns.length,
  });
  return {
    sample: sample as unknown as JsonObject,
    summary: summary as unknown as JsonObject,
    pass: verdict?.pass ?? null,
  };
}

function writeEvents(writer: StepWriter, verdict: Verdict | null): Lane {
  const { log, record } = writer;
  log.begin({ id: spans.solvers, name: 'solvers', type: 'solvers' });
  log.begin({ id: spans.agent, name: record.head.student, type: 'agent', parent: spans.solvers });
  const lane = writeTree(writer, spans.agent);
  const error = errorOf(record);
  if (error !== undefined) lane.events.push(log.add(spans.agent, { event: 'error', error }));
  log.end(spans.agent);
  log.end(spans.solvers);
  if (verdict === null) return lane;
  log.begin({ id: spans.scorers, name: 'scorers', type: 'scorers' });
  log.add(spans.scorers, { event: 'score', score: scoreOf(verdict), intermediate: false, scorer: 'verifier' });
  log.end(spans.scorers);
  return lane;
}

function scoresOf(verdict: Verdict | null): JsonObject | undefined {
  return verdict === null ? undefined : { verifier: scoreOf(verdict) };
}

function errorOf({ end }: EpisodeRecord): JsonObject | undefined {
  if (end.outcome !== 'errored') return undefined;
  const message = `${end.boundary ?? 'unknown'}: ${end.message ?? ''}`;
  return { message, traceback: message, traceback_ansi: message };
}

interface AboutOptions extends Pick<SampleOptions, 'id' | 'startedAt'> {
  readonly uuid: string;
  readonly log: EventLog;
}

/** The members that a sample and its summary share. */
function aboutSample(record: EpisodeRecord, { id, uuid, startedAt, log }: AboutOptions) {
  const { head, end } = record;
  const { instruction, ...task } = taskOf(record);
  const { run, key, phase, round, trial, student, teacher, strategy } = head;
  return {
    id,
    epoch: trial + 1,
    input: instruction,
    target: '',
    metadata: defined({
      ...task,
      run,
      episode: key,
      phase,
      round,
      student,
      teacher: teacher ?? undefined,
      strategy,
      outcome: end.outcome,
      reason: end.reason ?? undefined,
      certified: lacksCertificate(record, end.leaf) ? 'no' : end.certification,
      corrections: end.counts.corrections,
      rollbacks: end.counts.rollbacks,
      forks: end.counts.forks,
    }),
    ...usagesOf(record),
    started_at: new Date(startedAt).toISOString(),
    completed_at: log.now(),
    total_time: end.milliseconds / 1000,
    uuid,
  };
}

/** Tokens of all calls, those of a teacher too, by model and by role. */
function usagesOf({ calls }: EpisodeRecord): { model_usage: JsonObject; role_usage: JsonObject } {
  const models = new Map<string, JsonObject>();
  const roles = new Map<string, JsonObject>();
  for (const call of calls) {
    const usage = usageOf(call);
    if (usage === null) continue;
    models.set(call.model, summed(models.get(call.model), usage));
    roles.set(call.by.role, summed(roles.get(call.by.role), usage));
  }
  return { model_usage: Object.fromEntries(models), role_usage: Object.fromEntries(roles) };
}

function summed(total: JsonObject = {}, usage: JsonObject): JsonObject {
  const sums = Object.entries(usage).map(([name, value]) => [name, Number(total[name] ?? 0) + Number(value)]);
  return { ...total, ...Object.fromEntries(sums) };
}

/** A step is asked about for itself, and for the result of the step before it. */
function rememberedRequests(record: EpisodeRecord, requests: Requests): (node: number) => RowRequest | null {
  const known = new Map<number, RowRequest | null>();
  return node => {
    let request = known.get(node);
    if (request === undefined) known.set(node, (request = requests.of(record, node)));
    return request;
  };
}
