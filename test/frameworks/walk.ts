import type { Action } from '../../src/core/action.ts';
import type { Awaitable, Environment, Session } from '../../src/core/contracts.ts';
import { DivergenceError } from '../../src/core/errors.ts';
import type { Trail } from '../../src/core/episode/trail.ts';
import { createRandom, type Random } from '../../src/core/random.ts';
import type { StepOutcome } from '../../src/core/records.ts';
import { createTrail } from '../../src/worlds/trail.ts';
import { actionFor, type Step } from '../fixtures/pages/retrace.ts';

export interface WalkOptions {
  /** What is done first. */
  readonly steps: readonly Step[];
  /** Steps at random after that. */
  readonly more?: number;
  readonly rollbacks: number;
  readonly seed: string;
  /** Whether the way is recorded in the page that is rolled back, before it is: a page less, and nobody asks whether two agree. */
  readonly inOnePage?: boolean;
  /** Called in each state of the first page. */
  look?(session: Session): Promise<void>;
}

export interface WalkReport {
  readonly rollbacks: number;
  /** Rollbacks by snapshot. */
  readonly restored: number;
  /** Why the others were replays, the most frequent first. */
  readonly replayed: readonly { readonly reason: string; readonly count: number }[];
  /** Where a restore, or what was done after it, gave another text or digest than a fresh page that was never rolled back. */
  readonly wrong: readonly string[];
  /** Where two fresh pages disagree: nothing that was rolled back is to blame, and nothing of it would be certified. */
  readonly unsteady: readonly string[];
  /** Different states on the way. */
  readonly states: number;
}

interface Seen {
  readonly digest: string;
  readonly text: string;
  /** Undefined before the first step. */
  readonly fingerprint: string | undefined;
}

const actor = { role: 'student', name: 'walk' } as const;

/**
 * Walks through an app, then goes back to a state of the way again and again and on from there for some steps. Everything
 * is compared with a page that took the same path and was never rolled back.
 */
export async function walkApp(environment: Environment, options: WalkOptions): Promise<WalkReport> {
  const random = createRandom(options.seed);
  const task = await environment.task(environment.templates[0]?.id ?? '', 1);
  const alone = options.inOnePage === true ? null : await recordAlone(await environment.open(task), options, random);
  const trail = await createTrail(environment, task);
  const { actions, seen } = alone ?? (await recordOn(trail, options, random));
  const reasons = new Map<string, number>();
  const [wrong, unsteady]: [string[], string[]] = [[], []];
  /** The last node of each depth. */
  const nodes = [0, ...trail.tree.path(trail.at()).map(({ id }) => id)];
  let [depth, rollbacks, isRestored] = [nodes.length - 1, 0, false];
  /** A restore is to blame for what fresh pages do alike. */
  const note = async (what: string): Promise<void> => {
    const isWrong = isRestored && (await isSteady(() => environment.open(task), actions.slice(0, depth), seen));
    (isWrong ? wrong : unsteady).push(what);
  };
  const compare = async (what: string, outcome?: StepOutcome): Promise<void> => {
    const [now, then] = [await seenIn(trail.session(), outcome), seen[depth] as Seen];
    if (now.text !== then.text) await note(`${what}: ${difference(then.text, now.text)}`);
    else if (now.digest !== then.digest) await note(`${what}: the same text, another digest`);
    else if (outcome !== undefined && now.fingerprint !== then.fingerprint)
      await note(`${what}: the same digest, another fingerprint`);
  };
  const onwards = async (to: number, after: string): Promise<void> => {
    while (depth < to) {
      const before = trail.session();
      const { id, outcome } = await trail.step(actions[depth] as Action, actor);
      nodes[depth + 1] = id;
      depth++;
      // The trail takes another page where a step that is on record leads elsewhere after a restore.
      if (trail.session() !== before) await note(`step ${depth} ${after} led elsewhere`);
      await compare(`step ${depth} ${after}`, outcome);
    }
  };
  try {
    await onwards(actions.length, 'of a second page');
    for (; rollbacks < options.rollbacks && unsteady.length === 0; rollbacks++) {
      depth = random.between(0, depth - 1);
      const { divergence } = await trail.rollback(nodes[depth] as number);
      isRestored = divergence === null;
      if (divergence !== null) reasons.set(divergence, (reasons.get(divergence) ?? 0) + 1);
      const how = `after a ${divergence === null ? 'restore' : 'replay'} of state ${depth}`;
      await compare(how);
      await onwards(random.between(depth + 1, Math.min(depth + 3, actions.length)), how);
    }
  } catch (cause) {
    if (!(cause instanceof DivergenceError)) throw cause;
    unsteady.push(`a replay of state ${depth}: ${cause.message}`);
  } finally {
    await trail.session().close();
  }
  const replayed = [...reasons].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
  const restored = rollbacks - replayed.reduce((sum, { count }) => sum + count, 0);
  const states = new Set(seen.map(({ digest }) => digest)).size;
  return { rollbacks, restored, replayed, wrong, unsteady, states };
}

