import type { EpisodeHead } from '../../core/episode/events.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Verdict } from '../../core/records.ts';
import type { Actor } from '../../core/tree.ts';
import { drivenRound } from '../../episode/episodes.ts';
import { createTurns } from '../../episode/turns.ts';
import type { Store } from '../../store/store.ts';
import type { AgentRole, KeptBranch, OpenTakeOver, TakeOver, TakeOvers } from '../../server/studio/api.ts';
import { openRunForWriting, closeAfter } from '../folder/folder.ts';
import type { Host } from '../host.ts';
import { isEvaluationSeed } from '../plan/seeds.ts';
import { branchPrefix } from './branch-prefix.ts';
import type { OpenedRun } from './opened-run.ts';
import { openTakenWorld, type AskedAgent, type TakenWorld, type WrittenBranch } from './taken-world.ts';

export interface TakeOversOptions {
  readonly host: Host;
  /** Ids of take-overs: hard to guess. */
  createId(): string;
  run(id: string): OpenedRun;
  /** The record of an episode, without its screens. */
  record(run: string, episode: number): EpisodeRecord;
  screen(run: string, episode: number, node: number): string;
}

/** Worlds that people hold open at once. */
const mostOpen = 32;
/** Steps that an agent may take in one go. */
const mostSteps = 30;

interface Open {
  readonly request: OpenTakeOver;
  readonly record: EpisodeRecord;
  readonly head: EpisodeHead;
  readonly world: TakenWorld;
  readonly inTurn: ReturnType<typeof createTurns>;
  /** Of where it stands; null after a further step. */
  verdict: Verdict | null;
}

export function createTakeOvers(options: TakeOversOptions): TakeOvers & { close(): Promise<void> } {
  const open = new Map<string, Open>();
  const find = (id: string): Open => {
    const found = open.get(id);
    if (found === undefined) throw gone();
    return found;
  };
  const show = (id: string): Promise<TakeOver> => describe(options, id, find(id));
  const change = (id: string, work: (found: Open) => Promise<void>): Promise<TakeOver> =>
    find(id).inTurn(async () => {
      const found = find(id);
      found.verdict = null;
      await work(found);
      return show(id);
    });
  return {
    async open(request) {
      if (open.size >= mostOpen) throw tooMany();
      const found = await openOne(options, request);
      const id = options.createId();
      open.set(id, found);
      return show(id);
    },
    look: id => find(id).inTurn(() => show(id)),
    step: (id, action) => change(id, ({ world, request }) => world.step({ action }, personOf(request))),
    undo: id => change(id, ({ world }) => world.undo()),
    advise: (id, role) =>
      find(id).inTurn(async () => {
        const { decision: _decision, ...advice } = await find(id).world.advise(await agentOf(options, find(id), role));
        return advice;
      }),
    letGoOn: (id, role, steps) => change(id, async found => goOn(options, found, { role, steps })),
    verify: id =>
      find(id).inTurn(async () => {
        const found = find(id);
        found.verdict = await found.world.verify();
        return show(id);
      }),
    keep: (id, reason) =>
      find(id).inTurn(async () => {
        const kept = await keep(options, find(id), reason);
        open.delete(id);
        return kept;
      }),
    async drop(id) {
      await open.get(id)?.world.close();
      open.delete(id);
    },
    async close() {
      await Promise.allSettled([...open.values()].map(({ world }) => world.close()));
      open.clear();
    },
  };
}

async function openOne(options: TakeOversOptions, request: OpenTakeOver): Promise<Open> {
  const { run, episode, node, replaces } = request;
  const record = options.record(run, episode);
  if (replaces !== null && record.tree.node(replaces).parent !== node) throw notAfter(replaces, node);
  const screenOf = (id: number): string => options.screen(run, episode, id);
  const prefix = branchPrefix({ record, node, replaces, screenOf });
  const environment = await options.run(run).worlds.environment(record.head.task.environment);
  const head = { ...record.head, key: 'studio', phase: 'collect', round: drivenRound, strategy: 'studio' } as const;
  const world = await openTakenWorld({ environment, head, prefix, host: options.host });
  return { request, record, head, world, inTurn: createTurns(), verdict: null };
}

