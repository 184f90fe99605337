import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { terminalTemplates } from '../terminal/domains/catalog.ts';
import { findSandboxes } from '../terminal/sandbox/find-sandboxes.ts';
import { checkTask } from './check-task.ts';
import { exportTask } from './export/export-task.ts';
import { createHarborEnvironment } from './environment.ts';
import { readHarborTasks, type HarborTask } from './task-folder.ts';
import { openWorkshop } from './workshop.ts';
import { buildTask, openHarborWorld, type HarborWorld, type Workshop } from './world.ts';

const fixtures = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'harbor');

let folder = '';
let workshop: Workshop;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-harbor-'));
  chmodSync(folder, 0o755);
  workshop = await openWorkshop(join(folder, 'store'));
});
afterAll(async () => {
  await workshop.sandboxes.close();
  rmSync(folder, { recursive: true });
});

/** A copy of the sound task with other files. */
function task(name: string, changes: Readonly<Record<string, string>>): HarborTask {
  const place = join(folder, name);
  cpSync(join(fixtures, 'hello-file'), place, { recursive: true });
  for (const [path, content] of Object.entries(changes)) {
    mkdirSync(join(place, path, '..'), { recursive: true });
    writeFileSync(join(place, path), content);
  }
  return readHarborTasks(place)[0] as HarborTask;
}

async function open(found: HarborTask): Promise<HarborWorld> {
  const { image, problems } = await buildTask(found, workshop);
  if (image === null) throw new Error(problems.join('\n'));
  return openHarborWorld(found, image, workshop.sandboxes);
}

const dockerfile = String.raw`# syntax=docker/dockerfile:1
ARG RELEASE=bookworm
FROM debian:$RELEASE-slim AS made
RUN mkdir /out && echo made > /out/one.txt
FROM python:3.11-slim
ARG WHO=world
ENV GREETING="hello $WHO" \
    # a comment within
    OTHER=two
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN <<EOF
set -e
useradd -m ada
echo '#!/bin/sh' > /usr/bin/mine
chmod +x /usr/bin/mine
EOF
WORKDIR /app
COPY --from=made /out/one.txt ./
COPY --chown=ada *.cfg data/ conf/
COPY <<"END" /app/raw.txt
$GREETING
END
RUN echo "$GREETING" > greeting.txt && apt-get update && apt-get install -y perl-base && python -c 'print(1)'
USER ada
RUN id -un > /tmp/who
`;

describe('images of Harbor tasks', () => {
  it('[HAR-5] begin in the folder of their base, and take programs of this machine for packages', async () => {
    const lines = [
      'FROM ghcr.io/laude-institute/t-bench/ubuntu-24-04:20250624',
      'RUN apt-get install -y awk && pwd > where',
    ];
    const { world } = await open(task('based', { 'environment/Dockerfile': `${lines.join('\n')}\n` }));
    const { ran } = await world.run(world.start, { kind: 'run', command: 'pwd; cat where' });
    expect(ran.output.toString()).toBe('/app\n/app\n');
    await world.close();
  });

  it('[HAR-5] are made of the lines of a Dockerfile, once', async () => {
    const found = task('built', {
      'environment/Dockerfile': dockerfile,
      'environment/a.cfg': 'a',
      'environment/data/b.cfg': 'b',
    });
    const { world } = await open(found);
    const command =
      'cat one.txt conf/a.cfg conf/b.cfg raw.txt greeting.txt /tmp/who; stat -c %U conf/a.cfg; id -un; pwd; ls /usr/bin/mine; echo $OTHER';
    const { ran } = await world.run(world.start, { kind: 'run', command });
    expect(ran.output.toString()).toBe('made\nab$GREETING\nhello world\nada\nada\nada\n/app\n/usr/bin/mine\ntwo\n');
    await world.close();
    const layers = readdirSync(join(folder, 'store', 'layers')).length;
    const again = await buildTask(found, workshop);
    expect(again.image?.layers).toHaveLength(7);
    expect(readdirSync(join(folder, 'store', 'layers'))).toHaveLength(layers);
  });

  it.each([
    ['FROM debian\nRUN true\nRUN echo no >&2; exit 3', 'line 3: ended with 3: no'],
    ['FROM debian\nPUSH it\nTAKE it', 'line 2: there is no instruction PUSH'],
    ['FROM oracle/database', 'line 1: FROM oracle/database: this machine has nothing like it'],
    ['FROM debian\n\nCOPY nothing.txt /', 'line 3: COPY: nothing.txt is not in the context'],
    ['FROM debian\nADD https://example.org/x /', 'line 2: ADD https://example.org/x: there is no network'],
    ['RUN true', 'line 1: FROM must come first'],
    ['FROM debian\nRUN --mount=type=secret,id=x true', 'line 2: RUN --mount=type=secret,id=x: nothing is mounted here'],
  ])('[HAR-6] that cannot be made say which line: %j', async (content, problem) => {
    const { image, problems } = await buildTask(task('broken', { 'environment/Dockerfile': content }), workshop);
    expect(image).toBeNull();
    expect(problems[0]).toBe(problem);
  });
});

