import { readdirSync, readFileSync } from 'node:fs';
import { createRandom, type Random } from '../src/core/random.ts';
import type { Session, Snapshot } from '../src/core/contracts.ts';
import { createTerminalEnvironment } from '../src/envs/terminal/environment.ts';
import type { TerminalTemplate } from '../src/envs/terminal/domains/template.ts';
import { createLayeredSandboxes } from '../src/envs/terminal/sandbox/layered-sandboxes.ts';
import { asyncTimings, figure, type Bench, type BenchOptions, type Figure } from './measure.ts';

const nothingToDo = { instruction: 'Do nothing.', checks: [], allow: ['**'], oracle: [], mutants: [] };

/** A world of many files, for figures of size. */
const wide: TerminalTemplate = {
  id: 'bench/wide',
  split: 'train',
  about: 'A tree of 10,000 files.',
  draw: random => ({
    ...nothingToDo,
    files: Array.from({ length: 10_000 }, (_, at) => ({
      path: `d${at % 100}/f${at}.txt`,
      content: `${random.between(0, 1e9)}\n`,
    })),
  }),
};

const small: TerminalTemplate = {
  ...wide,
  id: 'bench/small',
  draw: random => ({ ...nothingToDo, files: [{ path: 'a', content: String(random.next()) }] }),
};

const run = (command: string) => ({ kind: 'call', tool: 'run', input: { command } }) as const;

async function* measure({ rollbacks }: BenchOptions): AsyncGenerator<Figure> {
  const environment = createTerminalEnvironment({
    id: 'bench',
    templates: [small, wide],
    sandboxes: () => createLayeredSandboxes(),
  });
  let seed = 0;
  const open = async (template = small.id): Promise<Session> =>
    environment.open(await environment.task(template, ++seed));
  const session = await open();
  yield figure('terminal.open', 'ms', await asyncTimings(async () => (await open()).close()));
  yield figure('terminal.run', 'ms', await asyncTimings(async () => session.step(run('true'))));
  yield figure('terminal.snapshot', 'ms', await asyncTimings(async () => session.snapshot?.()));
  yield figure('terminal.fork', 'ms', await asyncTimings(async () => (await session.fork?.())?.close()));
  yield* deep(session);
  const large = await open(wide.id);
  const touch = (round: number): string => `for i in 0 1 2 3 4 5 6 7 8 9; do echo ${round} > d$i/f$i.txt; done`;
  const digests: number[] = [];
  for (let round = 0; round < 12; round++) {
    await large.step(run(touch(round)));
    const start = performance.now();
    await large.digest();
    digests.push(performance.now() - start);
  }
  yield figure('terminal.digest', 'ms', digests.slice(3));
  const before = residentMegabytes();
  const many = await Promise.all(Array.from({ length: 200 }, () => open()));
  await Promise.all(many.map(each => each.step(run('echo x > file'))));
  yield figure('terminal.memory-200', 'MiB', [residentMegabytes() - before]);
  for (const each of many) await each.close();
  yield figure('terminal.wrong', 'count', [await wrongRollbacks(open, rollbacks)]);
  await environment.close?.();
}

/** Restores thirty layers deep, with a command that sees that state. */
async function* deep(session: Session): AsyncGenerator<Figure> {
  for (let step = 0; step < 30; step++) await session.step(run(`echo ${step} > file-${step}`));
  const snapshot = (await session.snapshot?.()) as Snapshot;
  yield figure('terminal.restore@30', 'ms', await asyncTimings(async () => session.restore?.(snapshot)));
  yield figure('terminal.run@30', 'ms', await asyncTimings(async () => session.step(run('true'))));
}

/** Memory of this process and of the processes that it started. */
function residentMegabytes(): number {
  const own = String(process.pid);
  const pids = readdirSync('/proc').filter(name => name === own || (/^\d+$/.test(name) && parentOf(name) === own));
  const pages = pids.reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]), 0);
  return (pages * pageBytes) / 2 ** 20;
}

const pageBytes = 4096;

/** A process may end while it is looked at. */
function parentOf(pid: string): string | undefined {
  try {
    return /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

const commands = [
  'echo $RANDOM_WORD > a',
  'mkdir -p d && echo x >> d/x',
  'rm -rf d',
  'cp a b',
  'chmod 600 a',
  'ln -sf a l',
  'mv b c',
  'rm -f c l',
  'cd /tmp',
  'cd',
  'export V=1',
  'export V=2',
];

/** Goes back to random states of random walks, and compares each with a fresh replay: the digest, and what the files say. */
async function wrongRollbacks(open: () => Promise<Session>, wanted: number): Promise<number> {
  const random: Random = createRandom('rollbacks');
  const look = run('pwd; echo $V; cd; find . -printf "%p %m %l\\n" | sort; cat a b c d/x 2>&1');
  let [wrong, tried] = [0, 0];
  while (tried < wanted) {
    const session = await open();
    const fresh = await session.fork?.();
    if (fresh === undefined) return wanted;
    const states: { snapshot: Snapshot; digest: string; path: string[]; seen: string }[] = [];
    const path: string[] = [];
    for (let step = 0; step < 8; step++) {
      const command = random.pick(commands).replace('$RANDOM_WORD', String(random.between(1, 99)));
      path.push(command);
      await session.step(run(command));
      const looking = (await session.fork?.()) as Session;
      const seen = JSON.stringify(await looking.step(look));
      await looking.close();
      states.push({
        snapshot: (await session.snapshot?.()) as Snapshot,
        digest: await session.digest(),
        path: [...path],
        seen,
      });
    }
    for (let round = 0; round < 25 && tried < wanted; round++, tried++) {
      const state = random.pick(states);
      await session.step(run(random.pick(commands)));
      await session.restore?.(state.snapshot);
      const isSame = (await session.digest()) === state.digest;
      // What the files say is compared for some: it takes a command.
      if (!isSame || (round % 5 === 0 && JSON.stringify(await session.step(look)) !== state.seen)) wrong++;
      await session.restore?.(state.snapshot);
    }
    // The replay from the start gives the same digests and texts.
    for (const [at, command] of path.entries()) {
      await fresh.step(run(command));
      if ((await fresh.digest()) !== states[at]?.digest) wrong++;
    }
    if (JSON.stringify(await fresh.step(look)) !== states.at(-1)?.seen) wrong++;
    for (const each of [session, fresh]) await each.close();
  }
  return wrong;
}

export const terminalBench: Bench = {
  group: 'terminal',
  onDemand: true,
  figures: [
    'terminal.open',
    'terminal.run',
    'terminal.run@30',
    'terminal.snapshot',
    'terminal.fork',
    'terminal.restore@30',
    'terminal.digest',
    'terminal.memory-200',
    'terminal.wrong',
  ],
  run: measure,
};
