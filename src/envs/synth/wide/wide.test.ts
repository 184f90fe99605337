import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../core/clock.ts';
import { createRandom, hash32 } from '../../../core/random.ts';
import { button, heading, link, list, listItem, page, region, text } from '../../../worlds/app/elements.ts';
import { checkLaws } from '../../../worlds/laws.ts';
import { createWorld } from '../../../worlds/world.ts';
import { createPlanner } from '../../../agents/planner/planner.ts';
import { findSource } from '../../../runs/environments/open-environment.ts';
import { createMadeUpApp } from '../made-up-app.ts';
import { synthSpec } from '../generate/synth-spec.ts';
import { findProblems } from '../spec/check-spec.ts';
import { specSchema } from '../spec/schema.ts';
import { wideFamilies, wideSpec } from './draw/wide-spec.ts';
import { misspelled } from './speech/typos.ts';
import { isTold } from './tasks/seen.ts';

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

describe('wide made-up apps', () => {
  it('[SYN-9] come from their seed alone, and their specs are sound', async () => {
    for (const seed of seeds) {
      const spec = wideSpec(seed);
      expect(wideSpec(seed)).toEqual(spec);
      expect(specSchema.parse(spec)).toEqual(spec);
      expect([seed, findProblems(spec)]).toEqual([seed, []]);
    }
    const source = await findSource('synth:wide-5');
    expect('app' in source && source.app.id).toBe('synth-wide-5');
  });

  it('[SYN-9] leave the apps of plain seeds as they were', () => {
    const texts = Array.from({ length: 200 }, (_, index) => JSON.stringify(synthSpec(index + 1)));
    expect(hash32(texts.join('\n'))).toBe(1_213_338_790);
  });

  it('[SYN-9] have every kind of shell, list, record and place within some seeds', () => {
    const families = Array.from({ length: 150 }, (_, index) => wideFamilies(index + 1));
    const kinds = (of: (family: (typeof families)[number]) => unknown): number => new Set(families.map(of)).size;
    expect([
      kinds(one => one.shell),
      kinds(one => one.list),
      kinds(one => one.record),
      kinds(one => one.place),
      kinds(one => one.isQuiet),
    ]).toEqual([7, 9, 5, 7, 2]);
  });

  it('[SYN-13] say what was changed, or nothing where they are quiet', () => {
    const planner = createPlanner({ clock: createManualClock(), maxNodes: 600 });
    const spec = wideSpec(5);
    const says = (isQuiet: boolean): boolean => {
      const world = createWorld(createMadeUpApp({ ...spec, wide: spec.wide && { ...spec.wide, isQuiet } }));
      const session = world.open(world.task('do-stop-presses', 1));
      const plan = planner.plan(session);
      if (plan.outcome !== 'solved') throw new Error(`The planner ended with ${plan.outcome}.`);
      const texts = plan.actions.map(action => {
        session.step(action);
        return session.observe().text;
      });
      return texts.some(screen => screen.includes('alert'));
    };
    expect([says(false), says(true)]).toEqual([true, false]);
  });

  it('[SYN-10] obey the laws of environments', async () => {
    const world = createWorld(createMadeUpApp(wideSpec(7)), { checked: true });
    const tasks = world.templates.slice(0, 6).map(({ id }) => world.task(id, 1));
    expect((await checkLaws(world, { tasks, steps: 6 })).filter(({ pass }) => !pass)).toEqual([]);
  });

  it('[SYN-10] have tasks that the planner solves through the screen', () => {
    const planner = createPlanner({ clock: createManualClock(), maxNodes: 600 });
    const world = createWorld(createMadeUpApp(wideSpec(61)));
    expect(world.templates.length).toBeGreaterThan(15);
    const tried = world.templates
      .filter(({ id }) => /^(?:ask|ensure|switch|tally|undo|do-\w+)-clubs$/.test(id))
      .slice(0, 6);
    expect(tried.length).toBeGreaterThan(3);
    const unsolved = tried.filter(({ id }) => planner.plan(world.open(world.task(id, 1))).outcome !== 'solved');
    expect(unsolved.map(({ id }) => id)).toEqual([]);
  });
});

const press = { command: 'open', input: {} };

it('[SYN-11] a value is told when it stands with the name of its record, and with no other name', () => {
  const fact = { name: 'Ada Holm', value: 'North', others: ['Ben Moss'] };
  const rows = (ada: string, ben: string) =>
    page('Clinic', [list('2 patients', [listItem('Ada Holm', [text(ada)]), listItem('Ben Moss', [text(ben)])])]);
  expect(isTold(rows('North', 'South'), fact)).toBe(true);
  expect(isTold(rows('South', 'North'), fact)).toBe(false);
  expect(isTold(rows('Northern', 'South'), fact)).toBe(false);
  expect(isTold(page('Clinic', [link('Ada Holm, North', press), link('Ben Moss, South', press)]), fact)).toBe(true);
  const record = region('Patient', [heading('Ada Holm'), text('Ward: North'), button('Admit', press)]);
  expect(isTold(page('Clinic', [record]), fact)).toBe(true);
});

it('[SYN-12] slips of the finger leave names and values as they are', () => {
  const said = 'please assign Farid Holm to the patient Nina Alder with 2026-03-10';
  const texts = Array.from({ length: 60 }, (_, index) =>
    misspelled(said, ['Farid Holm', 'Nina Alder', '2026-03-10'], createRandom(index)),
  );
  expect(new Set(texts).size).toBeGreaterThan(20);
  expect(texts.every(one => ['Farid Holm', 'Nina Alder', '2026-03-10'].every(name => one.includes(name)))).toBe(true);
});
