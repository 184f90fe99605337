import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../core/clock.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { jobsOf, type InterfaceBrief } from './interface-brief.ts';
import { createInterfaceEnvironment, interfaceBaselines } from './interface-environment.ts';
import { fieldsOfPages, pagesMatch, writePages, type Pages } from './interface-pages.ts';
import { tryJob } from './interface-user.ts';

const brief: InterfaceBrief = {
  title: 'Harbour Desk',
  forms: [
    {
      button: 'Add visit',
      fields: [
        { kind: 'text', label: 'Name' },
        { kind: 'choice', label: 'Day', options: ['Monday', 'Tuesday', 'Saturday'] },
      ],
    },
    { button: 'Cancel tour', fields: [{ kind: 'check', label: 'Urgent' }] },
  ],
};
const right = writePages(brief);

/** The design with another page in place of the one with this name. */
function withPage(name: string, controls: Pages['pages'][number]['controls'], pages: Pages = right): Pages {
  return { ...pages, pages: pages.pages.map(page => (page.name === name ? { name, controls } : page)) };
}

const visit = (more: Pages['pages'][number]['controls']): Pages =>
  withPage('Add visit', [...more, { kind: 'button', label: 'Add visit' }]);
const name = { kind: 'text', label: 'Name' } as const;
const day = { kind: 'choice', label: 'Day', options: ['Monday', 'Tuesday', 'Saturday'] } as const;

describe('pages from a brief', () => {
  it('[ART-3] say their brief: title, buttons and fields are recovered', () => {
    expect(fieldsOfPages(right)).toEqual([
      'title: Harbour Desk',
      'form: Add visit',
      'Add visit: Name, text',
      'Add visit: Day, choice of Monday, Tuesday, Saturday',
      'form: Cancel tour',
      'Cancel tour: Urgent, check',
    ]);
    expect(pagesMatch(right, brief)).toBe(1);
    // Five of six fields on both sides, and a seventh field beside all six: 10/12 and 12/13.
    expect(pagesMatch({ ...right, title: 'Other' }, brief)).toBeCloseTo(10 / 12, 9);
    expect(pagesMatch(visit([name, day, { kind: 'check', label: 'Paid' }]), brief)).toBeCloseTo(12 / 13, 9);
    expect(pagesMatch(null, brief)).toBe(0);
  });

  it('[ART-4] are tried by a user, who says where it got stuck', () => {
    const jobs = jobsOf(brief);
    expect(jobs.map(({ button, values }) => [button, values['Day'] ?? values['Urgent']])).toEqual([
      ['Add visit', 'Monday'],
      ['Add visit', 'Tuesday'],
      ['Add visit', 'Saturday'],
      ['Cancel tour', 'yes'],
      ['Cancel tour', 'no'],
    ]);
    const stuck = (pages: Pages): readonly (string | null)[] => jobs.map(job => tryJob(pages, job));
    expect(stuck(right)).toEqual([null, null, null, null, null]);
    expect(stuck(visit([name]))[0]).toBe('"Add visit" has no field "Day"');
    expect(stuck(visit([name, name, day]))[0]).toBe('"Add visit" has several fields "Name"');
    const fewer = visit([name, { kind: 'choice', label: 'Day', options: ['Monday', 'Tuesday'] }]);
    expect(stuck(fewer)).toEqual([null, null, '"Day" does not offer "Saturday"', null, null]);
    expect(stuck(visit([name, day, { kind: 'text', label: 'Room' }]))[0]).toContain('also asks for "Room"');
    const unlinked = withPage('Home', [{ kind: 'link', label: 'Add visit', to: 'Add visit' }]);
    expect(stuck(unlinked)[3]).toBe('no page within 2 links of "Home" has a button "Cancel tour"');
  });

  it('[ART-4] pass when the user can do everything and nothing else is asked; the first tries are told', async () => {
    const environment = createInterfaceEnvironment();
    const planner = createPlanner({ clock: createManualClock() });
    for (const { id } of environment.templates) {
      const task = environment.task(id, 2);
      const plan = planner.plan(environment.open(task));
      const session = environment.open(task);
      for (const action of plan.outcome === 'solved' ? plan.actions : []) session.step(action);
      expect(session.verify()).toMatchObject({ pass: true, progress: 1 });
    }
    const task = environment.task('small-app', 3);
    const session = environment.open(task);
    const [, first] = /users do this: "([^"]+)"/.exec(task.instruction) ?? [];
    const controls = [{ kind: 'button', label: first as string }];
    const input = { title: 'Desk', pages: [{ name: 'Home', controls }] };
    const outcome = session.step({ kind: 'call', tool: 'write_pages', input });
    expect(outcome).toMatchObject({ applied: true, result: { done: 0, of: 2 } });
    const crowded = { title: 'Desk', pages: [{ name: 'Home', controls: Array.from({ length: 9 }, () => name) }] };
    expect(session.step({ kind: 'call', tool: 'write_pages', input: crowded })).toMatchObject({ applied: false });
    const tasks = [environment.task('app', 1)];
    for (const result of await checkLaws(environment, { tasks })) expect(result).toMatchObject({ pass: true });
  });

  it('[ART-4] cannot be passed with words or buttons alone', () => {
    const environment = createInterfaceEnvironment();
    for (const { play } of interfaceBaselines) {
      const session = environment.open(environment.task('small-app', 4));
      play(session);
      expect(session.verify().pass).toBe(false);
    }
  });
});
