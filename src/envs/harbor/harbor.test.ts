import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHarborEnvironment } from './environment.ts';
import { readHarborTasks } from './task-folder.ts';

const sound = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'harbor', 'hello-file');

const unused = () => Promise.reject(new Error('nothing is opened'));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-harbor-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A copy of the sound task with changes; null removes a file or a folder. */
function task(name: string, changes: Readonly<Record<string, string | null>> = {}): string {
  const place = join(folder, name);
  cpSync(sound, place, { recursive: true });
  for (const [path, content] of Object.entries(changes)) {
    if (content === null) rmSync(join(place, path), { recursive: true });
    else {
      mkdirSync(join(place, path, '..'), { recursive: true });
      writeFileSync(join(place, path), content);
    }
  }
  return place;
}

describe('task folders of Harbor', () => {
  it('[HAR-1] are read with their instruction, without the lines that agents are not shown', () => {
    const [read] = readHarborTasks(sound);
    expect(read).toMatchObject({
      name: 'hello-file',
      instruction: 'Create the file /app/hello.txt with the text "Hello, world!" and nothing else.',
      problems: [],
      remarks: [],
      config: { task: { name: 'espalier/hello-file' }, environment: { memory_mb: 1024, os: 'linux' } },
    });
  });

  it.each([
    ['a missing instruction', { 'instruction.md': null }, 'instruction.md is missing'],
    ['an empty instruction', { 'instruction.md': '# canary\n\n' }, 'instruction.md is empty'],
    ['no environment', { environment: null }, 'environment/ is missing, and [environment] names no docker_image'],
    ['an environment without a definition', { 'environment/Dockerfile': null }, 'environment/ has none of Dockerfile'],
    ['no tests', { tests: null }, 'tests/test.sh is missing'],
    ['tests for another system', { 'task.toml': '[environment]\nos = "Windows"' }, 'tests/test.bat is missing'],
    ['what is no TOML', { 'task.toml': '[task\nname = 1' }, 'task.toml, line 1: not TOML at column'],
    ['a name without an organisation', { 'task.toml': '[task]\nname = "hello"' }, 'task.name: expected org/name'],
    ['a limit that is no number', { 'task.toml': '[agent]\ntimeout_sec = "60"' }, 'agent.timeout_sec'],
    [
      'hosts without an allowlist',
      { 'task.toml': '[environment]\nallowed_hosts = ["pypi.org"]' },
      'environment.allowed_hosts: allowed_hosts needs network_mode = "allowlist"',
    ],
    [
      'a server without an address',
      { 'task.toml': '[[environment.mcp_servers]]\nname = "notes"' },
      'environment.mcp_servers.0: a server needs a command',
    ],
    [
      'two places for the verifier',
      { 'task.toml': '[verifier]\nenvironment_mode = "shared"\n[verifier.environment]\ncpus = 1' },
      'verifier.environment_mode: environment_mode = "shared" and [verifier.environment] exclude each other',
    ],
    ['a step outside of the task', { 'task.toml': '[[steps]]\nname = "../other"' }, 'steps.0.name: expected a folder'],
    ['a step without its files', { 'task.toml': '[[steps]]\nname = "one"' }, 'steps/one/instruction.md is missing'],
  ])('[HAR-2] with %s are refused with the reason', (_, changes, reason) => {
    const [read] = readHarborTasks(task('bad', changes));
    expect(read?.problems.join('\n')).toContain(reason);
  });

  it('[HAR-2] must not link to files outside', () => {
    const place = task('linked');
    symlinkSync('/etc/passwd', join(place, 'tests', 'users'));
    symlinkSync(join(place, 'tests', 'test.sh'), join(place, 'tests', 'again.sh'));
    expect(readHarborTasks(place)[0]?.problems).toEqual(['tests/users is a link that leads out of the task.']);
  });

  it('[HAR-2] may have no solution, and name an image instead of a definition', () => {
    const place = task('bare', { solution: null, environment: null, 'task.toml': '[environment]\ndocker_image = "a"' });
    const [read] = readHarborTasks(place);
    expect(read?.problems).toEqual([]);
    expect(read?.remarks).toEqual(['solution/solve.sh is missing: nothing shows that the task can be solved.']);
  });

  it('[HAR-1] of several steps have an instruction for each', () => {
    const place = task('stepped', {
      'task.toml': '[[steps]]\nname = "one"\n\n[[steps]]\nname = "two"',
      'steps/one/instruction.md': 'First this.',
      'steps/two/instruction.md': 'Then that.',
    });
    const [read] = readHarborTasks(place);
    expect(read).toMatchObject({ instruction: 'First this.', problems: [] });
  });

  it('[HAR-3] are an environment whose sound tasks are listed', async () => {
    task('good');
    task('bad', { tests: null });
    task('imaged', { environment: null, 'task.toml': '[environment]\ndocker_image = "a"' });
    const environment = createHarborEnvironment(folder, unused);
    expect(environment.templates.map(({ id, about }) => [id, about])).toEqual([
      ['good', 'Write a greeting to a file.'],
    ]);
    expect(environment.leftOut).toEqual([
      'bad: tests/test.sh is missing: it verifies the task.',
      'imaged: there is no Dockerfile: images are not fetched',
    ]);
    const made = await environment.task('good', 1);
    expect(made.instruction).toContain('/app/hello.txt');
  });

  it('[HAR-3] none of which is sound are no environment', () => {
    task('bad', { tests: null });
    expect(() => createHarborEnvironment(folder, unused)).toThrow(
      /No task in .* can be used: bad: tests\/test.sh is missing/,
    );
    expect(() => readHarborTasks(join(folder, 'bad', 'environment'))).toThrow('has neither task.toml nor task.yaml');
    expect(() => readHarborTasks(join(folder, 'nowhere'))).toThrow('is no folder');
  });
});
