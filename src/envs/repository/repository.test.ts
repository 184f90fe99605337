import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../core/contracts.ts';
import type { Verdict } from '../../core/records.ts';
import type { Sandboxes } from '../terminal/sandbox/sandbox.ts';
import { checkLaws } from '../../worlds/laws.ts';
import type { Admission, OwnLadder } from '../../worlds/admission.ts';
import { openRepository } from './environment.ts';
import { openFoundTasks, type FoundTasks } from './found-tasks.ts';
import { madeLanguages, madeProject, type MadeCommit, type MadeLanguage } from './made/made-project.ts';
import { writeMadeProject } from './made/write-project.ts';
import { mineCommit, type Found } from './mine.ts';
import { openProject, openSandboxes, type Project } from './project.ts';

const root = mkdtempSync(join(tmpdir(), 'espalier-repository-'));
afterAll(() => rmSync(root, { recursive: true }));
const isLong = process.env['ESPALIER_LONG'] === '1';

interface Made {
  readonly folder: string;
  readonly commits: readonly MadeCommit[];
  readonly project: Project;
  readonly found: readonly Found[];
  readonly kept: FoundTasks;
  readonly environment: Environment;
}

async function made(language: MadeLanguage): Promise<Made> {
  const folder = join(root, language);
  const commits = writeMadeProject(folder, { seed: 3, language });
  const project = openProject(folder);
  const kept = openFoundTasks(project, join(root, 'found'));
  const sandboxes = await openSandboxes(project);
  // In the short form a mended mistake, a feature, and a note that is no task.
  const newest = project.history.commits(100).filter((_, at) => isLong || [0, 1, 3].includes(at));
  const found: Found[] = [];
  for (const commit of newest) found.push(await mineCommit(project, commit, sandboxes));
  await sandboxes.close();
  for (const each of found) kept.keep(each);
  const { environment } = openRepository(folder, kept) as { environment: Environment };
  return { folder, commits, project, found, kept, environment };
}

const run = (command: string) => ({ kind: 'call', tool: 'run', input: { command } }) as const;

describe.each(madeLanguages)('a made repository in %s', language => {
  let all: Made;
  beforeAll(async () => {
    all = await made(language);
  });
  afterAll(() => all.environment.close?.());

  /** The verdict on a solution, and what came before it. */
  const verdictOf = async (
    commands: readonly string[],
    template = all.environment.templates[0]?.id ?? '',
  ): Promise<Verdict> => {
    const session = await all.environment.open(await all.environment.task(template, 1));
    for (const command of commands) await session.step(run(command));
    await session.step({ kind: 'finish' });
    const verdict = await session.verify();
    await session.close();
    return verdict;
  };
  const solved = async (): Promise<string[]> => {
    const session = await all.environment.open(await all.environment.task(all.environment.templates[0]?.id ?? '', 1));
    const actions = (await session.solution?.()) ?? [];
    await session.close();
    return actions.flatMap(action => (action.kind === 'call' ? [String(action.input['command'])] : []));
  };

  it('[REPO-1] [REPO-7] gives a task for every commit that adds or mends, and a reason for the others', () => {
    const told = new Map(all.commits.map(({ message, isTask }) => [message.split('\n')[0], isTask]));
    const subjects = new Map(all.project.history.commits(100).map(({ id, subject }) => [id, subject]));
    for (const { commit, task } of all.found) expect(task !== null).toBe(told.get(subjects.get(commit) ?? ''));
    expect(all.found.flatMap(({ reason }) => reason ?? [])).toContain('it changes no tests');
    for (const { task } of all.found) {
      if (task === null) continue;
      const { gained } = task.groups['tests-of-the-change'] ?? { gained: [] };
      expect(gained.length).toBeGreaterThan(0);
      expect(task.mutantsFailed).toBeGreaterThanOrEqual(task.mutantsTried / 2);
    }
  });

  it('[REPO-2] begins before the commit, and knows nothing of what comes', async () => {
    const task = await all.environment.task(all.environment.templates[0]?.id ?? '', 1);
    const session = await all.environment.open(task);
    const { result } = await session.step(
      run('cd project && git log --format=%s && git status --short && git rev-list --all --objects | wc -l'),
    );
    const files = all.project.history.files(all.project.history.commits(1)[0]?.parent ?? '').length;
    const output = (result as { output: string }).output.trim().split('\n');
    expect(output[0]).toBe('Start');
    expect(output).toHaveLength(2);
    // A commit, its folders and its files: at most two folders deep here.
    expect(Number(output[1])).toBeLessThanOrEqual(1 + 3 + files);
    expect(await session.verify()).toMatchObject({ pass: false, clean: true });
    await session.close();
  });

  it('[REPO-3] [REPO-4] climbs the ladder: the start fails, the parts of the patch pass, and none can be left out', async () => {
    const source = openRepository(all.folder, all.kept) as { environment: Environment; ladder: OwnLadder };
    const ids = source.environment.templates.map(({ id }) => id).slice(0, isLong ? undefined : 1);
    const admissions: Admission[] = [];
    for await (const admission of source.ladder.admit(ids, 1)) admissions.push(admission);
    expect(admissions.filter(({ admitted }) => !admitted)).toEqual([]);
    expect(admissions.length).toBe(ids.length);
  });

  it('[REPO-4] a solution that changes tests or settings does not pass', async () => {
    const solution = await solved();
    expect(await verdictOf(solution)).toMatchObject({ pass: true });
    const [test, settings] =
      language === 'python' ? ['tests/test_*.py', 'conftest.py'] : ['test/*.test.js', 'package.json'];
    for (const change of [
      `cd ~/project && for one in ${test}; do echo >> $one; done`,
      `cd ~/project && echo >> ${settings}`,
    ])
      expect(await verdictOf([...solution, change])).toMatchObject({ pass: false, clean: false });
    expect(await verdictOf([...solution, 'cd ~/project && echo more > notes.txt'])).toMatchObject({ pass: true });
  });

  it('[REPO-5] ending the tests early, or making every assertion pass, does not pass', async () => {
    const name = all.commits[0]?.files['README.md']?.split('\n')[0]?.slice(2) ?? '';
    const tricks =
      language === 'python'
        ? [
            `printf 'import os\\nos._exit(0)\\n' >> ~/project/${name}/__init__.py`,
            `printf 'import unittest\\nunittest.TestCase.assertEqual = lambda *all: None\\ndef __getattr__(name):\\n    return lambda *all: None\\n' >> ~/project/${name}/__init__.py`,
          ]
        : [
            `echo 'process.exit(0);' >> ~/project/index.js`,
            `sed -i '1i import assert from "node:assert/strict"; import loose from "node:assert"; for (const each of [assert, loose]) { each.deepEqual = () => {}; each.equal = () => {}; }' ~/project/index.js`,
          ];
    for (const trick of tricks) expect(await verdictOf([trick])).toMatchObject({ pass: false });
  });

  it('[REPO-2] obeys the laws', async () => {
    const task = await all.environment.task(all.environment.templates[0]?.id ?? '', 1);
    const results = await checkLaws(all.environment, { tasks: [task], steps: 3 });
    expect(results.filter(({ pass }) => !pass)).toEqual([]);
  });
});

