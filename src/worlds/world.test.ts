import { describe, expect, it } from 'vitest';
import { app } from '../../examples/library/library.ts';
import { sealTask, type Task } from '../core/records.ts';
import { createWorld } from './world.ts';
import { goodTemplate, withTemplates } from '../../test/fixtures/bad-templates.ts';
import type { Action } from '../core/action.ts';
import type { StateSession } from '../core/contracts.ts';
import { sameAnswer } from './verdict/same-answer.ts';

const world = createWorld(app);

function elementNamed(session: StateSession, name: string): string {
  const found = session.candidates().find(candidate => candidate.name?.startsWith(name));
  if (found === undefined || !('ref' in found.action)) throw new Error(`there is no "${name}"`);
  return found.action.ref;
}

describe('tasks', () => {
  it('[TASK-1] are made by template and seed, and open to the same state', () => {
    for (const { id } of world.templates) {
      const task = world.task(id, 5);
      expect(createWorld(app).task(id, 5)).toEqual(task);
      expect(JSON.parse(JSON.stringify(task))).toEqual(task);
      expect(createWorld(app).open(task).digest()).toBe(world.open(task).digest());
      expect(world.task(id, 6)).not.toEqual(task);
    }
  });

  it('[TASK-2] are refused when they are not ours or damaged', () => {
    const task = world.task('reserve-for-reader', 1);
    expect(task.patch.length).toBeGreaterThan(0);
    expect(() => world.task('lend-to-raeder', 1)).toThrow(
      'Expected one of: lend-to-reader, reserve-for-reader, who-has-book',
    );
    expect(() => world.open({ ...task, environment: 'mail' })).toThrow('is for environment "mail", not "library"');
    expect(() => world.open({ ...task, seed: 'one' } as unknown as Task)).toThrow('seed: ');
    expect(() => world.open({ ...task, template: 'gone' })).toThrow('has no template "gone"');
    expect(() => world.open({ ...task, parameters: {} })).toThrow('was altered or damaged: its seal does not fit');
    expect(() => world.open(sealTask({ ...task, split: 'test' }))).toThrow('Its template says train and feasible');
    expect(() => world.open(sealTask({ ...task, kind: 'infeasible' }))).toThrow('Its template says train');
    expect(world.open(sealTask({ ...task, instruction: 'Do it.' })).task.instruction).toBe('Do it.');
    const change = { op: 'replace', path: '/books/b999/loan', before: null, value: 'Ann' } as const;
    expect(() => world.open(sealTask({ ...task, patch: [change] }))).toThrow('/books/b999/loan does not fit');
    const misfit = { op: 'add', path: '/books/b999', value: { id: 'b999' } } as const;
    expect(() => world.open(sealTask({ ...task, patch: [misfit] }))).toThrow('does not match its schema');
  });
});

