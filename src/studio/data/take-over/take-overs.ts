import type { EpisodeHead } from '../../../core/episode/events.ts';
import { causeText, EspalierError, invalidOption } from '../../../core/errors.ts';
import type { Task, Verdict } from '../../../core/records.ts';
import type { Actor } from '../../../core/tree.ts';
import { drivenRound } from '../../../episode/driven/episodes.ts';
import { createSemaphore, type InTurn } from '../../../core/semaphore.ts';
import { openStore, type Store } from '../../../store/store.ts';
import type { AgentRole, KeptBranch, OpenTakeOver, TakeOver, TakeOvers } from '../../api/api.ts';
import type { PlayRequest, TakeOverDraft } from '../../api/api-tasks.ts';
import { closeAfter, runPaths } from '../../../runs/folder/folder.ts';
import { requireStore } from '../find-runs.ts';
import type { OpenedRun } from '../opened-run.ts';
import { listDrafts, readDraft, removeDraft, type DraftedBranch } from './draft.ts';
import { openAtNode, openDraft, openTask, type OpenBranch, type OpenBranchOptions } from './open-branch.ts';
import type { AskedAgent, WrittenBranch } from './taken-world.ts';
import { whyNotKept } from './why-not-kept.ts';

export interface TakeOversOptions extends OpenBranchOptions {
  /** Ids of take-overs: hard to guess. */
  createId(): string;
}

/** Worlds that people hold open at once. */
const mostOpen = 32;
/** Steps that an agent may take in one go. */
const mostSteps = 30;

interface Open extends OpenBranch {
  readonly inTurn: InTurn;
  /** Of where it stands; null after a further step. */
  verdict: Verdict | null;
  /** What was not written yet although it has ended, as when the disk is full. */
  ended: WrittenBranch | null;
}

interface HeldBranches {
  readonly all: Map<string, Open>;
  find(id: string): Open;
  /** Throws when somebody else has changed the screen that was seen. */
  findSeen(held: Held): Open;
  /** Changes a world, after whatever else was asked of it. */
  change(held: Held, work: (found: Open) => Promise<void>): Promise<TakeOver>;
  begin(work: (id: string) => Promise<OpenBranch>): Promise<TakeOver>;
  /** Opens a branch again that a crash or a restart closed. */
  again(id: string): Promise<void>;
  show(id: string): Promise<TakeOver>;
}

/** The branches that people hold open. */
function createHeldBranches(options: TakeOversOptions): HeldBranches {
  const all = new Map<string, Open>();
  const find = (id: string): Open => {
    const found = all.get(id);
    if (found === undefined) throw gone();
    return found;
  };
  const hold = (id: string, branch: OpenBranch): void =>
    void all.set(id, { ...branch, inTurn: createSemaphore(1).run, verdict: null, ended: null });
  const show = (id: string): Promise<TakeOver> => describe(options, id, find(id));
  const findSeen = ({ id, seen }: Held): Open => {
    const found = find(id);
    if (seen !== undefined && seen !== found.world.at()) throw unseen();
    return found;
  };
  return {
    all,
    find,
    findSeen,
    show,
    change: (held, work) =>
      find(held.id).inTurn(async () => {
        const found = findSeen(held);
        found.verdict = null;
        await work(found);
        return show(held.id);
      }),
    async begin(work) {
      if (all.size >= mostOpen) throw tooMany();
      const id = options.createId();
      hold(id, await work(id));
      return show(id);
    },
    async again(id) {
      if (all.has(id)) return;
      if (all.size >= mostOpen) throw tooMany();
      const found = await openDraft(options, id);
      if (found !== null) hold(id, found);
    },
  };
}

export function createTakeOvers(options: TakeOversOptions): TakeOvers & { close(): Promise<void> } {
  const { all: open, find, findSeen, change, begin, again, show } = createHeldBranches(options);
  return {
    async open(request) {
      requireStore(options.run(request.run).folder);
      return begin(id => openAtNode(options, id, request));
    },
    async play(request) {
      requireStore(options.run(request.run).folder);
      const task = await taskOf(options, request);
      return begin(id => openTask(options, id, { ...request, task }));
    },
    async look(id) {
      await again(id);
      return find(id).inTurn(() => show(id));
    },
    drafts: run => draftsOf(options.run(run)),
    step: (id, action, seen) =>
      change({ id, seen }, ({ world, request }) => {
        if (world.hasEnded()) throw over();
        return world.step({ action }, personOf(request));
      }),
    undo: (id, seen) => change({ id, seen }, ({ world }) => world.undo()),
    advise: (id, role) =>
      find(id).inTurn(async () => {
        const { decision: _decision, ...advice } = await find(id).world.advise(await agentOf(options, find(id), role));
        return advice;
      }),
    letGoOn: (id, role, { steps, seen }) => change({ id, seen }, async found => goOn(options, found, { role, steps })),
    verify: id =>
      find(id).inTurn(async () => {
        const found = find(id);
        found.verdict = await found.world.verify();
        return show(id);
      }),
    keep: (id, reason, seen) =>
      find(id).inTurn(async () => {
        const found = findSeen({ id, seen });
        const kept = await keep(options, found, reason);
        // It is in the journal: whatever fails from here on, it is kept, and only once.
        open.delete(id);
        unlessItFails(found.forget);
        return kept;
      }),
    async drop(id) {
      await open.get(id)?.world.close();
      open.get(id)?.forget();
      for (const { folder } of options.runs()) if (listDrafts(folder).includes(id)) removeDraft(folder, id);
      open.delete(id);
    },
    async close() {
      await Promise.allSettled([...open.values()].map(({ world }) => world.close()));
      open.clear();
    },
  };
}

