import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { app } from '../../examples/library/library.ts';
import { actionSchema, isAction, type Action } from '../core/action.ts';
import { EspalierError, refuse } from '../core/errors.ts';
import { appKit, defineApp } from './app/app.ts';
import { button, page } from './app/elements.ts';
import { createWorld } from './world.ts';

const world = createWorld(app);
const lending = world.task('lend-to-reader', 1);

function cyclic(): object {
  const self: Record<string, unknown> = {};
  self['text'] = self;
  return self;
}

describe('session', () => {
  it('[ENV-6] answers a bad action with what was expected, and goes on unchanged', () => {
    const session = world.open(lending);
    const before = session.digest();
    const bad: [unknown, string, RegExp][] = [
      [{ kind: 'click', ref: 'e99' }, 'unknown-element', /this screen has e1 to e10/],
      [{ kind: 'fill', ref: 'e2', text: 'x' }, 'invalid-action', /it takes click, not fill/],
      [{ kind: 'click', ref: 'e1' }, 'invalid-action', /it takes fill, not click/],
      [{ kind: 'fill', ref: 'e1', text: 7 }, 'invalid-action', /text/],
      [{ kind: 'call', tool: 'lend_bok', input: {} }, 'unknown-command', /Tools: lend_book, return_book/],
      [{ kind: 'call', tool: 'search', input: { value: 'x' } }, 'unknown-command', /no tool "search"/],
      [{ kind: 'call', tool: 'lend_book', input: { id: 'b1' } }, 'invalid-action', /reader: /],
      [{ kind: 'call', tool: 'lend_book', input: { id: 'b1', reader: ' ' } }, 'invalid-action', /name the reader/],
      [{ kind: 'call', tool: 'lend_book', input: { id: 'nope', reader: 'Ann' } }, 'refused', /no book "nope"/],
      [{ kind: 'call', tool: 'lend_book' }, 'invalid-action', /./],
      [{ kind: 'hover', ref: 'e1' }, 'invalid-action', /not an action/],
      [{ kind: 'click' }, 'invalid-action', /ref/],
      [{ kind: 'click', ref: 'z2' }, 'invalid-action', /an element reference such as e12/],
      [{ kind: 'click', ref: 'e2.0' }, 'invalid-action', /ref/],
      [{ kind: 'click', ref: 'e2', thought: 'hm' }, 'invalid-action', /thought/],
      [{ kind: 'select', ref: 'e1', option: 'x' }, 'invalid-action', /it takes fill, not select/],
      [{ kind: 'call', tool: 'list_books', input: { text: 1n } }, 'invalid-action', /input/],
      [{ kind: 'call', tool: 'list_books', input: cyclic() }, 'invalid-action', /input/],
      [{ kind: 'call', tool: 'constructor', input: {} }, 'unknown-command', /no tool/],
      [{ kind: 'finish', answer: 3 }, 'invalid-action', /answer/],
    ];
    for (const [index, [action, code, message]] of bad.entries()) {
      const outcome = session.step(action as Action);
      expect(outcome, `the bad action ${index}`).toMatchObject({ applied: false, problem: { code } });
      expect(outcome.problem?.message).toMatch(message);
      expect(session.digest()).toBe(before);
    }
    expect(session.step({ kind: 'click', ref: 'e2' })).toEqual({ applied: true });
  });

  it('[ENV-9] says how its episode ended, and so do its forks and what is restored', () => {
    const session = world.open(lending);
    const before = session.snapshot();
    expect(session.ended()).toBeNull();
    session.step({ kind: 'click', ref: 'e99' });
    expect(session.ended()).toBeNull();
    session.step({ kind: 'finish' });
    expect([session.ended(), session.fork().ended()]).toEqual(['terminated', 'terminated']);
    session.restore(before);
    expect(session.ended()).toBeNull();
  });

  it('[ENV-7] survives anything an agent may send, inside its schema', () => {
    const action = fc.oneof(
      fc.record({
        kind: fc.constantFrom('click', 'fill', 'select', 'call', 'finish', 'zap'),
        ref: fc.oneof(
          fc.integer({ max: 14 }).map(n => `e${n}`),
          fc.anything(),
        ),
        text: fc.oneof(fc.string(), fc.anything()),
        option: fc.string(),
      }),
      fc.record({
        kind: fc.constant('call'),
        tool: fc.constantFrom('lend_book', 'return_book', 'reserve_book', 'list_books', 'toString'),
        input: fc.oneof(
          fc.record({ id: fc.constantFrom('b1', 'b2', 'x'), reader: fc.string(), text: fc.string() }),
          fc.anything(),
        ),
      }),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), actions => {
        const session = world.open(lending);
        for (const sent of actions) {
          session.step(sent as Action);
          expect(app.state.safeParse(session.state()).success).toBe(true);
          expect(session.observe().text).toContain('Library desk');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('[ENV-8] shares states by identity between snapshots, forks and steps', () => {
    const session = world.open(lending);
    const start = session.state() as { books: unknown };
    const snapshot = session.snapshot();
    const fork = session.fork();
    session.step({ kind: 'click', ref: 'e2' });
    expect(session.state()).not.toBe(start);
    expect((session.state() as { books: unknown }).books).toBe(start.books);
    expect(fork.state()).toBe(start);
    session.restore(snapshot);
    expect(session.state()).toBe(start);
  });

  it('[ENV-5] takes no step after the finish until it is rolled back, and none once closed', () => {
    const session = world.open(lending);
    const before = session.snapshot();
    expect(session.step({ kind: 'finish' })).toEqual({ applied: true, end: 'terminated' });
    expect(session.step({ kind: 'click', ref: 'e2' })).toMatchObject({ applied: false, problem: { code: 'ended' } });
    expect(session.candidates()).toEqual([]);
    session.restore(before);
    expect(session.step({ kind: 'click', ref: 'e2' })).toEqual({ applied: true });
    const foreign = world.open(world.task('lend-to-reader', 2)).snapshot();
    expect(() => session.restore(foreign)).toThrow('A snapshot of task library/lend-to-reader/2');
    session.close();
    expect(() => session.observe()).toThrow('is closed');
    expect(() => session.step({ kind: 'finish' })).toThrow(EspalierError);
  });

  it('[APP-3] shows a refusal at the screen and tells it to a caller', () => {
    const session = world.open(lending);
    session.step({ kind: 'click', ref: 'e4' });
    const lend = session.candidates().find(candidate => candidate.name === 'Lend' || candidate.name === 'Reserve');
    const outcome = session.step(lend!.action);
    expect(outcome).toMatchObject({ applied: true, problem: { message: 'name the reader' } });
    expect(session.observe().text).toContain('alert "name the reader"');
    const { id } = (session.state() as { books: { id: string; loan: null | string }[] }).books.find(
      book => book.loan !== null,
    )!;
    const before = session.digest();
    expect(session.step({ kind: 'call', tool: 'lend_book', input: { id, reader: 'Ann' } }).problem?.code).toBe(
      'refused',
    );
    expect(session.digest()).toBe(before);
  });

  it('[APP-3] gives a tool call what the command returns', () => {
    const session = world.open(lending);
    const { result } = session.step({
      kind: 'call',
      tool: 'list_books',
      input: { text: lending.parameters['title'] as string },
    });
    expect(result).toEqual([{ id: lending.parameters['id'], title: lending.parameters['title'], loan: null }]);
  });

  it('[ENV-5] hands out results that are not the state itself', () => {
    const session = world.open(lending);
    const { result } = session.step({ kind: 'call', tool: 'list_books', input: { text: '' } });
    for (const book of result as { loan: string }[]) book.loan = 'Mallory';
    expect(session.digest()).toBe(world.open(lending).digest());
    expect(JSON.stringify(session.state())).not.toContain('Mallory');
  });

  it('[ENV-6] knows an action as fast as its schema does', () => {
    const anything = fc.oneof(
      fc.record(
        {
          kind: fc.constantFrom('click', 'fill', 'select', 'call', 'finish', 'zap'),
          ref: fc.constantFrom('e1', 'e0', 'e12', 'z', 'e1 ', 3),
          text: fc.oneof(fc.string(), fc.integer()),
          option: fc.string(),
          tool: fc.string(),
          input: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.anything()),
          answer: fc.oneof(fc.string(), fc.constant(undefined)),
          infeasible: fc.constantFrom(true, false),
        },
        { requiredKeys: ['kind'] },
      ),
      fc.anything(),
    );
    fc.assert(
      fc.property(anything, value => {
        expect(isAction(value)).toBe(actionSchema.safeParse(value).success);
      }),
      { numRuns: 3000 },
    );
  });

  it('[APP-5] offers for typing only what the instruction names', () => {
    const texts = new Set(
      world
        .open(lending)
        .candidates()
        .flatMap(({ action }) => (action.kind === 'fill' ? [action.text] : [])),
    );
    expect(texts).toEqual(new Set([lending.parameters['title'], lending.parameters['reader']]));
    expect(lending.parameters['id']).toMatch(/^b\d+$/);
  });
});

describe('a broken app', () => {
  const state = z.object({ count: z.int(), ui: z.object({ broken: z.boolean() }) });
  const { command, gesture, query, template } = appKit(state);
  const nothing = z.object({});
  const explode = command('explode', { about: 'Throws.', input: nothing, run: () => expect.fail('boom') });
  const spoil = gesture('spoil', {
    about: 'Makes the view throw.',
    input: nothing,
    run(draft) {
      draft.ui.broken = true;
    },
  });
  const body = {
    about: 'Counts.',
    split: 'train',
    sample: () => ({ to: 1 }),
    instruction: () => 'Count to 1.',
    checks: () => [{ name: 'counted', test: (final: z.infer<typeof state>) => final.count === 1 }],
    allow: () => ['/count'],
  } as const;
  const broken = defineApp({
    id: 'broken',
    title: 'Broken',
    about: 'Breaks.',
    state,
    init: () => ({ count: 0, ui: { broken: false } }),
    commands: [explode, spoil],
    view: ({ ui }) =>
      ui.broken
        ? expect.fail('no view')
        : page('Broken', [
            button('Explode', explode.with({})),
            button('Spoil', spoil.with({})),
            button('Lost', { command: 'lost', input: {} }),
          ]),
    templates: [
      template('fine', body),
      template('no-sample', { ...body, sample: () => expect.fail('no sample') }),
      template('no-instance', { ...body, sample: (): { to: number } | null => null }),
      template('no-checks', { ...body, checks: () => expect.fail('no checks') }),
      template('throwing-check', { ...body, checks: () => [{ name: 'odd', test: () => expect.fail('odd') }] }),
      template('bad-setup', { ...body, setup: draft => Object.assign(draft, { count: 'many' }) }),
    ],
  });
  const environment = createWorld(broken);
  const open = (id: string) => environment.open(environment.task(id, 1));

  it('[APP-4] says which part threw, typed, and leaves the session as it was', () => {
    const session = open('fine');
    const before = session.digest();
    expect(() => session.step({ kind: 'click', ref: 'e1' })).toThrow('Command "explode" of app "broken" threw: boom');
    expect(() => session.step({ kind: 'click', ref: 'e3' })).toThrow(
      'dispatches "lost", which is not one of its commands',
    );
    expect(session.digest()).toBe(before);
    session.step({ kind: 'click', ref: 'e2' });
    expect(() => session.observe()).toThrow('The view of app "broken" threw: no view');
    expect(() => environment.task('no-sample', 1)).toThrow('Template "no-sample" threw in sample: no sample');
    expect(() => environment.task('no-instance', 1)).toThrow('found no instance in 50 worlds for seed 1');
    expect(() => open('no-checks')).toThrow('Template "no-checks" threw in checks');
    expect(() => open('throwing-check').verify()).toThrow('The check "odd" threw: odd');
    expect(() => open('no-sample')).toThrow(EspalierError);
  });

  it('[APP-4] names the member that a template lacks', () => {
    const { checks: _, ...lacking } = body;
    expect(() => template('bare', lacking as typeof body)).toThrow('Template "bare" has no checks');
    expect(() => template('bare', { ...body, split: undefined as unknown as 'train' })).toThrow('has no split');
  });

  it('[APP-4] types what init, onRefusal, shown and an odd check do wrong', () => {
    const without: typeof broken = { ...broken, onRefusal: null };
    const opened = (spoilt: typeof without) => createWorld(spoilt).open(createWorld(broken).task('fine', 1));
    expect(() => opened({ ...without, init: () => expect.fail('no init') })).toThrow(
      'init of app "broken" threw: no init',
    );
    const refusing = command('explode', { about: 'Refuses.', input: nothing, run: () => refuse('no') });
    const muddled = opened({ ...without, commands: [refusing, spoil], onRefusal: () => expect.fail('speechless') });
    expect(() => muddled.step({ kind: 'click', ref: 'e1' })).toThrow('onRefusal of app "broken" threw: speechless');
    const odd = { ...body, checks: () => [{ name: 'odd', test: () => undefined as unknown as boolean }] };
    expect(opened({ ...without, templates: [template('fine', odd)] }).verify().checks).toEqual([
      { id: 'odd', name: 'odd', pass: false },
    ]);
    const blind = { ...body, answer: () => 'x', shown: () => expect.fail('blind') };
    expect(() => opened({ ...without, templates: [template('fine', blind)] }).guide()).toThrow('shown threw: blind');
  });

  it('[ENV-5] is caught when it writes to its state, once the states are checked', () => {
    const meddle = query('meddle', {
      about: 'Writes where it should read.',
      input: nothing,
      run(read) {
        read.count = 7;
        return null;
      },
    });
    const meddling = createWorld({ ...broken, commands: [meddle], onRefusal: null }, { checked: true });
    const session = meddling.open(meddling.task('fine', 1));
    expect(() => session.step({ kind: 'call', tool: 'meddle', input: {} })).toThrow(
      'Command "meddle" of app "broken" threw',
    );
  });

  it('[ENV-7] is caught when a command leaves the schema, once the states are checked', () => {
    const stray = command('stray', {
      about: 'Writes a field that is not there.',
      input: nothing,
      run(draft) {
        Object.assign(draft, { cuont: 1 });
      },
    });
    const straying = createWorld({ ...broken, commands: [stray], onRefusal: null }, { checked: true });
    const session = straying.open(straying.task('fine', 1));
    expect(() => session.step({ kind: 'call', tool: 'stray', input: {} })).toThrow('Its schema knows no /cuont');
  });

  it('[APP-2] refuses a state outside its schema, naming the field', () => {
    const typo = { ...broken, init: () => ({ count: 0, ui: { broken: false }, cuont: 1 }), onRefusal: null };
    expect(() => createWorld(typo).task('fine', 1)).toThrow('Its schema knows no /cuont');
    expect(() => open('bad-setup')).toThrow('count: Invalid input: expected number, received string');
  });

  it('[APP-1] refuses bad and repeated names', () => {
    expect(() => defineApp({ ...broken, id: 'Not ok', onRefusal: () => {} })).toThrow('"Not ok" cannot be used');
    expect(() => defineApp({ ...broken, commands: [explode, explode], onRefusal: () => {} })).toThrow(
      '"explode" stands twice among the commands of broken',
    );
    expect(() => defineApp({ ...broken, templates: [], onRefusal: () => {} })).toThrow('has no templates');
  });
});