describe('verdicts', () => {
  const task = world.task('lend-to-reader', 1);
  const { id, reader } = task.parameters as { id: string; reader: string };
  const lend = { kind: 'call', tool: 'lend_book', input: { id, reader } } as const;

  it('[VER-1] fail the initial state and a run that does nothing', () => {
    const session = world.open(task);
    expect(session.verify()).toMatchObject({ pass: false, progress: 0, clean: true });
    session.step({ kind: 'finish' });
    expect(session.verify().pass).toBe(false);
  });

  it('[VER-2] pass the gold run, by tool as well', () => {
    const session = world.open(task);
    session.step(lend);
    session.step({ kind: 'finish' });
    expect(session.verify()).toMatchObject({ pass: true, progress: 1, clean: true });
  });

  it('[VER-3] fail what is nearly right', () => {
    const session = world.open(task);
    session.step({ ...lend, input: { id, reader: `${reader}a` } });
    expect(session.verify()).toMatchObject({ pass: false, clean: true });
    const quitter = world.open(task);
    quitter.step(lend);
    quitter.step({ kind: 'finish', infeasible: true });
    expect(quitter.verify().pass).toBe(false);
  });

  it('[VER-4] are not clean when something else was touched', () => {
    const session = world.open(task);
    const other = (session.state() as { books: { id: string; loan: string | null }[] }).books.find(
      book => book.loan === null && book.id !== id,
    )!;
    session.step(lend);
    session.step({ kind: 'call', tool: 'lend_book', input: { id: other.id, reader } });
    expect(session.verify()).toMatchObject({
      pass: false,
      progress: 1,
      clean: false,
      evidence: { sideEffects: [`/books/${other.id}/loan`] },
    });
  });

  describe('of what has to be looked up', () => {
    const question = world.task('who-has-book', 1);
    const title = question.parameters['title'] as string;
    const answer: Action = world.open(question).guide().finish;
    const isRight = (steps: readonly Action[]): boolean => {
      const session = world.open(question);
      for (const step of steps) expect(session.step(step).applied).toBe(true);
      return session.verify().pass;
    };
    const open = (): Action => {
      const session = world.open(question);
      session.step({ kind: 'fill', ref: elementNamed(session, 'Search'), text: title });
      return { kind: 'click', ref: elementNamed(session, title) };
    };
    const search = (): Action => {
      const session = world.open(question);
      return { kind: 'fill', ref: elementNamed(session, 'Search'), text: title };
    };

    it('[VER-9] fail a right answer that was never on the screen', () => {
      expect(isRight([answer])).toBe(false);
      const session = world.open(question);
      session.step(answer);
      expect(session.verify().checks).toContainEqual({
        id: 'looked-up',
        name: 'the answer was looked up',
        pass: false,
      });
      expect(session.verify().checks).toContainEqual({ id: 'answer', name: 'the answer is right', pass: true });
    });

    it('[VER-9] pass it once the screen showed it, also when it does no longer', () => {
      expect(isRight([search(), open(), answer])).toBe(true);
      const session = world.open(question);
      for (const step of [search(), open()]) session.step(step);
      session.step({ kind: 'click', ref: elementNamed(session, 'Back') });
      expect(session.guide().unmet).toBe(0);
      session.step(answer);
      expect(session.verify().pass).toBe(true);
    });

    it('[VER-9] pass it when a tool call told it, and not when the call was about something else', () => {
      const tool = (text: string): Action => ({ kind: 'call', tool: 'list_books', input: { text } });
      expect(isRight([tool(title), answer])).toBe(true);
      const other = 'nothing is called like this';
      expect(isRight([tool(other), answer])).toBe(false);
    });

    it('[VER-12] [ENV-5] take nothing as seen from a call that was refused', () => {
      const session = world.open(question);
      const before = session.digest();
      const refused = session.step({ kind: 'call', tool: 'return_book', input: { id: 'none', title } });
      expect(refused.applied).toBe(false);
      expect(session.digest()).toBe(before);
    });

    it('[VER-12] [ENV-2] [ENV-3] hold what was seen apart in digests, snapshots and forks', () => {
      const session = world.open(question);
      const [start, before] = [session.snapshot(), session.digest()];
      const fork = session.fork();
      fork.step({ kind: 'call', tool: 'list_books', input: { text: title } });
      expect(fork.digest()).not.toBe(before);
      expect(session.digest()).toBe(before);
      fork.restore(start);
      fork.step(answer);
      expect(fork.verify().pass).toBe(false);
    });
  });

  it('[VER-10] are errors when a check answers with a promise', () => {
    const checks = () => [
      { name: 'it is lent', test: (() => Promise.reject(new Error('late'))) as unknown as () => boolean },
    ];
    const slow = createWorld(
      withTemplates([{ ...goodTemplate, goal: (...given) => ({ ...goodTemplate.goal(...given), checks: checks() }) }]),
    );
    const session = slow.open(slow.task(goodTemplate.id, 1));
    expect(() => session.verify()).toThrow('The check "it is lent" returned a promise.');
  });

  it('[VER-5] compare answers as people read them', () => {
    const same = [
      ['12', '12.0'],
      ['$1,234.50', '1234.5'],
      ['8.90 EUR', '€8.90'],
      ['  Ada  Lovelace ', 'ada lovelace'],
      ['Yes.', 'yes'],
      ['7 %', '7%'],
      ['Toma\u0301s', 'Tom\u00e1s'],
      ['+391865331', '+39 186 5331'],
    ];
    for (const [given, expected] of same) expect(sameAnswer(given!, expected!), `${given} ${expected}`).toBe(true);
    const different = [
      ['12', '13'],
      ['Ada', 'Ada Lovelace'],
      ['1.5', '15'],
      ['', '0'],
      ['-3', '3'],
      ['1,2', '12'],
      ['1, 23', '12, 3'],
      ['12%', '$12'],
      ['1 2 3', '123'],
      ['007', '7'],
      ['9007199254740993', '9007199254740992'],
      ['+39 186 5332', '+39 186 5331'],
    ];
    for (const [given, expected] of different) {
      expect(sameAnswer(given!, expected!), `${given} ${expected}`).toBe(false);
    }
    expect(sameAnswer(null, '')).toBe(false);
  });
});