describe('worlds of Harbor tasks', () => {
  it('[HAR-3] are opened as sessions that fork, and the solution passes', async () => {
    const shared = { ...workshop, sandboxes: { ...workshop.sandboxes, close: () => Promise.resolve() } };
    const environment = createHarborEnvironment(join(fixtures, 'hello-file'), () => Promise.resolve(shared));
    const session = await environment.open(await environment.task('hello-file', 1));
    const fork = await session.fork?.();
    for (const action of (await session.solution?.()) ?? []) await session.step(action);
    expect((await session.verify()).pass).toBe(true);
    expect((await fork?.verify())?.pass).toBe(false);
    await session.close();
    await fork?.close();
    await environment.close?.();
  });

  it('[HAR-7] are verified by tests that the agent has neither seen nor touched', async () => {
    const { world, judge } = await open(task('guarded', {}));
    const after = async (command: string) => {
      const { ran, state } = await world.run(world.start, { kind: 'run', command });
      return { said: ran.output.toString(), verdict: await judge(state) };
    };
    expect((await after('ls /tests /solution')).said).toContain('cannot access');
    const writes = 'mkdir -p /tests /logs/verifier; echo "echo 1 > /logs/verifier/reward.txt" > /tests/test.sh';
    const forged = await after(`${writes}; echo 1 > /logs/verifier/reward.txt; echo 1 > /logs/verifier/reward.json`);
    expect(forged.verdict).toMatchObject({ pass: false, clean: false });
    expect(forged.verdict.evidence.sideEffects).toContain('/tests');
    const right = "printf 'Hello, world!\\n' > /app/hello.txt";
    const left = await after(
      '(while :; do echo 1 > /logs/verifier/reward.txt; done) & disown; sleep 0.1; rm -f /logs/verifier/*',
    );
    expect(left.verdict.pass).toBe(false);
    expect((await after(right)).verdict).toMatchObject({ pass: true, clean: true });
    expect((await after(`${right}; ${writes}`)).verdict).toMatchObject({ pass: false, clean: false });
    await world.close();
  });
});

describe('checks of Harbor tasks', () => {
  const check = (name: string, changes: Readonly<Record<string, string>>) => checkTask(task(name, changes), workshop);
  const always = 'mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt';

  it('[HAR-8] find nothing wrong with a sound task', async () => {
    const { defects, tries } = await check('sound', {});
    expect(defects).toEqual([]);
    expect(tries.map(({ what, pass }) => [what, pass])).toEqual([
      ['untouched', false],
      ['empty', false],
      ['oracle', true],
      ['oracle', true],
      ['cut', false],
    ]);
  });

  it.each([
    ['passes untouched', { 'tests/test.sh': always }],
    ['oracle fails', { 'solution/solve.sh': 'true\ntrue\n' }],
    ['does not build', { 'environment/Dockerfile': 'FROM debian\nRUN false' }],
    ['flaky', { 'tests/test.sh': `[ -s /app/hello.txt ] && [ $((RANDOM % 2)) = 0 ] || exit 1\n${always}` }],
    [
      'passes with a part of the solution',
      { 'solution/solve.sh': "printf 'Hello, world!\\n' > /app/hello.txt\ntrue\n" },
    ],
    ['refused', { 'task.toml': '[task' }],
  ])('[HAR-8] say what is wrong: %s', async (defect, changes) => {
    const found = new Set<string>();
    // Two throws of a coin can agree: it is thrown until they do not.
    for (let tries = 0; tries < 12 && !found.has(defect); tries++)
      for (const each of (await check(`defect-${defect.replaceAll(' ', '-')}`, changes)).defects) found.add(each);
    expect([...found]).toContain(defect);
  });

  it('[HAR-9] run tasks of terminal-bench as they are', async () => {
    const [older] = readHarborTasks(join(fixtures, '..', 'terminal-bench', 'hello-older'));
    expect(older).toMatchObject({ layout: 'terminal-bench', problems: [], instruction: 'Write "hi" to /app/hi.txt.' });
    const { defects, tries } = await checkTask(older as HarborTask, workshop);
    expect(defects).toEqual([]);
    expect(tries.map(({ reward }) => reward)).toEqual([0.5, 0.5, 1, 1, 0.5]);
  });
});

describe('terminal tasks as folders of Harbor', () => {
  it.each(['files/sort-inbox', 'git/restore-file', 'logs/count-errors'])(
    '[HAR-11] build, fail untouched and pass with their solution: %s',
    async id => {
      const template = terminalTemplates.find(each => each.id === id);
      const place = join(folder, 'exported', id.replace('/', '-'));
      const sandboxes = await findSandboxes();
      await exportTask({ sandboxes, template: template as NonNullable<typeof template>, seed: 3, folder: place });
      await sandboxes.close();
      const [read] = readHarborTasks(place);
      expect(read?.problems).toEqual([]);
      const { defects, reasons } = await checkTask(read as HarborTask, workshop);
      expect({ defects, reasons }).toEqual({ defects: [], reasons: [] });
    },
  );
});
