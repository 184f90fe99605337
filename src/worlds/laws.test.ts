import { describe, expect, it } from 'vitest';
import { app } from '../../examples/library/library.ts';
import type { Environment, Session } from '../core/contracts.ts';
import { checkLaws } from './laws.ts';
import { createWorld } from './world.ts';

const world = createWorld(app);
const tasks = world.templates.map(({ id }) => world.task(id, 2));

/** The library with one thing broken in every session. */
function broken(spoil: (session: Session) => Partial<Session>): Environment {
  return {
    ...world,
    open(task) {
      const session = world.open(task);
      return { ...session, ...spoil(session) };
    },
  };
}

async function brokenLaws(environment: Environment): Promise<string[]> {
  const results = await checkLaws(environment, { tasks, steps: 20 });
  return results.filter(({ pass }) => !pass).map(({ law }) => law);
}

describe('the laws', () => {
  it('[ENV-1] catch outcomes, tools and choices that change from run to run', async () => {
    let count = 0;
    const moodyResult = broken(({ step }) => ({
      step: async action => ({ ...(await step(action)), result: count++ }),
    }));
    expect(await brokenLaws(moodyResult)).toContain('ENV-1');
    const moodyChoice = broken(({ candidates }) => ({
      candidates: async () =>
        count++ % 2 === 0 ? ((await candidates?.()) ?? []) : ((await candidates?.()) ?? []).toReversed(),
    }));
    expect(await brokenLaws(moodyChoice)).toContain('ENV-1');
    const lend = app.commands.find(({ name }) => name === 'list_books')!;
    const moodyTool = { ...lend, run: () => count++ };
    const commands = app.commands.map(command => (command === lend ? moodyTool : command));
    expect(await brokenLaws(createWorld({ ...app, commands }))).toContain('ENV-1');
  });

  it('[ENV-2] catch a restore that forgets the ending', async () => {
    const stuck = broken(session => {
      let ended = false;
      return {
        step: async action => {
          if (ended) return { applied: false, problem: { code: 'ended', message: 'over' } };
          const outcome = await session.step(action);
          ended = outcome.end !== undefined;
          return outcome;
        },
      };
    });
    expect(await brokenLaws(stuck)).toContain('ENV-2');
  });

  it('[ENV-5] catch looking that changes things', async () => {
    const shy = broken(session => ({
      verify: () => {
        void session.step({ kind: 'fill', ref: 'e1', text: 'seen' });
        return session.verify();
      },
    }));
    expect(await brokenLaws(shy)).toContain('ENV-5');
  });

  it('[ENV-1] do not hold where there was nothing to try', async () => {
    const results = await checkLaws(world, { tasks: [] });
    expect(results.map(({ pass }) => pass)).toEqual([false, false, false, false, false]);
    const blank = createWorld({ ...app, view: () => ({ role: 'page', name: 'Blank' }), commands: [] });
    expect(await brokenLaws(blank)).toHaveLength(5);
  });
});
