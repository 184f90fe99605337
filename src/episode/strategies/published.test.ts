import { describe, expect, it } from 'vitest';
import {
  createWeighingPolicy,
  perfectTeacher,
  planFor,
  run,
  studentBy,
  tasksOf,
} from '../../../test/fixtures/episode-setup.ts';
import { openBuiltIn } from '../../catalog.ts';
import { actionKey, type Action } from '../../core/action.ts';
import type { Policy } from '../../core/episode/agents.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { readScreen } from '../../core/episode/screen-text.ts';
import { strategies } from '../../runs/registry/strategies.ts';
import { classOf } from './search/web-operator.ts';

const world = await openBuiltIn('mail');
const tasks = tasksOf(world, 'star-message', [1, 2, 3]);

async function recordsOf(name: string, options: object = {}, student: Policy = createWeighingPolicy()) {
  const strategy = strategies.need(name).create({ ...options });
  const teacher = strategy.asksTeacher ? perfectTeacher : null;
  const limits = { ...strategy.limits, taken: 60 };
  return (await run({ tasks, parts: { environment: world, student, teacher, strategy, limits } })).records;
}

/** A student that knows the way, and is never asked for another. */
const solver: Policy = {
  name: 'solver',
  privileged: true,
  act: (_view, session) => ({ action: planFor(session)[0] ?? null, prior: 0.9, confidence: 0.9 }),
};

/** Wants one action wherever it is, where one is given; then what is called by these names, the first one most. */
function wanting(names: readonly string[], first?: Action): Policy {
  return {
    name: 'wanting',
    act({ observation }) {
      const screen = readScreen(observation.text);
      const refs = names.flatMap(name => screen.find(line => line.name === name)?.ref ?? []);
      const clicks: Action[] = refs.map(ref => ({ kind: 'click', ref }));
      const actions = [...(first === undefined ? [] : [first]), ...clicks, { kind: 'click', ref: 'e998' } as Action];
      const [wanted, ...alternatives] = actions.map((action, at) => ({ action, prior: 0.6 / (at + 1) }));
      return { ...(wanted as { action: Action; prior: number }), alternatives };
    },
  };
}

const isBelow = ({ tree }: EpisodeRecord, node: number, above: number): boolean =>
  above === 0 || tree.path(node).some(({ id }) => id === above);

