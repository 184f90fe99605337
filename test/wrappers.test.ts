import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCostMeter } from '../src/agents/page-search/cost-meter.ts';
import type { Action } from '../src/core/action.ts';
import {
  environmentMembers,
  type Awaitable,
  type Environment,
  type Session,
  type StateEnvironment,
  type StatePowers,
  type StateSession,
} from '../src/core/contracts.ts';
import { mediateSession, type StepContract } from '../src/core/step-contracts/step-contract.ts';
import type { StepOutcome, Task, Verdict } from '../src/core/records.ts';
import { createAppEnvironment } from '../src/envs/web/apps/app-environment.ts';
import { withInputState } from '../src/envs/web/apps/app-input-state.ts';
import { createWarmStarts } from '../src/envs/web/sessions/warm-starts.ts';
import type { Guard } from '../src/episode/cursor/deadline.ts';
import { watchForks, watchState, watchWorld } from '../src/episode/cursor/watched-world.ts';
import { holdContracts } from '../src/runs/environments/hold-contracts.ts';
import { offerActions } from '../src/runs/environments/offered-actions.ts';
import { withNoise } from '../src/worlds/wrappers/noise.ts';
import { withStepLimit } from '../src/worlds/wrappers/step-limit.ts';
import { wrapEnvironment } from '../src/core/wrap-environment.ts';
import { mailWorld } from './fixtures/episodes.ts';

const task = mailWorld.task('star-message', 3);
const finish: Action = { kind: 'finish' };
const passed: Verdict = mailWorld.open(task).verify();

/** Every power that the contract knows: the compiler asks for one that is missing. */
type Everything = Required<Session> & StatePowers;
type Asked = readonly [power: string, ...given: unknown[]];

/** A session with every power. Its verbs are methods of a class, which throw when they lose their object. */
class FullSession implements Everything {
  readonly task = task;
  readonly background = {
    step: async (action: Action) => this.#tell({ applied: true }, 'background.step', action),
    verify: async () => this.#tell(passed, 'background.verify'),
  };
  readonly #asked: Asked[];
  constructor(asked: Asked[]) {
    this.#asked = asked;
  }
  #tell<T>(answer: T, ...asked: Asked): T {
    this.#asked.push(asked);
    return answer;
  }
  observe() {
    return this.#tell({ text: 'screen' }, 'observe');
  }
  step(action: Action): StepOutcome {
    return this.#tell({ applied: true }, 'step', action);
  }
  digest() {
    return this.#tell('digest', 'digest');
  }
  verify() {
    return this.#tell(passed, 'verify');
  }
  close() {
    this.#tell(undefined, 'close');
  }
  snapshot() {
    return this.#tell({ owner: 'full' }, 'snapshot');
  }
  restore(snapshot: unknown) {
    this.#tell(undefined, 'restore', snapshot);
  }
  fork(options?: unknown): FullSession {
    return this.#tell(new FullSession(this.#asked), 'fork', options);
  }
  candidates() {
    return this.#tell([{ action: finish }], 'candidates');
  }
  ended() {
    return this.#tell(null, 'ended');
  }
  role() {
    return this.#tell('Ann', 'role');
  }
  judgedState() {
    return this.#tell('judged', 'judgedState');
  }
  appearance() {
    return this.#tell({ picture: 'p' }, 'appearance');
  }
  unsteady() {
    return this.#tell('the wind', 'unsteady');
  }
  solution() {
    return this.#tell([finish], 'solution');
  }
  conditions() {
    return this.#tell({}, 'conditions');
  }
  locator(action: Action) {
    return this.#tell('body', 'locator', action);
  }
  screen() {
    return this.#tell({ role: 'page', name: 'screen' } as const, 'screen');
  }
  state() {
    return this.#tell({}, 'state');
  }
  guide() {
    return this.#tell({ unmet: 0, unmetChecks: 0, clean: true, finish }, 'guide');
  }
}

