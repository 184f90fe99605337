import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../../core/action.ts';
import { checkLaws } from '../../../worlds/laws.ts';
import { createWorld } from '../../../worlds/world.ts';
import { createPlanner } from '../../../agents/planner/planner.ts';
import { createSynthApp } from '../app/synth-app.ts';
import type { RecordedStep } from './infer-workflow.ts';
import { mineSpec } from './mine-spec.ts';
import { findGroups } from './record-groups.ts';

interface Recording {
  readonly screens: readonly string[];
  readonly steps: readonly { readonly screen: number; readonly action: Action; readonly after: number }[];
}

/** Steps that a random student took on a page of notes. */
const file = join(import.meta.dirname, '../../../../test/fixtures/recorded/notes-site.json');
const { screens, steps } = JSON.parse(readFileSync(file, 'utf8')) as Recording;
const recorded = steps.map(
  ({ screen, action, after }): RecordedStep => ({
    screen: screens[screen] ?? '',
    action,
    after: screens[after] ?? '',
  }),
);

describe('apps mined from recorded pages', () => {
  it('[SYN-8] take lists for entities, their texts for fields, and buttons for a workflow', () => {
    const spec = mineSpec(recorded, 'the recording');
    expect(spec.title).toBe('Notes & Tags');
    const [note] = spec.entities;
    expect(note).toMatchObject({ id: 'note', table: 'notes', singular: 'note', plural: 'notes' });
    expect(note?.fields.map(({ type }) => type)).toEqual(['text', 'text', 'date', 'choice']);
    const moves = note?.workflow?.transitions.map(({ label, from, to }) => [label, from.toSorted(), to]);
    expect(moves?.toSorted()).toEqual([
      ['Archive', ['Listed', 'Pinned'], 'Archived'],
      ['Pin', ['Listed'], 'Pinned'],
      ['Unpin', ['Pinned'], 'Listed'],
    ]);
    expect(spec.pages[0]).toMatchObject({ removable: true, search: 'live', filters: ['detail'] });
  });

  it('[SYN-8] are apps like others: they obey the laws, and their tasks can be done', async () => {
    const world = createWorld(createSynthApp(mineSpec(recorded, 'the recording')), { checked: true });
    const tasks = world.templates.map(({ id }) => world.task(id, 1));
    expect(tasks.length).toBeGreaterThan(4);
    expect((await checkLaws(world, { tasks: tasks.slice(0, 3) })).filter(({ pass }) => !pass)).toEqual([]);
    const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 600 });
    const unsolved = tasks.filter(task => planner.plan(world.open(task)).outcome !== 'solved');
    expect(unsolved.map(({ instruction }) => instruction)).toEqual([]);
  });

  it('[SYN-8] read items of lists and rows of tables as records, too', () => {
    const screen = [
      'page "Shop"',
      '  list "Orders"',
      '    listitem "Order 17"',
      '      Open',
      '      [e1] button "Cancel"',
      '    listitem "Order 18"',
      '      Sent',
      '',
    ].join('\n');
    expect(findGroups(screen)).toEqual([
      {
        label: 'Orders',
        records: [
          { title: 'Order 17', texts: ['Open'], actions: ['Cancel'], refs: ['e1'] },
          { title: 'Order 18', texts: ['Sent'], actions: [], refs: [] },
        ],
      },
    ]);
  });

  it('[SYN-8] take lists that count their records for one entity, and links of a list for records', () => {
    const screenOf = (name: string, titles: readonly string[]): string =>
      `page "Library"\n  list "${name}"\n${titles.map((title, index) => `    [e${index + 1}] link "${title}"\n`).join('')}`;
    const all = screenOf('3 books', ['Salt River', 'Glass Engine', 'Quiet Island']);
    const one = screenOf('1 book', ['Salt River']);
    const spec = mineSpec([{ screen: all, action: { kind: 'click', ref: 'e1' }, after: one }], 'the recording');
    expect(spec.entities.map(({ plural, records }) => [plural, records])).toEqual([['books', 3]]);
  });

  it('[SYN-8] are refused where no screen lists anything, with what to do', () => {
    const bare = 'page "Guest book"\n  heading "Guest book"\n  [e1] button "Post"\n';
    const step: RecordedStep = { screen: bare, action: { kind: 'click', ref: 'e1' }, after: bare };
    expect(() => mineSpec([step], 'runs/guests')).toThrow(
      /No app can be mined from runs\/guests: none of its 1 screens shows a list/,
    );
  });
});
