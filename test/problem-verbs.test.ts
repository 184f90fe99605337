import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutput, type ExitCode, type Output } from '../src/cli/terminal/output.ts';
import { play } from '../src/cli/play/play.ts';
import { listTasks } from '../src/cli/environments/tasks.ts';
import type { Action } from '../src/core/action.ts';
import type { StateEnvironment } from '../src/core/contracts.ts';
import type { Policy } from '../src/core/episode/agents.ts';
import type { Task } from '../src/core/records.ts';
import { collect } from '../src/library/collect.ts';
import { evaluate } from '../src/library/evaluate.ts';
import { exportRun } from '../src/library/export.ts';
import { createPlanner } from '../src/agents/planner/planner.ts';
import { createScripted } from '../src/agents/scripted.ts';
import { families } from '../src/catalog.ts';
import { openStateEnvironment } from '../src/runs/environments/open-environment.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { episodesIn } from './fixtures/program.ts';

const trainingSeed = 3;
const evaluationSeed = 672_356_000;
const guess: Action = { kind: 'finish', answer: '0' };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-verbs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Forged, made-up and threatened apps and those with users have screens, terminals no state to plan in, and tests of their own. The answer to natural deduction has several lines. */
const examples = [
  ...families.flatMap(({ name, example = null }) =>
    example === null || ['forge:', 'synth:', 'terminal:', 'threats:', 'users:'].includes(name) ? [] : [example],
  ),
  'problem:natural-deduction',
];

interface Solved {
  readonly task: Task;
  readonly actions: readonly Action[];
}

/** A task of the first template, and a way that passes. */
function solved(environment: StateEnvironment, seed: number): Solved {
  const task = environment.task(environment.templates[0]?.id ?? '', seed);
  const session = environment.open(task);
  const plan = createPlanner({ clock: createSystemHost().clock }).plan(session);
  session.close();
  if (plan.outcome !== 'solved') throw new Error(`No way was found in ${task.id}.`);
  return { task, actions: plan.actions };
}

/** The lines that a person would type. */
function typed(action: Action): string[] {
  if (action.kind === 'call') return [`call ${action.tool} ${JSON.stringify(action.input)}`];
  if (action.kind !== 'finish') throw new Error(`Nobody types ${action.kind}.`);
  const { answer } = action;
  if (answer === undefined) return ['finish'];
  const block = answer.includes('\n') && !answer.startsWith('```') ? `\`\`\`\n${answer}\n\`\`\`` : answer;
  return `finish ${block}`.split('\n');
}

async function told(verb: (output: Output) => Promise<ExitCode>): Promise<{ code: ExitCode; text: string }> {
  let text = '';
  const stream = { write: (piece: string) => (text += piece) };
  const code = await verb(createOutput({ results: stream, progress: stream, colours: false }));
  return { code, text };
}

function played(
  environment: string,
  { task, actions }: Solved,
  out: string,
): Promise<{ code: ExitCode; text: string }> {
  async function* lines(): AsyncGenerator<string> {
    yield* actions.flatMap(typed);
  }
  const openInput = () => ({ lines: lines(), prompt: () => {}, close: () => {} });
  return told(output => play(output, openInput, { environment, template: task.template, seed: task.seed, out }));
}

interface Row {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly action: string;
  readonly pass: boolean;
}

const rowsOf = <T>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as T);

interface TokenRow {
  readonly prompt_ids: readonly number[];
  readonly completion_ids: readonly number[];
  readonly env_mask: readonly number[];
}

const decoded = (bytes: readonly number[]): string => Buffer.from(bytes).toString('utf8');

/** As it stands in JSON. */
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);

/** What must stand in the tokens of an action. */
function saidIn(action: Action): string {
  if (action.kind === 'call') return action.tool;
  return action.kind === 'finish' ? quoted(action.answer ?? 'finish') : action.kind;
}

/** Each step is a row that asks the question, and of the tokens those of the actions alone are trained on. */
function expectRows(exported: string, { task, actions }: Solved): void {
  const rows = rowsOf<Row>(join(exported, 'next-actions.jsonl'));
  expect(rows.map(({ action }) => JSON.parse(action) as Action)).toEqual(actions);
  for (const { messages, pass } of rows) {
    expect(pass).toBe(true);
    expect(messages.map(({ content }) => content).join('\n')).toContain(task.instruction);
  }
  const tokens = rowsOf<TokenRow>(join(exported, 'tokens-trl.jsonl'));
  const trained = tokens.map(row => decoded(row.completion_ids.filter((_, at) => row.env_mask[at] === 1))).join('\n');
  for (const action of actions) expect(trained).toContain(saidIn(action));
  for (const { prompt_ids } of tokens) expect(decoded(prompt_ids)).toContain(quoted(task.instruction));
  expect(trained).not.toContain(quoted(task.instruction));
}

const written = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('every family of problems', () => {
  it.each(examples)('[PROB-11] %s is listed, played, collected, exported and evaluated', async name => {
    const run = (what: string): string => join(folder, `${name.replaceAll(/\W+/g, '-')}-${what}`);
    const environment = await openStateEnvironment(name, createSystemHost());
    const training = solved(environment, trainingSeed);
    const { task } = training;

    const listed = await told(output => listTasks(output, { environment: name }));
    for (const { id } of environment.templates) expect(listed.text).toContain(`\n  ${id}  `);
    const shown = await told(output =>
      listTasks(output, { environment: name, template: task.template, seed: task.seed, screen: true }),
    );
    expect(written(shown.text)).toContain(written(task.instruction));
    for (const line of task.instruction.split('\n')) expect(shown.text).toContain(`\n${line.slice(0, 40)}`);

    expect(await played(name, training, run('played'))).toMatchObject({ code: 0 });
    expect((await played(name, { task, actions: [guess] }, run('played'))).code).toBe(1);
    expect(episodesIn(run('played')).map(({ end }) => end.outcome)).toEqual(['passed', 'failed']);

    const students: readonly Policy[] = [
      createScripted({ name: 'solver', actions: training.actions }),
      createScripted({ name: 'guesser', actions: [guess] }),
    ];
    const outcomes: string[] = [];
    for (const student of students) {
      const options = { environments: [name], tasks: [task.id], strategy: 'linear', student } as const;
      await collect({ ...options, folder: run(student.name) });
      outcomes.push(...episodesIn(run(student.name)).map(({ end }) => end.outcome));
    }
    expect(outcomes).toEqual(['passed', 'failed']);

    await exportRun({ folder: run('solver'), formats: ['jsonl'], tokens: ['trl'], tokenizer: 'bytes' });
    expectRows(join(run('solver'), 'export'), training);

    const evaluation = solved(environment, evaluationSeed);
    const { subject, against } = await evaluate({
      folder: run('evaluated'),
      environments: [name],
      tasks: [evaluation.task.id],
      student: createScripted({ name: 'solver', actions: evaluation.actions }),
      against: createScripted({ name: 'guesser', actions: [guess] }),
      baselines: false,
    });
    expect(subject?.trials).toMatchObject([{ task: evaluation.task.id, passed: true }]);
    expect(against?.evaluation.trials).toMatchObject([{ task: evaluation.task.id, passed: false }]);
  });
});