interface Held {
  readonly id: string;
  /** The node that the person saw the screen of. */
  readonly seen: number | undefined;
}

function unlessItFails<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

async function describe(options: TakeOversOptions, id: string, found: Open): Promise<TakeOver> {
  const { request, head, phase, replaced, world, verdict } = found;
  const { run, episode, node, person } = request;
  return {
    id,
    run,
    episode,
    node,
    person,
    instruction: head.task.instruction,
    ...(await world.look()),
    digest: world.digest,
    at: world.at(),
    steps: world.steps(),
    hasEnded: world.hasEnded(),
    verdict,
    agents: options.run(run).agents.offered(phase),
    notKept: whyNotKept(found),
    replaces: replaced === null ? null : { id: replaced.id, text: replaced.text },
  };
}

/** The task of a template with a seed, from an environment of the run. */
async function taskOf(options: TakeOversOptions, { run, environment, template, seed }: PlayRequest): Promise<Task> {
  const world = await options.run(run).worlds.environment(environment);
  return world.task(template, seed);
}

/** Branches of a run that somebody began and did not keep, without those that have no step. */
function draftsOf({ folder }: OpenedRun): readonly TakeOverDraft[] {
  return listDrafts(folder).flatMap((id): readonly TakeOverDraft[] => {
    let found: DraftedBranch | null;
    try {
      found = readDraft(folder, id);
    } catch (cause) {
      return [{ id, person: '', episode: 0, node: 0, steps: 0, instruction: '', problem: causeText(cause) }];
    }
    if (found === null) return [];
    const { request, head, start, replaces, events } = found;
    const first = Math.max(start, replaces ?? 0);
    const steps = events.filter(event => event.kind === 'step' && event.node.id > first).length;
    const { person, episode, node } = request;
    return steps === 0 ? [] : [{ id, person, episode, node, steps, instruction: head.task.instruction, problem: null }];
  });
}

function personOf({ person }: OpenTakeOver): Actor {
  return { role: 'human', name: person };
}

async function agentOf(
  options: TakeOversOptions,
  { request, phase, replaced }: Open,
  role: AgentRole,
): Promise<AskedAgent> {
  const { agents } = options.run(request.run);
  if (!agents.offered(phase).includes(role)) throw notOffered(role);
  if (role === 'student') return { role, agent: await agents.student() };
  return { role, agent: await agents.teacher(), rejected: replaced?.action ?? null };
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
  const refusal = whyNotKept(found);
  if (refusal !== null) throw refused(refusal);
  if (found.world.steps().length === 0) throw refused('No step was taken.');
  const run = options.run(found.request.run);
  requireStore(run.folder);
  // Opened first: a store that another process writes is told before the branch has ended.
  const store = openStore({ path: runPaths(run.folder).store, mustExist: true });
  try {
    found.ended ??= await found.world.finish(personOf(found.request), reason);
    const head = headOf(store, found);
    writeBranch(store, head, found.ended);
    store.flush();
    const episode = unlessItFails(() => {
      run.index.refresh();
      return run.index.listing.find(head.run, head.key);
    });
    return { episode: episode ?? 0, key: head.key, outcome: found.ended.end.outcome };
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
  return invalidOption(`The branch cannot be kept: ${message}`, 'You can still act in it and verify it.');
}

function notOffered(role: AgentRole): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `The ${role} of this run cannot be asked.`,
    expected: 'Act by hand, or ask somebody else.',
  });
}

function over(): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-action',
    message: 'The task has ended here, so no step can follow.',
    expected: 'Take the last step back to go on.',
  });
}

function unseen(): EspalierError {
  return invalidOption(
    'Somebody else acted in this world, so the screen is not the one you see.',
    'Look at the screen as it is now, then act.',
  );
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