/** The least that a session can do. */
function bareSession(): Session {
  const full = new FullSession([]);
  return {
    task,
    observe: () => full.observe(),
    step: action => full.step(action),
    digest: () => full.digest(),
    verify: () => full.verify(),
    close: () => full.close(),
  };
}

const statePowers = ['screen', 'state', 'guide'] satisfies (keyof StatePowers)[];
const basicPowers = Object.keys(bareSession());
const powers = Object.keys({
  task: true,
  observe: true,
  step: true,
  digest: true,
  verify: true,
  close: true,
  snapshot: true,
  restore: true,
  fork: true,
  candidates: true,
  ended: true,
  role: true,
  judgedState: true,
  appearance: true,
  unsteady: true,
  conditions: true,
  locator: true,
  solution: true,
  background: true,
  screen: true,
  state: true,
  guide: true,
} satisfies Record<keyof Everything, true>) as (keyof Everything)[];

function environmentOf(session: Session): Required<StateEnvironment> {
  const { id, title, templates, tools } = mailWorld;
  return {
    id,
    title,
    templates,
    tools,
    hasScreen: false,
    roles: ['a', 'b'],
    certification: 'by-construction',
    lightForks: true,
    task: () => task,
    open: () => session as StateSession,
    openWarm: () => session,
    close: () => undefined,
    verifier: given => mailWorld.verifier(given),
  };
}

const guard: Guard = (_party, ask) => ask();
const allowed: StepContract = { id: 'none', about: 'All is allowed.', mediation: 'log', holds: () => true };
const quiet = { seed: 1, timeout: 1e-12 };

interface Wrapping {
  wrap(session: Session): Awaitable<Session>;
  /** Whether agents with privileged access look through it. */
  readonly showsState?: true;
  /** Made for sessions that show their state alone. */
  readonly needsState?: true;
}

const wrappers: Record<string, Wrapping> = {
  'noise, opened': { wrap: session => withNoise(environmentOf(session), quiet).open(task) },
  'noise, opened warm': { wrap: session => withNoise(environmentOf(session), quiet).openWarm!(task) },
  'a step limit': { wrap: session => withStepLimit(environmentOf(session)).open(task) },
  contracts: { wrap: session => mediateSession(session, [allowed]), showsState: true },
  'contracts of a run': {
    wrap: session => holdContracts(environmentOf(session), [allowed]).open(task),
    showsState: true,
  },
  'offered tools': { wrap: session => offerActions(environmentOf(session), 'tools').open(task), showsState: true },
  'offered tools, opened warm': {
    wrap: session => offerActions(environmentOf(session), 'tools').openWarm!(task),
    showsState: true,
  },
  'a deadline': { wrap: session => watchWorld({ open: () => session }, guard).open(task) },
  'a deadline on forks': { wrap: session => watchForks(session, guard) },
  'a deadline on states': {
    wrap: session => watchState(session as StateSession, guard),
    showsState: true,
    needsState: true,
  },
  'a cost meter': { wrap: session => createCostMeter().count(session) },
  'a warm start': { wrap: session => warmStart(session) },
  'a person at a screen': {
    wrap: session => withInputState(session as StateSession).session,
    showsState: true,
    needsState: true,
  },
};

function warmStart(session: Session): Promise<Session> {
  const keeper = { isUsable: async () => true, begin: async () => session, close: async () => undefined };
  return createWarmStarts(
    async () => keeper,
    () => () => undefined,
  ).open(task);
}

const names = Object.keys(wrappers);
const isState = (power: string): boolean => (statePowers as string[]).includes(power);
const cells = names.flatMap(name => powers.map(power => [power, name] as const));
const isHidden = ([power, name]: (typeof cells)[number]): boolean =>
  isState(power) && wrappers[name]?.showsState !== true;