describe('strategies of the field', () => {
  const published = strategies.entries.filter(({ name }) => !['guide', 'alternatives', 'dagger'].includes(name));

  it.each(published.map(({ name }) => name))('%s passes with a student that knows the way', async name => {
    for (const { end } of await recordsOf(name, {}, solver)) expect(end.outcome).toBe('passed');
  });

  it('[SRC-44] web-operator goes back no further than a destructive action that was taken', async () => {
    let taken = 0;
    for (const record of await recordsOf('web-operator')) {
      let floor = 0;
      for (const node of record.tree.record().nodes) {
        expect(isBelow(record, node.id, floor)).toBe(true);
        const kind = classOf(node.action, record.situation(node.id).screen);
        if (kind !== 'destructive' || !node.outcome.applied || node.before === node.after) continue;
        floor = node.id;
        taken++;
      }
    }
    expect(taken).toBeGreaterThan(0);
  });

  it('[SRC-40] levin and web-operator take no action twice in a state of the tree', async () => {
    for (const name of ['levin', 'puct', 'agent-q'])
      for (const { tree } of await recordsOf(name)) {
        const { nodes } = tree.record();
        const first = nodes.slice(0, 12).map(({ parent, action }) => `${parent} ${actionKey(action)}`);
        expect(new Set(first).size).toBe(first.length);
      }
  });

  it('[SRC-42] agent-q verifies every simulation, and passes where one of them does', async () => {
    for (const { leaves, end } of await recordsOf('agent-q', { simulations: 6 })) {
      const played = leaves.filter(({ role }) => role === 'simulation');
      expect(played.length).toBeGreaterThan(0);
      expect(end.outcome === 'passed').toBe(leaves.some(({ verdict }) => verdict?.pass === true));
    }
  });

  it('[SRC-45] simple-tes refines from a state of an attempt, by an action that was not taken there', async () => {
    let refined = 0;
    for (const { tree, leaves } of await recordsOf('simple-tes')) {
      for (const { node } of leaves.filter(({ role }) => role === 'refinement')) {
        const path = tree.path(node);
        const fork = path.find(({ parent, id }) => tree.children(parent).some(other => other.id < id));
        if (fork === undefined) continue;
        const before = tree.children(fork.parent).filter(({ id }) => id < fork.id);
        expect(before.map(({ action }) => actionKey(action))).not.toContain(actionKey(fork.action));
        refined++;
      }
    }
    expect(refined).toBeGreaterThan(0);
  });

  it('[SRC-62] sage-plan makes a second try under the plan of the first', async () => {
    for (const { leaves } of await recordsOf('sage-plan', {}, solver))
      expect(leaves.map(({ role }) => role)).toEqual(['sample', 'planned']);
  });

  it('[SRC-60] cascade gives a loop to the teacher at the third identical action', async () => {
    const looping = studentBy(() => ({ action: { kind: 'click', ref: 'e1' } }));
    for (const { tree, end } of await recordsOf('cascade', { milestones: false }, looping)) {
      const roles = tree.record().nodes.map(({ actor }) => actor.role);
      expect(roles.slice(0, 2)).toEqual(['student', 'student']);
      expect(roles.indexOf('teacher')).toBeLessThanOrEqual(3);
      expect(end.counts.interventions).toBeGreaterThan(0);
    }
  });

  it('[SRC-61] vlaa-gui takes the next action where one changed nothing twice', async () => {
    const refused: Action = { kind: 'click', ref: 'e999' };
    for (const { tree } of await recordsOf('vlaa-gui', {}, wanting(['Next page'], refused))) {
      const [one, other, third] = tree.record().nodes;
      expect([one?.action, other?.action]).toEqual([refused, refused]);
      expect(third?.after).not.toBe(third?.before);
    }
  });

  it('[SRC-61] vlaa-gui goes back at the third visit of a state, and takes another way', async () => {
    for (const { tree, end } of await recordsOf('vlaa-gui', {}, wanting(['Previous page', 'Next page']))) {
      const round = tree.path(4).map(({ before }) => before);
      expect(round).toEqual([tree.root, round[1], tree.root, round[1]]);
      const [back, on] = tree.children(1);
      expect(on?.id).toBe(5);
      expect([tree.root, back?.after]).not.toContain(on?.after);
      expect(end.counts.rollbacks).toBeGreaterThan(0);
    }
  });

  it('[SRC-61] vlaa-gui turns as many finishes away as it is told, while something that the task names was not seen', async () => {
    const kindsWith = async (gates: number): Promise<string[][]> => {
      const records = await recordsOf('vlaa-gui', { gates }, wanting(['Next page'], { kind: 'finish' }));
      return records.map(({ tree }) => tree.record().nodes.map(({ action }) => action.kind));
    };
    const [one, two] = [await kindsWith(1), await kindsWith(2)];
    expect(one).toEqual([
      ['click', 'finish'],
      ['click', 'finish'],
      ['click', 'finish'],
    ]);
    expect(two).toContainEqual(['click', 'click', 'finish']);
  });

  it.each([
    ['[SRC-40]', 'levin', {}],
    ['[SRC-41]', 'puct', {}],
    ['[SRC-43]', 'latr', {}],
    ['[SRC-44]', 'web-operator', {}],
    ['[SRC-46]', 'argus', {}],
    ['[SRC-52]', 'gta1', {}],
  ])('%s %s tries several actions in a state, which the student alone does not', async (_rule, name, options) => {
    expect(widest(await recordsOf('linear'))).toBe(1);
    expect(widest(await recordsOf(name, options))).toBeGreaterThan(1);
  });

  it.each([
    ['[SRC-50]', 'judged', {}],
    ['[SRC-51]', 'rtv', {}],
    ['[SRC-51]', 'pdr', {}],
    ['[SRC-53]', 'se-agent', {}],
    ['[SRC-54]', 'tmas', {}],
    ['[SRC-64]', 'pipeline', { variants: [{ name: 'two', stages: [{ stage: 'attempt', count: 2 }] }] }],
  ])('%s %s makes several attempts and ends with one of them', async (_rule, name, options) => {
    for (const { leaves, end } of await recordsOf(name, options)) {
      expect(leaves.length).toBeGreaterThan(1);
      expect(leaves.map(({ node }) => node)).toContain(end.leaf);
    }
  });

  it('[SRC-63] guide takes its own step, with what the task names, before the student does anything', async () => {
    const steps = [{ id: 'search', needs: [], do: 'fill', on: 'Search mail', text: '{{title}}', input: {} }];
    const parameters = [{ name: 'title', pattern: '"([^"]+)"' }];
    for (const { tree, head } of await recordsOf('guide', { steps, parameters })) {
      const [, title] = /"([^"]+)"/.exec(head.task.instruction) ?? [];
      expect(tree.node(1).action).toMatchObject({ kind: 'fill', text: title });
    }
  });
});

/** How many actions were tried in one state of the tree, at most. */
function widest(records: readonly EpisodeRecord[]): number {
  const counts = records.flatMap(({ tree }) => [...Map.groupBy(tree.record().nodes, ({ parent }) => parent).values()]);
  return Math.max(...counts.map(own => own.length));
}
