import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { app } from '../examples/library/library.ts';
import { readTasks } from '../src/cli/flags/task-flags.ts';
import type { Action } from '../src/core/action.ts';
import type { Policy } from '../src/core/episode/agents.ts';
import type { View } from '../src/core/episode/view.ts';
import { createWorld } from '../src/worlds/world.ts';
import { collect } from '../src/library/collect.ts';
import { evaluate } from '../src/library/evaluate.ts';
import { exportRun } from '../src/library/export.ts';
import { untrainedWeights, writeStudent } from '../src/agents/learned/student.ts';
import { createRandomPolicy } from '../src/agents/random.ts';
import { startScriptedUpstream, type ScriptedUpstream } from './fixtures/models/scripted-upstream.ts';
import { episodesIn } from './fixtures/program.ts';

const environments = [createWorld(app)];
const offeredTools = environments[0]?.tools.map(({ name }) => name) as string[];
const screenTools = ['click', 'fill', 'select', 'finish'];
let folder = '';
let model: ScriptedUpstream;
let modelName = '';
let offeredTable = '';

/** The tools in the request of the first step, by name. */
const tableText = `export const table = {
  name: 'offered',
  columns: { tools: 'string' },
  *rows({ record, requests }) {
    const [first] = record.tree.children(0);
    const tools = JSON.parse(requests.of(record, first.id).tools);
    yield { tools: tools.map(tool => tool.function.name).join(' ') };
  },
};
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-selection-'));
  model = await startScriptedUpstream(() => ({ calls: [{ name: 'finish', input: {} }] }));
  modelName = `openai:one@${model.url}`;
  offeredTable = join(folder, 'offered.ts');
  writeFileSync(offeredTable, tableText);
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true });
});

/** Keeps what it was shown: it clicks, calls a tool, and finishes. */
function onlooker(): { policy: Policy; seen: View[] } {
  const seen: View[] = [];
  const steps: Action[] = [
    { kind: 'click', ref: 'e3' },
    { kind: 'call', tool: offeredTools[0] as string, input: {} },
  ];
  return {
    seen,
    policy: {
      name: 'onlooker',
      act(view) {
        seen.push(view);
        return { action: steps[view.path.length] ?? { kind: 'finish' } };
      },
    },
  };
}

function run(name: string): string {
  return join(folder, name);
}

function tasksIn(name: string): string[] {
  return episodesIn(run(name)).map(({ head }) => head.task.id);
}

describe('tasks by id', () => {
  const tasks = ['library/lend-to-reader/17', 'library/reserve-for-reader/3', 'library/lend-to-reader/18'];

  it('[RUN-35] are collected on, and stand in the config', async () => {
    const collected = await collect({
      folder: run('tasks'),
      environments,
      tasks,
      strategy: 'linear',
      student: createRandomPolicy(),
    });
    expect(collected.planned).toBe(3);
    expect(tasksIn('tasks')).toEqual(tasks);
    expect(JSON.parse(readFileSync(join(run('tasks'), 'config.json'), 'utf8'))).toMatchObject({
      actions: 'all',
      tasks,
    });
  });

  it('[RUN-35] come from a file as well: ids, or rows that name their task', () => {
    const file = join(folder, 'tasks.txt');
    writeFileSync(file, `# failed\n${tasks[0]}\n\n{"task":"${tasks[1]}","pass":false}\n${tasks[0]}\n`);
    expect(readTasks(file)).toEqual(tasks.slice(0, 2));
    expect(readTasks('a/b/1,a/c/2')).toEqual(['a/b/1', 'a/c/2']);
    writeFileSync(file, '# nothing\n');
    expect(() => readTasks(file)).toThrow('names no task');
    writeFileSync(file, '{"id":"a/b/1"}\n');
    expect(() => readTasks(file)).toThrow('Expected JSON with the member "task"');
  });

  it.each([
    ['library/lend-to-reader', '"library/lend-to-reader" is no id of a task'],
    ['library/lend-to-readers/1', 'Did you mean "library/lend-to-reader"?'],
    ['library/lend-to-reader/1000001', 'is kept for evaluation'],
  ])('[RUN-35] [RUN-6] %s is refused before anything is written', async (id, message) => {
    const options = { folder: run('refused'), environments, tasks: [id], student: createRandomPolicy() };
    await expect(collect({ ...options, strategy: 'linear' })).rejects.toThrow(message);
    expect(() => readFileSync(join(run('refused'), 'config.json'))).toThrow('ENOENT');
  });

  it('[RUN-35] are evaluated on when their seeds are kept for evaluation', async () => {
    const options = { folder: run('evaluated-tasks'), environments, baselines: false, student: createRandomPolicy() };
    const { subject } = await evaluate({ ...options, tasks: ['library/lend-to-reader/1000007'] });
    expect(subject?.trials.map(({ task }) => task)).toEqual(['library/lend-to-reader/1000007']);
    await expect(evaluate({ ...options, tasks: ['library/lend-to-reader/7'] })).rejects.toThrow(
      'may have been collected on',
    );
  });
});