/** Uses a power of a session, as its callers do. */
async function use(session: Session, power: Exclude<keyof Everything, 'task'>): Promise<void> {
  const everything = session as Everything;
  if (power === 'step' || power === 'locator') return void (await everything[power](finish));
  if (power === 'restore') return everything.restore(await everything.snapshot());
  if (power === 'fork') return void (await everything.fork({ unchecked: true }));
  if (power === 'background') {
    await everything.background.step(finish);
    return void (await everything.background.verify());
  }
  await everything[power]();
}

/** What the session inside is asked for; episodes step in the background where they can. */
const reaching: Partial<Record<keyof Everything, readonly string[]>> = {
  step: ['step', 'background.step'],
  verify: ['verify', 'background.verify'],
  background: ['background.step'],
};

const given: Partial<Record<keyof Everything, readonly unknown[]>> = {
  step: [finish],
  locator: [finish],
  background: [finish],
  fork: [{ unchecked: true }],
  restore: [{ owner: 'full' }],
};

describe('wrappers of sessions', () => {
  it.each(cells.filter(cell => !isHidden(cell) && cell[0] !== 'task'))(
    '[WRAP-6] %s survives %s',
    async (power, name) => {
      const asked: Asked[] = [];
      const wrapped = await (wrappers[name] as Wrapping).wrap(new FullSession(asked));
      await use(wrapped, power as Exclude<typeof power, 'task'>);
      const found = asked.find(([verb]) => (reaching[power] ?? [power]).includes(verb));
      const [, ...received] = found ?? ['not asked', null];
      expect(received.filter(value => value !== undefined)).toEqual(given[power] ?? []);
    },
  );

  it.each(names)('[WRAP-6] the task survives %s', async name => {
    expect((await (wrappers[name] as Wrapping).wrap(new FullSession([]))).task).toEqual(task);
  });

  it.each(cells.filter(isHidden))('[WRAP-6] %s is not shown by %s', async (power, name) => {
    expect(power in (await (wrappers[name] as Wrapping).wrap(new FullSession([])))).toBe(false);
  });

  it.each(names)('[WRAP-6] forks of a session in %s keep every power', async name => {
    const { wrap, showsState } = wrappers[name] as Wrapping;
    const wrapped = await wrap(new FullSession([]));
    const fork = await wrapped.fork!();
    const kept = powers.filter(power => power in fork);
    const own = powers.filter(power => showsState === true || !isState(power));
    // Forks that are left as they are show what the session inside shows.
    expect(kept).toEqual(fork instanceof FullSession ? powers : own);
    await use(fork, 'step');
  });

  it.each(names.filter(name => wrappers[name]?.needsState !== true))(
    '[WRAP-6] %s adds no power that a session lacks',
    async name => {
      const wrapped = await (wrappers[name] as Wrapping).wrap(bareSession());
      expect(Object.keys(wrapped).toSorted()).toEqual(basicPowers.toSorted());
    },
  );

  it('[WRAP-8] a step in the background is refused, lost and counted like any other', async () => {
    const asked: Asked[] = [];
    const full = (): Session => new FullSession(asked);
    const click: Action = { kind: 'click', ref: 'e1' };
    const none: StepContract = { ...allowed, mediation: 'block', holds: () => false };
    const meter = createCostMeter({ actions: 1, verifierCalls: 9 });
    const noisy = await withNoise(environmentOf(full()), { seed: 1, timeout: 1 }).open(task);
    const offered = await offerActions(environmentOf(full()), 'tools').open(task);
    for (const session of [noisy, offered, mediateSession(full(), [none])])
      expect(await session.background!.step(click)).toMatchObject({ applied: false, role: 'Ann' });
    expect(asked.filter(([verb]) => verb.endsWith('step'))).toEqual([]);
    await meter.count(full()).background!.step(click);
    expect(meter.actionsLeft()).toBe(0);
  });
});

