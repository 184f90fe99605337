import { describe, expect, it } from 'vitest';
import { appKit, button, defineApp, find, link, list, need, page, z } from 'espalier';
import { app as library } from '../../../examples/library/library.ts';
import { withTemplates } from '../../../test/fixtures/bad-templates.ts';
import { createManualClock } from '../../core/clock.ts';
import { admitTemplates } from '../../forge/admission/admission.ts';
import { planner as plannerStudent } from '../../runs/agents/students/planner.ts';
import { createTeachingPlanner } from '../../runs/agents/teaching-planner.ts';
import { createLadderPlanner } from '../../runs/environments/ladder-planner.ts';
import { createWorld } from '../../worlds/world.ts';
import { createPlanner } from './planner.ts';
import { createPlannerPolicy } from './planner-teacher.ts';

const clock = createManualClock();
const readers = ['Ines Aalto', 'Piet Maas', 'Lena Frost', 'Omar Haddad', 'Yuki Sato', 'Mara Lind'];

/** Lends several books, each from the list that the library opens with. */
function lending(count: number) {
  return appKit(library.state).template('lend-several', {
    about: 'Lend several books.',
    split: 'train',
    sample(state, random) {
      const books = random.sample(state.books, count);
      return {
        ids: books.map(({ id }) => id),
        titles: books.map(({ title }) => title),
        to: random.sample(readers, count),
      };
    },
    setup(draft, { ids }) {
      for (const id of ids) need(draft.books, id, 'book').loan = null;
    },
    instruction: ({ titles, to }) => titles.map((title, at) => `Lend "${title}" to ${to[at]}.`).join(' '),
    checks: ({ ids, to }) =>
      ids.map((id, at) => ({ name: `book ${at}`, test: final => find(final.books, id)?.loan === to[at] })),
    allow: ({ ids }) => ids.map(id => `/books/${id}/loan`),
  });
}

const notes = z.object({
  mode: z.string(),
  notes: z.array(z.object({ id: z.string(), text: z.string() })),
  bin: z.array(z.object({ id: z.string(), text: z.string() })),
  ui: z.object({ at: z.string() }),
});
const { command, template } = appKit(notes);
const none = z.object({});

/** Notes can be marked in one mode only, and renamed only while they are away. */
const commands = {
  mode: command('set_mode', {
    about: 'Set the mode.',
    input: z.object({ mode: z.string() }),
    run(draft, { mode }) {
      draft.mode = mode;
    },
  }),
  mark: command('mark', {
    about: 'Mark the note.',
    input: none,
    run(draft) {
      if (draft.mode === 'edit') need(draft.notes, 'n1', 'note').text = 'marked';
    },
  }),
  cut: command('cut', {
    about: 'Take the note away.',
    input: none,
    run(draft) {
      draft.bin.push(...draft.notes.splice(0));
    },
  }),
  paste: command('paste', {
    about: 'Put it back, renamed.',
    input: none,
    run(draft) {
      draft.notes.push(...draft.bin.splice(0).map(note => ({ ...note, text: 'pasted' })));
    },
  }),
};
const app = defineApp({
  id: 'notes',
  title: 'Notes',
  about: 'One note.',
  state: notes,
  init: () => ({ mode: 'view', notes: [{ id: 'n1', text: 'plain' }], bin: [], ui: { at: 'list' } }),
  commands: Object.values(commands),
  view: state =>
    page('Notes', [
      button('Edit', commands.mode.with({ mode: 'edit' })),
      button('View', commands.mode.with({ mode: 'view' })),
      button('Mark', commands.mark.with({})),
      button('Cut', commands.cut.with({})),
      button('Paste', commands.paste.with({})),
      list(
        'Notes',
        state.notes.map(({ text }) => link(text, commands.mode.with({ mode: state.mode }))),
      ),
    ]),
  templates: ['marked', 'pasted'].map(text =>
    template(text, {
      about: `Have the note ${text}.`,
      split: 'train',
      sample: () => ({ id: 'n1' }),
      instruction: () => `Have the note ${text}.`,
      checks: () => [{ name: text, test: final => find(final.notes, 'n1')?.text === text && final.mode === 'view' }],
      allow: () => ['/notes/n1/text'],
    }),
  ),
});

const dials = z.object({ dials: z.array(z.object({ id: z.string(), at: z.int() })), ui: z.object({}) });
const turn = appKit(dials).command('turn', {
  about: 'Turn a dial by one.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const dial = need(draft.dials, id, 'dial');
    dial.at = (dial.at + 1) % 12;
  },
});
/** Nothing tells which way is right before three dials are. */
const lock = defineApp({
  id: 'lock',
  title: 'Lock',
  about: 'Three dials.',
  state: dials,
  init: () => ({ dials: ['a', 'b', 'c'].map(id => ({ id, at: 0 })), ui: {} }),
  commands: [turn],
  view: state =>
    page(
      'Lock',
      state.dials.map(({ id, at }) => button(`Dial ${id}: ${at}`, turn.with({ id }))),
    ),
  templates: [
    appKit(dials).template('open', {
      about: 'Open the lock.',
      split: 'train',
      sample: () => ({}),
      instruction: () => 'Open the lock.',
      checks: () => [{ name: 'open', test: final => final.dials.every(({ at }) => at === 9) }],
      allow: () => ['/dials/*/at'],
    }),
  ],
});

describe('the search of the planner', () => {
  it('[PLAN-7] goes back to the start screen as readily as to any other', () => {
    const world = createWorld(withTemplates([lending(2)]));
    for (let seed = 1; seed <= 5; seed++) {
      const plan = createPlanner({ clock }).plan(world.open(world.task('lend-several', seed)));
      expect(plan.outcome).toBe('solved');
      expect(plan.expanded).toBeLessThan(60);
    }
  });

  it('[PLAN-8] has one limit for teaching and for admission', () => {
    const world = createWorld(lock);
    const task = world.task('open', 1);
    const [taught, admitted] = [createTeachingPlanner(clock), createLadderPlanner()].map(planner =>
      planner.plan(world.open(task)),
    );
    expect(admitted?.outcome).toBe('solved');
    expect(admitted?.expanded).toBeGreaterThan(600);
    expect(taught).toEqual(admitted);
  });

  it('[PLAN-10] expands no more states than a student is given', async () => {
    const config = plannerStudent.config.parse({ kind: 'planner', nodes: 600 });
    const opened = await plannerStudent.open(config, { clock, connect: () => Promise.reject(new Error('No model.')) });
    const world = createWorld(lock);
    const decision = await opened.make(null).act({} as never, world.open(world.task('open', 1)));
    expect(decision).toMatchObject({ action: null });
  });

  it('[PLAN-9] names the cause: a change that is put back, or a record that was away', async () => {
    const admissions = [...admitTemplates(app, { planner: createLadderPlanner(), seeds: 2 })];
    const reasons = Object.fromEntries(admissions.map(({ template: id, detail }) => [id, detail]));
    expect(reasons['marked']).toContain('the way there changes /mode and puts it back');
    expect(reasons['pasted']).toContain('/notes/n1 (removed and added again on the way)');
    expect(reasons['pasted']).toContain('list the table in undoable');
    const world = createWorld(app);
    const session = world.open(world.task('marked', 1));
    const decision = await createPlannerPolicy(createTeachingPlanner(clock)).act({} as never, session);
    expect(decision).toMatchObject({
      action: null,
      problem: expect.stringContaining('infeasible-within-budget after'),
    });
  });
});