/** Fresh pages that are asked whether what somebody does leads to the same states each time. */
const asked = 3;

async function isSteady(
  open: () => Awaitable<Session>,
  actions: readonly Action[],
  seen: readonly Seen[],
): Promise<boolean> {
  for (let page = 0; page < asked; page++) {
    const session = await open();
    try {
      for (const [index, action] of actions.entries()) {
        const now = await seenIn(session, await session.step(action));
        if (JSON.stringify(now) !== JSON.stringify(seen[index + 1])) return false;
      }
    } finally {
      await session.close();
    }
  }
  return true;
}

interface Recorded {
  readonly actions: readonly Action[];
  /** Before the first action, and after each. */
  readonly seen: readonly Seen[];
}

/** In a page of its own. */
async function recordAlone(session: Session, options: WalkOptions, random: Random): Promise<Recorded> {
  try {
    return await record({ session, take: action => session.step(action) }, options, random);
  } finally {
    await session.close();
  }
}

/** In the page that is rolled back later. */
async function recordOn(trail: Trail, options: WalkOptions, random: Random): Promise<Recorded> {
  const session = trail.session();
  try {
    const take = async (action: Action): Promise<StepOutcome> => (await trail.step(action, actor)).outcome;
    return await record({ session, take }, options, random);
  } catch (cause) {
    await session.close();
    throw cause;
  }
}

interface Walker {
  readonly session: Session;
  take(action: Action): Awaitable<StepOutcome>;
}

async function record({ session, take }: Walker, options: WalkOptions, random: Random): Promise<Recorded> {
  const { steps, more = 0, look } = options;
  const [actions, seen]: [Action[], Seen[]] = [[], [await seenIn(session)]];
  await look?.(session);
  while (actions.length < steps.length + more) {
    const step = steps[actions.length];
    const action = step === undefined ? await actionAtRandom(session, random) : await actionFor(session, step);
    const outcome = await take(action);
    if (step !== undefined && !outcome.applied)
      throw new Error(`${JSON.stringify(step)} cannot be done: ${outcome.problem?.message}`);
    actions.push(action);
    seen.push(await seenIn(session, outcome));
    await look?.(session);
  }
  return { actions, seen };
}

async function actionAtRandom(session: Session, random: Random): Promise<Action> {
  const offered = (await session.candidates?.()) ?? [];
  return offered.length === 0 ? { kind: 'wait', milliseconds: 100 } : random.pick(offered).action;
}

async function seenIn(session: Session, outcome?: StepOutcome): Promise<Seen> {
  return { digest: await session.digest(), text: (await session.observe()).text, fingerprint: outcome?.fingerprint };
}

function difference(expected: string, found: string): string {
  const [wanted, had] = [expected.split('\n'), found.split('\n')];
  const at = wanted.findIndex((line, index) => line !== had[index]);
  return `expected "${wanted[at]?.trim() ?? ''}", found "${had[at]?.trim() ?? ''}"`;
}
