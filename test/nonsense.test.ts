import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runWarm } from './fixtures/program.ts';
import { isLong } from './long-form.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-nonsense-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Every verb, with nonsense in the place of N; X is where it would write. */
const commands = [
  'export N',
  'train N --out X',
  'eval N --out X',
  'eval mail --student N --out X',
  'collect N --out X',
  'collect mail --student N --out X',
  'collect mail --teacher N --out X',
  'collect mail --strategy N --out X',
  'collect mail --templates N --out X',
  'collect mail --config N --out X',
  'loop N --out X',
  'loop mail --student N --out X',
  'loop mail --teacher N --out X',
  'loop mail --start N --out X',
  'rl N --out X',
  'rl mail --student N --out X',
  'inspect N',
  'report N --out X',
  'annotate N',
  'certify N',
  'judge N --judge N',
  'list N',
  'tasks N',
  'plan N N',
  'play N',
  'check N',
  'forge N --out X',
  'leaks N',
  'serve N --port 0 --out X',
  'serve-policy N --port 0',
  'mcp N',
  'proxy N --out X --port 0',
  'studio N --port 0',
].map(command => command.split(' '));
const nonsense = ['nosuch', '\0', './no\0such.ts', '', '\ud800'];

/** What is wrong with how a command refuses: nothing, where it says what it expected and leaves no file. */
async function faultsOf(args: readonly string[], given: readonly string[] = []): Promise<string[]> {
  const { code, stderr } = await runWarm(args, { folder });
  const left = readdirSync(folder).filter(name => !given.includes(name));
  for (const name of left) rmSync(join(folder, name), { recursive: true });
  const faults = [
    ...(code === 0 ? ['it went on'] : []),
    ...(/not expected|Error:|\n\s+at /.test(stderr) ? [`it says ${stderr.slice(0, 200)}`] : []),
    ...(left.length === 0 ? [] : [`it left ${left.join(', ')}`]),
  ];
  return faults.map(fault => `${JSON.stringify(args)}: ${fault}`);
}

describe('nonsense on the command line', () => {
  it('[CLI-20] is refused in words by every verb, and before anything is written', async () => {
    const faults: string[] = [];
    for (const [at, command] of commands.entries()) {
      const words = isLong ? nonsense : ['nosuch', nonsense[1 + (at % (nonsense.length - 1))] as string];
      for (const word of words) {
        // An empty list of templates, and an empty name of a student to start with, say nothing.
        if (word === '' && !command.slice(1).every(part => part !== 'mail')) continue;
        faults.push(...(await faultsOf(command.map(part => (part === 'N' ? word : part)))));
      }
    }
    expect(faults).toEqual([]);
  });

  it('[CLI-20] in a module is told with its path: getters that throw, sessions without a close', async () => {
    const start = `const task = { id: 'x/a/1', environment: 'x', template: 'a', seed: 1, split: 'train', kind: 'feasible',
      instruction: 'Do', parameters: {}, world: 'w', patch: [], budget: { steps: 3 }, seal: 's' };
      const templates = [{ id: 'a', title: 'A', split: 'train', kind: 'feasible' }];\n`;
    const modules = {
      'getter.ts': `export const environment = { id: 'x', title: 'X', templates, tools: [], get task() { throw new Error('boom') }, open() {} };`,
      'task.ts': `export const environment = { id: 'x', title: 'X', templates, tools: [], task() { throw null }, open() {} };`,
      'app.ts': `export const app = { id: 'x', state: 1, init: 1, view: 1, templates, get commands() { throw new Error('boom') } };`,
      'closed.ts': `export const environment = { id: 'x', title: 'X', templates, tools: [], task: () => task,
        open: () => ({ task, observe: () => ({ text: '' }), step: () => ({ applied: true }), digest: () => 'd', verify: () => ({}) }) };`,
    };
    for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), start + text);
    const faults: string[] = [];
    for (const name of Object.keys(modules))
      for (const command of [
        ['check', `./${name}`],
        ['collect', `./${name}`, '--out', 'X'],
        ['plan', `./${name}`, 'a'],
      ])
        faults.push(...(await faultsOf(command, Object.keys(modules))));
    expect(faults).toEqual([]);
    const { stderr } = await runWarm(['plan', './closed.ts', 'a'], { folder });
    expect(stderr).toMatch(/closed\.ts cannot be used: the session that its environment opens has no close/);
  });
});