describe('actions on offer', () => {
  it.each([
    ['all', [...screenTools, ...offeredTools], true],
    ['screen', screenTools, true],
    ['tools', ['finish', ...offeredTools], false],
  ] as const)(
    '[RUN-36] %s: the agent, the model and the rows see the same tools',
    async (actions, tools, hasScreen) => {
      const { policy, seen } = onlooker();
      const shared = {
        environments,
        templates: ['lend-to-reader'],
        instances: 1,
        strategy: 'linear',
        actions,
      } as const;
      await collect({ ...shared, folder: run(`own-${actions}`), student: policy });
      const view = seen[0];
      const texts = seen.at(-1)?.history.map(text => text.includes('are offered in this run')) ?? [];
      expect(view?.tools.map(({ name }) => name)).toEqual(actions === 'screen' ? [] : offeredTools);
      expect(view?.hasScreen !== false).toBe(hasScreen);
      expect(texts).toEqual([actions === 'tools', actions === 'screen']);

      await collect({ ...shared, folder: run(`model-${actions}`), student: modelName });
      const asked = model.asked.at(-1)?.body['tools'] as { function: { name: string } }[];
      expect(asked.map(tool => tool.function.name)).toEqual(tools);

      await exportRun({ folder: run(`own-${actions}`), environments, tables: [offeredTable], formats: ['jsonl'] });
      const row = readFileSync(join(run(`own-${actions}`), 'export', 'offered.jsonl'), 'utf8').trim();
      expect((JSON.parse(row) as { tools: string }).tools).toBe(tools.join(' '));
    },
  );

  it('[RUN-36] the planner reviews a run on the screen alone', async () => {
    const { policy } = onlooker();
    const shared = { environments, templates: ['lend-to-reader'], instances: 1, actions: 'screen' } as const;
    await collect({ ...shared, folder: run('reviewed-screen'), student: policy });
    expect(episodesIn(run('reviewed-screen')).map(({ end }) => end?.outcome)).toEqual(['passed']);
  });

  it('[RUN-36] an agent that only reads the screen is refused where only tools are offered', async () => {
    const shared = { folder: run('refused-actions'), environments, actions: 'tools' } as const;
    await expect(collect(shared)).rejects.toThrow('the student untrained acts on the screen');
    await expect(collect({ ...shared, student: onlooker().policy })).rejects.toThrow('the teacher planner acts on');
    await expect(evaluate({ ...shared, student: 'untrained' })).rejects.toThrow('"untrained" acts on the screen');
  });

  it('[RUN-36] an evaluation with other actions is another one, and the baselines of the screen are left out', async () => {
    const options = { folder: run('evaluated-actions'), environments, instances: 1, levels: ['held-out'] } as const;
    const tools = await evaluate({ ...options, student: onlooker().policy, actions: 'tools' });
    const all = await evaluate({ ...options, student: onlooker().policy, baselines: false });
    expect([tools.subject?.student, all.subject?.student]).toEqual(['onlooker (tools)', 'onlooker']);
    expect(tools.baselines).toEqual([]);
  });
});

describe('a student that was evaluated', () => {
  const student = (name: string): string => {
    const file = join(folder, name);
    const weights = untrainedWeights();
    weights.policy.weights[3] = 0.5;
    writeFileSync(file, writeStudent(weights));
    return file;
  };
  const options = { environments, instances: 1, baselines: false };

  it('[RUN-34] is not run again: not later, not under another name, not as the one to compare with', async () => {
    const file = student('first.json');
    const first = await evaluate({ ...options, folder: run('again'), student: file, round: 1 });
    const renamed = join(folder, 'renamed.json');
    copyFileSync(file, renamed);
    let ended = 0;
    const onProgress = (): void => void ended++;
    const second = await evaluate({ ...options, folder: run('again'), student: renamed, onProgress });
    expect(ended).toBe(0);
    expect(second.subject).toEqual(first.subject);
    expect(second.known).toEqual([{ name: first.subject?.student, round: 1 }]);

    const third = await evaluate({ ...options, folder: run('again'), student: 'untrained', against: file, onProgress });
    expect(ended).toBe(3);
    expect(third.against).toMatchObject({ name: first.subject?.student, comparison: { heldOut: { pairs: 1 } } });
    expect(third.against?.evaluation).toEqual(first.subject);
    // Asked for by number, a round has an evaluation of its own.
    await evaluate({ ...options, folder: run('again'), student: renamed, round: 2, onProgress });
    expect(ended).toBe(6);
  });

  it('[RUN-34] but for its name, is refused: its results would be those of the other', async () => {
    const file = join(folder, 'changing.ts');
    const policy = (ref: string): string =>
      `export const policy = { name: 'changing', act: () => ({ action: { kind: 'click', ref: '${ref}' } }) };\n`;
    writeFileSync(file, policy('e1'));
    await evaluate({ ...options, folder: run('changed'), student: file });
    writeFileSync(file, policy('e2'));
    await expect(evaluate({ ...options, folder: run('changed'), student: file })).rejects.toThrow(
      'has evaluated another student with the name "changing"',
    );
  });

  it('[RUN-37] takes settings of models only when it is one', async () => {
    const shared = { ...options, folder: run('settings'), student: 'untrained' };
    await expect(evaluate({ ...shared, asking: { temperature: 0.5 } })).rejects.toThrow(
      'temperature is a setting of models, and no student of this evaluation is a model',
    );
    await expect(evaluate({ ...shared, asking: { observe: 'both' } })).rejects.toThrow(
      'observe is a setting of models',
    );
    await expect(evaluate({ ...shared, spending: { tokens: 10 } })).rejects.toThrow('tokens is a setting of models');
    const asked = model.asked.length;
    await evaluate({ ...shared, against: modelName, asking: { temperature: 0.5 } });
    expect(model.asked.slice(asked).map(({ body }) => body['temperature'])).toEqual([0.5, 0.5, 0.5]);
  });
});