async function describe(options: TakeOversOptions, id: string, found: Open): Promise<TakeOver> {
  const { request, record, world, verdict } = found;
  const { run, episode, node, person, replaces } = request;
  return {
    id,
    run,
    episode,
    node,
    person,
    instruction: record.head.task.instruction,
    ...(await world.look()),
    digest: world.digest,
    steps: world.steps(),
    hasEnded: world.hasEnded(),
    verdict,
    agents: options.run(run).agents.offered(record.head.phase),
    notKept: whyNotKept(record),
    replaces: replaces === null ? null : { id: replaces, text: record.text(replaces) },
  };
}

/** What is evaluated on must never be trained on. */
function whyNotKept({ head }: EpisodeRecord): string | null {
  const isForEvaluation = head.phase === 'evaluate' || isEvaluationSeed(head.task.seed) || head.task.split !== 'train';
  return isForEvaluation
    ? 'This task is for evaluation. A branch of it is not kept, as it could end up in training data.'
    : null;
}

function personOf({ person }: OpenTakeOver): Actor {
  return { role: 'human', name: person };
}

async function agentOf(options: TakeOversOptions, { request, record }: Open, role: AgentRole): Promise<AskedAgent> {
  const { agents } = options.run(request.run);
  if (!agents.offered(record.head.phase).includes(role)) throw notOffered(role);
  if (role === 'student') return { role, agent: await agents.student() };
  const rejected = request.replaces === null ? null : record.tree.node(request.replaces).action;
  return { role, agent: await agents.teacher(), rejected };
}

async function goOn(
  options: TakeOversOptions,
  found: Open,
  { role, steps }: { readonly role: AgentRole; readonly steps: number },
): Promise<void> {
  const asked = await agentOf(options, found, role);
  const actor: Actor = { role, name: asked.agent.name };
  for (let taken = 0; taken < Math.min(steps, mostSteps) && !found.world.hasEnded(); taken++) {
    const { decision } = await found.world.advise(asked);
    const { action, alternatives: _alternatives, ...remarks } = decision;
    if (action === null) return;
    await found.world.step({ action, ...remarks }, actor);
  }
}

/** Writes the branch into the store of its run, as an episode of its own. */
async function keep(options: TakeOversOptions, found: Open, reason: string): Promise<KeptBranch> {
  const refusal = whyNotKept(found.record);
  if (refusal !== null) throw refused(refusal);
  if (found.world.steps().length === 0) throw refused('No step was taken.');
  const { folder, index } = options.run(found.request.run);
  // Opened first: a store that another process writes is told before the branch has ended.
  const store = openRunForWriting(folder);
  try {
    const branch = await found.world.finish(personOf(found.request), reason);
    const head = headOf(store, found);
    writeBranch(store, head, branch);
    store.flush();
    index.refresh();
    const episode = index.listing.find(head.run, head.key);
    return { episode: episode ?? 0, key: head.key, outcome: branch.end.outcome };
  } finally {
    closeAfter(store);
  }
}

function headOf(store: Store, { head, request }: Open): EpisodeHead {
  const done = store.done(head.run);
  let trial = 0;
  while (done.has(keyOf(head, trial))) trial++;
  return { ...head, key: keyOf(head, trial), trial, index: done.size, teacher: request.person };
}

function keyOf({ task }: EpisodeHead, trial: number): string {
  return `collect/${drivenRound}/${task.id}/${trial}`;
}

function writeBranch(store: Store, head: EpisodeHead, { events, end, attachments }: WrittenBranch): void {
  const log = store.begin(head);
  for (const data of attachments) log.attach(data);
  for (const event of events) log.append(event);
  log.end(end);
}

function refused(message: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `The branch cannot be kept: ${message}`,
    expected: 'You can still act in it and verify it.',
  });
}

function notOffered(role: AgentRole): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `The ${role} of this run cannot be asked.`,
    expected: 'Act by hand, or ask somebody else.',
  });
}

function notAfter(replaces: number, node: number): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `Step ${replaces} does not follow step ${node}.`,
    expected: 'A correction replaces a step that was taken in the restored state.',
  });
}

function tooMany(): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `${mostOpen} worlds are held open already.`,
    expected: 'Keep or drop one of them first.',
  });
}

function gone(): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'closed',
    message: 'This world is not open any more.',
    expected: 'Take over again from the tree of the episode.',
  });
}
