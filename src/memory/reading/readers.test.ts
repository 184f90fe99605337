import { expect, it } from 'vitest';
import type { OrdinaryPolicy } from '../../core/episode/agents.ts';
import type { View } from '../../core/episode/view.ts';
import { createRandom } from '../../core/random.ts';
import { poisonGate } from '../gate.ts';
import type { NewItem } from '../item.ts';
import { createMemory } from '../memory.ts';
import { createRememberingPolicy } from './remembering-policy.ts';

const screen = ['heading "Inbox"', '[e1] button "Star"', '[e2] button "Archive"'].join('\n');
const line = (name: string): string => `click button "${name}"`;
const provenance = { writer: 'test', environment: 'mail', tasks: ['t'] };
const placed = (name: string) => ({ heading: 'Inbox', line: line(name) });
const base = { title: 'Archive it', text: 'x', provenance };

/** What a student does that gives Star this probability and Archive that one, after these steps. */
async function chosen(items: readonly NewItem[], priors: readonly [number, number], steps: readonly string[] = []) {
  const inner: OrdinaryPolicy = {
    name: 'inner',
    act: () => ({
      action: { kind: 'click', ref: 'e1' },
      prior: priors[0],
      alternatives: [{ action: { kind: 'click', ref: 'e2' }, prior: priors[1] }],
    }),
  };
  const path = steps.map((name, at): View['path'][number] => ({
    action: { kind: 'click', ref: name === 'Star' ? 'e1' : 'e2' },
    text: line(name),
    by: 'student',
    screen: `${screen}\ntext "${at}"`,
    applied: true,
  }));
  const { action } = await createRememberingPolicy({
    policy: inner,
    memory: createMemory().write(items, poisonGate),
    tells: false,
  }).act({
    instruction: 'Archive it',
    observation: { text: screen },
    history: path.map(({ text }) => text),
    path,
    tools: [],
    random: createRandom('x'),
  });
  return action?.kind === 'click' && action.ref === 'e1' ? 'Star' : 'Archive';
}

it('[MEM-24] an exemplar counts by the square of the likeness of its task, and half after another step', async () => {
  const exemplar = (title: string, before: string | null = null): NewItem => ({
    kind: 'exemplar',
    ...base,
    title,
    ...placed('Archive'),
    before,
  });
  // Half of the words: .1·e^(3/4) = .21, and .1·e^(3/2) = .45 it would be without the square.
  expect(await chosen([exemplar('Archive that there it')], [0.3, 0.1])).toBe('Star');
  expect(await chosen([exemplar('Archive that there it')], [0.2, 0.1])).toBe('Archive');
  // After another step: .1·e^(3/2) = .45.
  expect(await chosen([exemplar('Archive it', line('Star'))], [0.5, 0.1])).toBe('Star');
  expect(await chosen([exemplar('Archive it', line('Star'))], [0.5, 0.1], ['Star'])).toBe('Archive');
});

it('[MEM-24] a way that passed says what came after the same step, where the screen came more than once', async () => {
  const steps = [placed('Archive'), placed('Star')];
  const trajectory: NewItem = { kind: 'trajectory', ...base, pattern: 'Archive it', steps };
  expect(await chosen([trajectory], [0.1, 0.9], ['Archive'])).toBe('Star');
  expect(await chosen([trajectory], [0.9, 0.1])).toBe('Archive');
});

it('[MEM-20] a step that is worth .9 is preferred by .8, and one that is worth .1 is avoided by .8', async () => {
  const transition = (name: string, value: number): NewItem => ({
    kind: 'transition',
    ...base,
    pattern: 'Archive it',
    ...placed(name),
    before: null,
    next: null,
    count: 1,
    value,
  });
  // .1·e^2.4 = 1.10 and .9·e^−2.4 = .08.
  expect(await chosen([transition('Archive', 0.9)], [0.9, 0.1])).toBe('Archive');
  expect(await chosen([transition('Star', 0.1)], [0.9, 0.1])).toBe('Archive');
  expect(await chosen([transition('Archive', 0.9)], [0.9, 0.05])).toBe('Star');
});

it('[MEM-13] the harness prefers what followed the last step before: .4·e^(3/4) = .85 beats .6', async () => {
  const harness: NewItem = { kind: 'harness', ...base, every: 1 };
  expect(await chosen([harness], [0.6, 0.4], ['Star', 'Archive', 'Star'])).toBe('Archive');
  expect(await chosen([harness], [0.6, 0.4], ['Star'])).toBe('Star');
});

it('[MEM-4] a skill for a task that is only alike guides by the square of the likeness', async () => {
  const skill: NewItem = {
    kind: 'skill',
    ...base,
    title: 'Archive that there it',
    pattern: 'Archive that there it',
    steps: [placed('Archive')],
  };
  expect(await chosen([skill], [0.3, 0.1])).toBe('Star');
  expect(await chosen([skill], [0.2, 0.1])).toBe('Archive');
  expect(await chosen([{ ...skill, pattern: 'Archive it' } as NewItem], [0.9, 0])).toBe('Archive');
});