describe('repositories', () => {
  it('[REPO-7] are the same for the same seed, and others for another', () => {
    const one = (seed: number): string => JSON.stringify(madeProject({ seed, language: 'node' }));
    expect(one(5)).toBe(one(5));
    expect(one(6)).not.toBe(one(5));
  });

  it('[REPO-6] that were not checked say what to do; folders that are none say so', () => {
    const folder = join(root, 'unchecked');
    writeMadeProject(folder, { seed: 4, language: 'python' });
    const none = openFoundTasks({ key: 'none' }, join(root, 'none'));
    expect(() => openRepository(folder, none)).toThrow(/espalier check repository:/);
    expect(() => openRepository(join(root, 'missing'), none)).toThrow(/no git repository/);
    expect(() => openRepository(root, none)).toThrow(/no git repository/);
  });

  it('[REPO-1] that name programs in their settings start none of them', () => {
    const folder = join(root, 'hostile');
    writeMadeProject(folder, { seed: 4, language: 'python' });
    const witness = join(root, 'witness');
    const program = join(root, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch ${witness}\ncat "$1"\n`, { mode: 0o755 });
    for (const [name, value] of [
      ['core.fsmonitor', program],
      ['diff.external', program],
      ['diff.spy.textconv', program],
      ['core.pager', program],
      ['filter.spy.smudge', program],
      ['uploadpack.packObjectsHook', program],
    ])
      execFileSync('git', ['config', name as string, value as string], { cwd: folder });
    mkdirSync(join(folder, '.git', 'info'), { recursive: true });
    writeFileSync(join(folder, '.git', 'info', 'attributes'), '* diff=spy filter=spy\n');
    const { history } = openProject(folder);
    const [commit] = history.commits(1);
    if (commit === undefined) throw new Error('no commit');
    history.patch(
      commit,
      history.changes(commit).map(({ path }) => path),
    );
    expect(existsSync(witness)).toBe(false);
  });

  it('[REPO-2] [TERM-21] show their dependencies inside, and what is written there is gone', async () => {
    const folder = join(root, 'dependent');
    writeMadeProject(folder, { seed: 4, language: 'node' });
    mkdirSync(join(folder, 'node_modules', 'dep'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', 'dep', 'index.js'), 'module.exports = 7;\n');
    const project = openProject(folder);
    const sandboxes: Sandboxes = await openSandboxes(project);
    const { createWorld } = await import('../terminal/world/world.ts');
    const { startBefore } = await import('./project.ts');
    const [commit] = project.history.commits(1);
    if (commit === undefined) throw new Error('no commit');
    const task = { ...startBefore(project, commit), instruction: '', checks: [], allow: [], oracle: [], mutants: [] };
    const world = await createWorld(sandboxes, task);
    const said = async (command: string): Promise<string> =>
      (await world.run(world.start, { kind: 'run', command })).ran.output.toString();
    expect(await said('cd project && node -e "console.log(require(\'dep\'))"; git status --short')).toBe('7\n');
    expect(await said('echo bad > project/node_modules/dep/index.js')).toMatch(/denied|too large/);
    // Scratch files of programs are gone with the command.
    expect(await said('echo new > project/node_modules/new && cat project/node_modules/new')).toBe('new\n');
    expect(existsSync(join(folder, 'node_modules', 'new'))).toBe(false);
    expect(await said('ls project/node_modules')).toBe('dep\n');
    expect(await said('mv project/node_modules away; ls')).toContain('busy');
    await world.close();
    await sandboxes.close();
  });
});
