import { readdirSync, readFileSync } from 'node:fs';
import { createRandom, type Random } from '../src/core/random.ts';
import type { Session, Snapshot } from '../src/core/contracts.ts';
import { createTerminalEnvironment } from '../src/envs/terminal/environment.ts';
import type { TerminalTemplate } from '../src/envs/terminal/domains/template.ts';
import { findMachines, missingForMachines } from '../src/envs/terminal/machine/find-machines.ts';
import { createMachineEnvironment } from '../src/envs/terminal/machine/machine-environment.ts';
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
  // Each with a shell that lives.
  await Promise.all(
    many.map(each => each.step({ kind: 'call', tool: 'keys', input: { keys: 'echo x > file<Enter>' } })),
  );
  yield figure('terminal.memory-200', 'MiB', [residentMegabytes() - before]);
  for (const each of many) await each.close();
  yield figure('terminal.wrong', 'count', [await wrongRollbacks(open, rollbacks)]);
  await environment.close?.();
  yield* machines();
}

/** Forks of a live machine, where this machine can have any: each is compared with the digest of its files and processes. */
async function* machines(): AsyncGenerator<Figure> {
  if (missingForMachines() !== null) return;
  const environment = createMachineEnvironment({ id: 'bench-machines', templates: [small], machines: findMachines });
  const session = await environment.open(await environment.task(small.id, 1));
  await session.step(run('(sleep 1000 &) ; (sleep 1001 &)'));
  const digest = await session.digest();
  const snapshot = (await session.snapshot?.()) as Snapshot;
  yield figure('terminal.vm-run', 'ms', await several(async () => session.step(run('true'))));
  const snapshots: number[] = [];
  for (let round = 0; round < repetitions; round++) {
    await session.step(run(`echo ${round} > file`));
    snapshots.push(...(await several(async () => session.snapshot?.(), 1)));
  }
  yield figure('terminal.vm-snapshot', 'ms', snapshots);
  let wrong = 0;
  yield figure(
    'terminal.branch',
    'ms',
    await several(async () => {
      await session.restore?.(snapshot);
      if ((await session.digest()) !== digest) wrong++;
    }),
  );
  const begun = performance.now();
  const forks = await Promise.all(Array.from({ length: 8 }, async () => session.fork?.()));
  yield figure('terminal.vm-forks-8', 'ms', [performance.now() - begun]);
  for (const fork of forks) if ((await fork?.digest()) !== digest) wrong++;
  yield figure('terminal.vm-wrong', 'count', [wrong]);
  for (const fork of forks) await fork?.close();
  await session.close();
  await environment.close?.();
}

const repetitions = 9;

async function several(work: () => Promise<unknown>, times = repetitions): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < times; round++) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return taken;
}

/** Restores thirty layers deep, with a command that sees that state. */
async function* deep(session: Session): AsyncGenerator<Figure> {
  for (let step = 0; step < 30; step++) await session.step(run(`echo ${step} > file-${step}`));
  const snapshot = (await session.snapshot?.()) as Snapshot;
  yield figure('terminal.restore@30', 'ms', await asyncTimings(async () => session.restore?.(snapshot)));
  yield figure('terminal.run@30', 'ms', await asyncTimings(async () => session.step(run('true'))));
}

/** Memory of this process, of everything that it started, and of layers, which lie in memory and belong to no process. */
function residentMegabytes(): number {
  const parents = new Map(
    readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? [[name, read(`${name}/stat`)]] : [])),
  );
  const isOurs = (pid: string): boolean => {
    const parent = /\) \S (\d+)/.exec(parents.get(pid) ?? '')?.[1];
    return pid === String(process.pid) || (parent !== undefined && isOurs(parent));
  };
  const own = [...parents.keys()].filter(isOurs).map(pid => kilobytes('Pss', read(`${pid}/smaps_rollup`)));
  return (own.reduce((sum, each) => sum + each, 0) + kilobytes('Shmem', read('meminfo'))) / 1024;
}

function kilobytes(name: string, text: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
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
  'ln -f a hard; echo more >> hard',
  'rm -rf d; ln -s . d',
  'rm -rf d; mkdir d; echo new > d/y',
  'mv d e; rm -rf d; cp -r e d; rm -rf e',
  'rm -rf /tmp/t; mkdir -p "/tmp/t/a b"; echo x > "/tmp/t/a b/$RANDOM_WORD"',
  'chmod 000 d; chmod 755 d; touch -d @1 a',
  'mkfifo p; rm -f a; mkdir a; rmdir a; echo back > a',
  'truncate -s 20000 a; printf x | dd of=a bs=1 seek=9000 conv=notrunc 2>/dev/null',
  'cd /tmp',
  'cd',
  'export V=1',
  'export V=2',
];

/** Goes back to random states of random walks, and compares each with a fresh replay: the digest, and what the files say. */
async function wrongRollbacks(open: () => Promise<Session>, wanted: number): Promise<number> {
  const random: Random = createRandom('rollbacks');
  const look = run(
    'pwd; echo $V; cd; find . /tmp -printf "%p %y %m %n %l\\n" | sort; cat a b c hard d/x d/y 2>&1 | cksum',
  );
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
      if (!isSame || JSON.stringify(await session.step(look)) !== state.seen) wrong++;
      await session.restore?.(state.snapshot);
    }
    // The replay from the start gives the same digests and texts.
    for (const [at, command] of path.entries()) {
      await fresh.step(run(command));
      const looking = (await fresh.fork?.()) as Session;
      const seen = JSON.stringify(await looking.step(look));
      await looking.close();
      if ((await fresh.digest()) !== states[at]?.digest || seen !== states[at]?.seen) wrong++;
    }
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
    'terminal.vm-run',
    'terminal.vm-snapshot',
    'terminal.branch',
    'terminal.vm-forks-8',
    'terminal.vm-wrong',
  ],
  run: measure,
};