const environments: Record<string, { wrap(environment: StateEnvironment): Environment; readonly without: string[] }> = {
  noise: { wrap: environment => withNoise(environment, quiet), without: ['verifier'] },
  'a step limit': { wrap: environment => withStepLimit(environment), without: ['verifier'] },
  'offered tools': { wrap: environment => offerActions(environment, 'tools'), without: [] },
  contracts: { wrap: environment => holdContracts(environment, [allowed]), without: [] },
  'a browser': {
    wrap: environment => createAppEnvironment(environment, {} as Parameters<typeof createAppEnvironment>[1]),
    // A drawn app has no light forks, and is opened in a page every time.
    without: ['lightForks', 'openWarm'],
  },
};

describe('wrappers of environments', () => {
  it.each(Object.keys(environments))('[WRAP-7] %s keeps every member', name => {
    const { wrap, without } = environments[name]!;
    const environment = environmentOf(new FullSession([]));
    const wrapped = wrap(environment);
    const members = Object.keys(environmentMembers) as (keyof Environment)[];
    expect(members.filter(member => !(member in wrapped))).toEqual(without);
    const said = members.filter(member => typeof environment[member] !== 'function' && member in wrapped);
    expect(said.map(member => wrapped[member])).toEqual(said.map(member => environment[member]));
  });
});

describe('wrappers by hand', () => {
  it('[WRAP-6] there are none: a copy of a session or an environment loses the methods of a class', () => {
    const root = join(import.meta.dirname, '..', 'src');
    const copied = /^ +\.\.\.(session|inner|environment|world),$/m;
    const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .filter(name => copied.test(readFileSync(join(root, name), 'utf8')));
    // These add members to an environment that they have just made.
    expect(found.toSorted()).toEqual([
      'envs/code/environment/environment.ts',
      'envs/web/sites/miniwob/environment.ts',
      'envs/web/sites/wai/environment.ts',
    ]);
  });
});

describe('what wrappers once lost', () => {
  it('[WRAP-6] what a family has beside the contract, such as the controls of a folder of pages', () => {
    const controls = () => 'asked';
    const folder: Environment = Object.assign({ ...mailWorld }, { controls });
    expect(withNoise(folder, quiet)).toMatchObject({ controls });
    expect(withStepLimit(folder)).toMatchObject({ controls });
  });

  it('[WRAP-7] noise around tools alone presents no screen', () => {
    const tools: Environment = { ...mailWorld, hasScreen: false };
    expect(withNoise(tools, quiet).hasScreen).toBe(false);
    expect(withStepLimit(tools).hasScreen).toBe(false);
  });

  it('[WRAP-6] noise keeps the picture of a page, what its verifier reads, and whose turn it is', async () => {
    const session = await withNoise(environmentOf(new FullSession([])), quiet).open(task);
    expect(await session.appearance?.()).toEqual({ picture: 'p' });
    expect(await session.unsteady?.()).toBe('the wind');
    expect(await session.judgedState?.()).toBe('judged');
    expect(await session.role?.()).toBe('Ann');
  });

  it.each(['contracts', 'offered tools'])('[WRAP-6] a fork to try things out stays one behind %s', async name => {
    const asked: Asked[] = [];
    const session = await (wrappers[name] as Wrapping).wrap(new FullSession(asked));
    await session.fork?.({ unchecked: true });
    expect(asked).toContainEqual(['fork', { unchecked: true }]);
  });

  it('[WRAP-6] a team with deadlines still says whose turn it is', async () => {
    const session = await watchWorld({ open: (_task: Task) => new FullSession([]) }, guard).open(task);
    expect(await session.role?.()).toBe('Ann');
  });

  it.each(['at once', 'later'])('[WRAP-9] a session whose wrapper fails %s is closed', async when => {
    const asked: Asked[] = [];
    const opened = (): Awaitable<Session> => {
      if (when === 'at once') throw new Error('no layer for this task');
      return Promise.reject(new Error('no layer for this task'));
    };
    const wrapped = wrapEnvironment(environmentOf(new FullSession(asked)), { opened });
    for (const open of [wrapped.open, wrapped.openWarm]) {
      await expect(async () => open?.(task)).rejects.toThrow('no layer for this task');
    }
    expect(asked).toEqual([['close'], ['close']]);
  });
});
