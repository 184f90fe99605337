import { expect, it } from 'vitest';
import { app as library } from '../../../examples/library/library.ts';
import type { Environment, Session } from '../../core/contracts.ts';
import { createWorld } from '../../worlds/world.ts';
import { auditEnvironment } from './audit.ts';
import { countDefects, defectOfLaw, defectOfTemplate } from './defect.ts';

const world = createWorld(library);
const tasks = world.templates.map(({ id }) => world.task(id, 1));

/** The library as somebody else serves it, spoilt in one place. */
function served(
  spoil: Partial<Environment>,
  step?: (session: Session, action: Parameters<Session['step']>[0]) => ReturnType<Session['step']>,
): Environment {
  return {
    ...world,
    open(task) {
      const session: Session = world.open(task);
      return step === undefined ? session : { ...session, step: action => step(session, action) };
    },
    ...spoil,
  };
}

it('[FORGE-26] finds nothing in a sound environment', async () => {
  expect(await auditEnvironment(served({}), tasks)).toEqual([]);
});

it('[FORGE-26] tells a schema that does not fit, a tool that breaks and a verifier that passes untouched apart', async () => {
  const tools = world.tools.map(tool =>
    tool.name === 'lend_book'
      ? { ...tool, input: { ...tool.input, properties: { id: { type: 'string' } }, required: ['id'] } }
      : tool,
  );
  const strange = await auditEnvironment(served({ tools }), tasks);
  expect(strange.map(({ class: kind, where }) => [kind, where])).toEqual([['schema', 'lend_book']]);
  expect(strange[0]?.detail).toMatch(/refuses what its schema allows: lend_book/);

  const lax = served({}, (session, action) =>
    action.kind === 'call' && action.tool === 'return_book' ? { applied: true } : session.step(action),
  );
  expect((await auditEnvironment(lax, tasks)).map(({ class: kind, where }) => [kind, where])).toEqual([
    ['schema', 'return_book'],
  ]);

  const broken = served({}, (session, action) => {
    if (action.kind === 'call' && action.tool === 'reserve_book') throw new Error('no such column');
    return session.step(action);
  });
  const found = await auditEnvironment(broken, tasks);
  expect(found.map(({ class: kind, where }) => [kind, where])).toEqual([['implementation', 'reserve_book']]);
  expect(found[0]?.detail).toMatch(/no such column/);

  const generous = {
    ...world,
    open: (task: (typeof tasks)[number]) => {
      const session = world.open(task);
      return { ...session, verify: () => ({ ...session.verify(), pass: task.template === 'lend-to-reader' }) };
    },
  };
  const passing = await auditEnvironment(generous, tasks);
  expect(passing.map(({ class: kind, where }) => [kind, where])).toEqual([['reference', 'lend-to-reader']]);
});

it('[FORGE-26] classes broken laws and templates that fall', () => {
  const defects = [
    defectOfLaw({ law: 'ENV-1', detail: 'the digests differ after step 3' }),
    defectOfLaw({ law: 'ENV-4', detail: 'A state of app "x" does not match its schema. Expected: …' }),
    defectOfTemplate({ template: 'a', detail: 'the initial state of seed 1 passes' }),
    defectOfTemplate({ template: 'b', detail: 'Command "lend" of app "x" threw: oh.' }),
  ];
  expect(defects.map(({ class: kind }) => kind)).toEqual(['implementation', 'schema', 'reference', 'implementation']);
  expect(countDefects(defects)).toEqual({ schema: 1, implementation: 2, reference: 1 });
});
