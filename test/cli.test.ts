import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readProgramHelp } from '../scripts/docs/program-help.ts';
import { createProgram } from '../src/cli/main.ts';
import { createOutput } from '../src/cli/terminal/output.ts';
import { verbGroups } from '../src/cli/terminal/verb-list.ts';
import { library, runProgram, runWarm, type Ended } from './fixtures/program.ts';

const root = join(import.meta.dirname, '..');
/** Every verb of the program, as it has them itself. */
const silent = { write: () => true };
const output = createOutput({ results: silent, progress: silent, colours: false });
const verbs = (await createProgram(output, async () => {})).commands.map(command => command.name());

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'espalier-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** With these lines typed into it, in a process of its own. */
function espalier(args: readonly string[], typed?: readonly string[]): Promise<Ended> {
  return typed === undefined ? runWarm(args, { folder }) : runProgram(args, { folder, typed });
}

describe('bench', () => {
  test('[CLI-14] lists groups for an unknown name, and takes a family of figures', async () => {
    const unknown = await espalier(['bench', 'hacks']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('Did you mean "hack"?');
    expect(unknown.stderr).toContain('The groups: mail, fork,');
    expect(unknown.stderr.length).toBeLessThan(600);
    // By Node itself: to transform what benches import takes twenty seconds.
    const asks = `const { benchNames, opensPages } = await import(${JSON.stringify(join(root, 'bench/run.ts'))});
      console.log(JSON.stringify({ benchNames, pages: [opensPages(['wai']), opensPages(['restore'])] }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=espalier-source', '-e', asks]);
    const { benchNames, pages } = JSON.parse(stdout) as { benchNames: string[]; pages: boolean[] };
    expect(benchNames).toEqual(expect.arrayContaining(['wai', 'hack', 'restore', 'wai.exact']));
    expect(pages).toEqual([true, false]);
  });
});

describe('help', () => {
  test('[CLI-1] lists every verb, in groups; alone, the program shows five', async () => {
    const [{ code, stdout }, help, alone] = await Promise.all([
      espalier(['--help'], []),
      espalier(['help']),
      espalier([]),
    ]);
    expect(code).toBe(0);
    expect(help.stdout).toBe(stdout);
    expect(alone.stdout.match(/^ {2}[a-z]+ /gm)).toHaveLength(5);
    expect(alone.stdout).toContain('espalier help');
    expect(Object.values(verbGroups).flatMap(Object.keys).toSorted()).toEqual(
      verbs.filter(verb => verb !== 'help').toSorted(),
    );
    expect(verbs).toEqual(
      expect.arrayContaining(['list', 'collect', 'judge', 'proxy', 'mcp', 'serve-policy', 'prompts']),
    );
    for (const verb of verbs.filter(name => name !== 'help'))
      expect(stdout).toMatch(new RegExp(`^  ${verb} +[a-z]`, 'm'));
  });

  test('[CLI-18] fits a screen, and the verbs with the most options have few', async () => {
    const { verbs: texts } = await readProgramHelp();
    const all = (await espalier(['help'])).stdout;
    for (const [verb, text] of [...texts, ['', all] as const]) {
      const lines = text.trimEnd().split('\n');
      expect({ verb, lines: lines.length }).toEqual({ verb, lines: Math.min(lines.length, verb === '' ? 60 : 45) });
      expect({ verb, wide: lines.filter(line => line.length > 100) }).toEqual({ verb, wide: [] });
    }
    for (const verb of ['collect', 'eval', 'loop', 'rl', 'study'])
      expect(texts.get(verb)?.match(/^ {2}-/gm)?.length).toBeLessThanOrEqual(25);
  });

  test('[CLI-1] of a verb shows an example', async () => {
    const help = await readProgramHelp();
    expect([...help.verbs.keys()]).toEqual(verbs);
    for (const [verb, text] of help.verbs) expect(text).toContain(`Example: espalier ${verb}`);
    expect(await espalier(['collect', '--help'])).toEqual({ code: 0, stdout: help.verbs.get('collect'), stderr: '' });
    // Some verbs are made without the others.
    for (const verb of verbs) {
      const program = await createProgram(output, async () => {}, [verb, '--help']);
      expect(program.commands.map(command => command.name())).toContain(verb);
    }
  });
});

describe('usage errors end with 2 and say what to do', () => {
  test('[CLI-2] an unknown environment, with the closest one', async () => {
    const { code, stdout, stderr } = await espalier(['tasks', 'mial'], []);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('There is no environment "mial". Did you mean "mail"?');
    expect(stderr.trim().split('\n')).toHaveLength(2);
  });

  test('an unknown template, with the closest one', async () => {
    const { code, stderr } = await espalier(['plan', library, 'who-has-bok']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "who-has-book"?');
  });

  test('an option that is not a number, and a verb that does not exist', async () => {
    const [seed, verb] = await Promise.all([espalier(['plan', 'mail', '--seed', 'x']), espalier(['plant'])]);
    expect(seed).toMatchObject({ code: 2, stderr: expect.stringContaining('Expected a whole number') });
    expect(verb).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean plan?') });
  });

  test('[CLI-20] a module of a package that npm init made is taken for CommonJS', async () => {
    await mkdir(join(folder, 'made'));
    await writeFile(join(folder, 'made/package.json'), '{ "type": "commonjs" }');
    await writeFile(join(folder, 'made/app.ts'), 'export const thing = 1;\n');
    const { code, stderr } = await espalier(['tasks', './made/app.ts']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Expected "type": "module" in \S+made.package\.json: there it is read as CommonJS\./);
  });

  test('a module that is missing, or exports nothing of use; --debug shows the stack', async () => {
    await writeFile(join(folder, 'other.ts'), 'export const thing = 1;\n');
    const [missing, other, debugged] = await Promise.all([
      espalier(['tasks', './nowhere.ts']),
      espalier(['tasks', './other.ts']),
      espalier(['tasks', './other.ts', '--debug']),
    ]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no such file') });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('it exports only thing') });
    expect(other.stderr).not.toContain('    at ');
    expect(debugged).toMatchObject({ code: 2, stderr: expect.stringContaining('    at ') });
  });
});

describe('looking', () => {
  test('envs tells what is built in', async () => {
    const [shown, machine] = await Promise.all([espalier(['envs']), espalier(['envs', '--json'])]);
    expect(shown.code).toBe(0);
    const rows = jsonLines(machine.stdout) as { id: string; templates: { train: number; test: number } }[];
    expect(rows.map(({ id }) => id)).toEqual(['mail', 'shop', 'tracker']);
    for (const { id, templates } of rows) {
      expect(shown.stdout).toMatch(new RegExp(`^${id} .* ${templates.train} +${templates.test} `, 'm'));
      expect(Math.min(templates.train, templates.test)).toBeGreaterThan(0);
    }
  });

  test('tasks shows a task of a module of the user: parameters, checks, screen', async () => {
    const { code, stdout } = await espalier(['tasks', library, 'lend-to-reader', '--seed', '1', '--screen']);
    expect(code).toBe(0);
    expect(stdout).toContain('Lend "The Northern Garden" to Yuki Sato.');
    expect(stdout).toContain('✗ The Northern Garden is lent to Yuki Sato');
    expect(stdout).toContain('[e1] textbox "Search title or author"');
    expect(stdout).not.toContain('\u001B');
  });
});

describe('play', () => {
  test('[CLI-3] a task by hand, with a wrong turn taken back', async () => {
    const typed = [
      'e1 Northern Garden',
      '2',
      'e2 Wrong Person',
      'undo',
      'fill e2 Yuki Sato',
      'click e3',
      'checks',
      'finish',
    ];
    const { code, stdout, stderr } = await espalier(['play', library, 'lend-to-reader'], typed);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/back after step 2 digest [0-9a-f]{12}, as recorded/);
    expect(stdout).toContain('4. click [e3] button "Lend"');
    expect(stdout).toContain('✓ The Northern Garden is lent to Yuki Sato');
    expect(stdout.trim().split('\n').at(-1)).toBe('passed');
  });

  test('finishing too early fails; what is not understood is answered', async () => {
    const typed = ['jump', 'e2 text', 'e1', 'e99', 'undo', 'call nothing', 'call list_books [1]', 'plan', 'finish'];
    const { code, stdout } = await espalier(['play', library, 'lend-to-reader'], typed);
    expect(code).toBe(1);
    for (const answer of [
      '"jump" is not a move.',
      'e2 is a link, which takes no text.',
      'e1 is a text field. Expected a text',
      'There is no element e99',
      'No step was taken yet.',
      'There is no tool "nothing"',
      'Expected a tool and a JSON object',
      'planner: fill [e1] textbox "Search title or author" with "The Northern Garden"',
      'failed: 1 check not met',
    ]) {
      expect(stdout).toContain(answer);
    }
  });
});

describe('plan', () => {
  test('names the element of each step, and verifies', async () => {
    const { code, stdout } = await espalier(['plan', library, 'lend-to-reader'], []);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d\. click \[e\d+\] button "Lend"$/m);
    expect(stdout).toMatch(/^passed {2}\d+ steps · \d+ expansions · /m);
  });

  test('as JSON; without room to search it ends with 1', async () => {
    const [solved, poor] = await Promise.all([
      espalier(['plan', library, 'who-has-book', '--seed', '2', '--json']),
      espalier(['plan', library, '--nodes', '1', '--json']),
    ]);
    expect(solved.code).toBe(0);
    expect(jsonLines(solved.stdout)).toMatchObject([{ outcome: 'solved', verdict: { pass: true, clean: true } }]);
    expect(poor.code).toBe(1);
    expect(jsonLines(poor.stdout)).toMatchObject([{ outcome: 'infeasible-within-budget', verdict: { pass: false } }]);
  });
});

describe('an app of the user', () => {
  test('[CLI-3] in a folder of its own passes its check', async () => {
    const { code, stdout } = await espalier(['check', library], []);
    expect(code).toBe(0);
    expect(stdout).toContain('passed  5 of 5 laws held, 3 of 3 templates admitted');
  });

  test('is written, passes its check, and is not overwritten', async () => {
    const made = await espalier(['new', 'app', 'front-desk', '--dir', 'apps'], []);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('espalier check ./apps/front-desk.ts') });
    const checked = await espalier(['check', './apps/front-desk.ts', '--seeds', '3']);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toMatch(/^passed {2}(\d+) of \1 laws held, 2 of 2 templates admitted$/m);
    expect(await espalier(['new', 'app', 'front-desk', '--dir', 'apps'])).toMatchObject({ code: 2 });
    expect(await espalier(['new', 'app', 'Front Desk'])).toMatchObject({ code: 2 });
  });

  test('[SRV-57] is written with what OpenEnv looks for, serves, and is not overwritten', async () => {
    const made = await espalier(['new', 'server', 'help-desk', '--dir', 'servers']);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('openenv validate') });
    const read = (path: string) => readFile(join(folder, 'servers', 'help-desk', path), 'utf8');
    expect(await read('openenv.yaml')).toMatch(/^spec_version: 1\nname: help-desk\n/);
    expect(await read('pyproject.toml')).toContain('server = "server.app:main"');
    expect(await read('server/app.py')).toMatch(/^if __name__ == "__main__":\n {4}main\(\)$/m);
    const { dependencies } = JSON.parse(await read('package.json')) as { dependencies: { espalier: string } };
    expect(dependencies.espalier).toMatch(/^file:espalier-.*\.tgz$/);
    expect(await read('server/Dockerfile')).toContain(dependencies.espalier.slice('file:'.length));
    for (const path of ['server/Dockerfile', 'README.md', '.gitignore']) expect(await read(path)).not.toContain('$');
    const checked = await espalier(['check', './servers/help-desk/help-desk.ts', '--seeds', '2']);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(await espalier(['new', 'server', 'help-desk', '--dir', 'servers'])).toMatchObject({ code: 2 });
    expect(await espalier(['new', 'service', 'help-desk'])).toMatchObject({ code: 2 });
  });

  test('that allows too much falls, and the law is named', async () => {
    const source = await readFile(library, 'utf8');
    const loose = source.replace('test: final => find(final.books, id)?.loan === reader', 'test: () => true');
    expect(loose).not.toBe(source);
    await writeFile(join(folder, 'loose.ts'), loose);
    const args = ['check', './loose.ts', '--seeds', '2', '--template', 'lend-to-reader', '--json'];
    const { code, stdout } = await espalier(args);
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toContainEqual(
      expect.objectContaining({ kind: 'template', template: 'lend-to-reader', admitted: false, law: 'LAD-3' }),
    );
  });
});

function jsonLines(text: string): unknown[] {
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as unknown);
}

describe('odd circumstances', () => {
  test('[CLI-2] a module that takes its time, a definition without defineApp, input that ends early', async () => {
    const slow = `export { app } from ${JSON.stringify(library)};\nawait new Promise(done => setTimeout(done, 400));\n`;
    await writeFile(join(folder, 'slow.ts'), slow);
    const typed = ['e1 Northern Garden', 'finish'];
    const played = await espalier(['play', './slow.ts', 'lend-to-reader'], typed);
    expect(played).toMatchObject({ code: 1, stdout: expect.stringContaining('failed: 1 check not met') });
    expect((await espalier(['play', library], ['e1 Northern'])).code).toBe(1);
    const bare = `import { app as own } from ${JSON.stringify(library)};
const { incidental, synonyms, onRefusal, ...app } = own;\nexport { app };\n`;
    await writeFile(join(folder, 'bare.ts'), bare);
    expect((await espalier(['plan', './bare.ts'])).code).toBe(0);
    await writeFile(
      join(folder, 'empty.ts'),
      `import { app as own } from ${JSON.stringify(library)};
export const environment = { ...own, templates: [], tools: [], task: () => {}, open: () => {} };\n`,
    );
    expect((await espalier(['check', './empty.ts'])).code).toBe(1);
    expect((await espalier(['new', 'app', 'desk', '--dir', './bare.ts'])).code).toBe(2);
  });
});

describe('check on planted faults', () => {
  test.each([
    ['non-deterministic', 'ENV-1'],
    ['leaky-fork', 'ENV-3'],
    ['moody-view', 'ENV-4'],
    ['initial-passes', 'LAD-3'],
    ['mutant-passes', 'VER-3'],
    ['unclean-pass', 'VER-4'],
  ])('[CLI-2] %s fails, naming %s', async (name, law) => {
    const { code, stdout } = await espalier([
      'check',
      join(root, 'test', 'fixtures', 'planted', `${name}.ts`),
      '--seeds',
      '3',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed /m);
    expect(stdout.slice(stdout.indexOf('Broken:'))).toContain(law);
  });
});
