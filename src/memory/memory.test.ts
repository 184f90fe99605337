import { describe, expect, it } from 'vitest';
import { planFor, run, tasksOf } from '../../test/fixtures/episode-setup.ts';
import { passingPoison, poisonedText } from '../../test/fixtures/poisoned-text.ts';
import { createRandomPolicy } from '../agents/random.ts';
import { openBuiltIn } from '../catalog.ts';
import type { OrdinaryPolicy, Policy, PrivilegedPolicy } from '../core/episode/agents.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import { createRandom } from '../core/random.ts';
import { createLinear } from '../episode/strategies/linear.ts';
import { memories } from '../runs/registry/memories.ts';
import { checkMemory } from '../testing.ts';
import { poisonGate } from './gate.ts';
import type { NewItem } from './item.ts';
import { utilityOf } from './item.ts';
import { checkMemoryLaws } from './laws/memory-laws.ts';
import { createMemory, readMemory, type Memory } from './memory.ts';
import { createRememberingPolicy } from './reading/remembering-policy.ts';
import type { RunCode } from './reading/programs.ts';
import { similarityOf } from './reading/similarity.ts';
import { generalLine, literalsOf, withLiterals, withSlots } from './reading/slots.ts';
import { runProgram } from '../envs/tools/program/run-program.ts';
import { dynasaur } from './writers/dynasaur.ts';
import { reasoningBank } from './writers/reasoning-bank.ts';
import { trad } from './writers/trad.ts';
import { webXSkill } from './writers/web-x-skill.ts';
import { experienceOf, isLearnable, type Experience, type MemoryMethod } from './writers/writer.ts';

const world = await openBuiltIn('mail');
const solver: PrivilegedPolicy = {
  name: 'solver',
  privileged: true,
  act: (_view, session) => ({ action: planFor(session)[0] ?? null }),
};
const strategy = createLinear();
const runWith = (student: Policy, seeds: number[]) =>
  run({ tasks: tasksOf(world, 'star-message', seeds), parts: { environment: world, student, strategy } });
const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

const passed = (await runWith(solver, seedsFrom(1, 24))).records.map(experienceOf);
const random = (await runWith(createRandomPolicy(), seedsFrom(1, 6))).records.map(experienceOf);
const provenance = { writer: 'test', environment: 'mail', tasks: ['t'] };
const note = (title: string, text: string, steps: { prefer?: string[]; avoid?: string[] } = {}): NewItem => ({
  kind: 'note',
  title,
  text,
  prefer: [],
  avoid: [],
  ...steps,
  provenance,
});
const patternOf = ({ head }: EpisodeRecord): string =>
  withSlots(head.task.instruction, literalsOf(head.task.instruction));

describe('slots', () => {
  it('[MEM-2] stand for the texts of a task, the longest first, and are filled by those of another', () => {
    const literals = literalsOf('Star the message "Trip to Oslo" from Ada Byron, 2 times.');
    expect(literals).toEqual(['Trip to Oslo', 'Ada Byron', '2']);
    expect(withSlots('open "Trip to Oslo" of Ada Byron', literals)).toBe('open "{{0}}" of {{1}}');
    expect(generalLine('open "Trip to Oslo, 2026-01-17 16:30"', literals)).toBe('open "{{0}}, {{*}}"');
    expect(literalsOf('Ada Byron wrote. Put a star on it.')).toEqual(['Ada Byron']);
    expect(withLiterals('open "{{0}}"', ['Lunch'])).toBe('open "Lunch"');
    expect(withLiterals('open "{{3}}"', ['Lunch'])).toBeNull();
  });

  it('[MEM-1] tasks are alike by their words: three of five', () => {
    expect(similarityOf('Star the message "{{0}}".', 'Archive the message "{{0}}" now.')).toBe(2 / 5);
    expect(similarityOf('Star it', 'Star it')).toBe(1);
  });
});

/** Keeps the last line as it is, and something else each time. */
let times = 0;
const careless: MemoryMethod = {
  name: 'careless',
  about: '',
  write: episodes =>
    episodes.map(({ head, text, end }) => ({
      ...note(`Time ${++times}`, text(end.leaf)),
      provenance: { ...provenance, tasks: [head.task.id, 'mail/other/1'] },
    })),
};

describe('every memory', () => {
  const all = [...passed.slice(0, 6), ...random];

  it.each(memories.entries)('[MEM-1] [MEM-3] [MEM-26] $name obeys the laws', method => {
    expect(checkMemoryLaws(method, all).filter(({ pass }) => !pass)).toEqual([]);
  });

  it('[MEM-26] one that breaks a law is told which, with the item; episodes are run for it', async () => {
    const student = (): Policy => solver;
    const tasks = tasksOf(world, 'star-message', [1]);
    const results = await checkMemory({ memory: careless, environment: world, tasks, student });
    expect(results.map(({ law, pass }) => [law, pass])).toEqual([
      ['MEM-1', false],
      ['MEM-3', true],
      ['MEM-26', false],
    ]);
    expect(results[0]?.detail).toContain('mail/other/1, which is no task');
    const keeping = { ...careless, write: () => [note('x', random[0]!.head.task.instruction)] };
    const [, kept] = checkMemoryLaws(keeping, random.slice(0, 1));
    expect(kept?.detail).toContain('a text of mail/star-message/1');
    // Some keep only what two tasks have, or what one attempt did and another did not.
    const both = { ...careless, write: (of: readonly Experience[]) => (of.length < 2 ? [] : keeping.write()) };
    expect(checkMemoryLaws(both, random.slice(0, 1))[1]?.pass).toBe(false);
    const passing = {
      ...careless,
      write: (of: readonly Experience[]) => (of.some(one => one.passed) ? keeping.write() : []),
    };
    expect(checkMemoryLaws(passing, random.slice(0, 1))[1]?.pass).toBe(false);
    expect(checkMemoryLaws(trad, random.slice(0, 2))[0]?.detail).toBe('2 episodes, 0 items');
    const [own] = checkMemoryLaws({ ...careless, write: () => [{ kind: 'poem' } as unknown as NewItem] }, all);
    expect(own?.pass).toBe(false);
    expect(checkMemoryLaws(careless, []).every(({ pass }) => !pass)).toBe(true);
  });

  it('[MEM-3] reasoning-bank keeps at most three notes an episode', () => {
    for (const record of all) expect(reasoningBank.write([record]).length).toBeLessThanOrEqual(3);
  });

  it('[MEM-7] nothing of a held-out task or an evaluation may be learned from', () => {
    const [first] = passed;
    if (first === undefined) throw new Error('no episode');
    const held = { ...first, head: { ...first.head, task: { ...first.head.task, split: 'held-out' } } };
    const evaluated = { ...first, head: { ...first.head, phase: 'evaluate' as const } };
    expect([first, held, evaluated].map(record => isLearnable(record as EpisodeRecord))).toEqual([true, false, false]);
  });
});

/** The marks that the steps of an episode have. */
const marksOf = ({ tree, end }: EpisodeRecord) => tree.path(end.leaf).map(({ memory }) => memory);

describe('a student with a memory', () => {
  const known = new Set(passed.map(patternOf));
  const runCode: RunCode = (code, options) => runProgram(code, options);
  const studentWith = (memory: Memory): OrdinaryPolicy =>
    createRememberingPolicy({ policy: createRandomPolicy(), memory, tells: false, run: runCode });
  /** Outcomes of new tasks of known patterns, and how many items each of their steps followed. */
  const carriedOut = async (memory: Memory) => {
    const records = (await runWith(studentWith(memory), seedsFrom(101, 20))).records.filter(record =>
      known.has(patternOf(record)),
    );
    const followed = records.flatMap(record => marksOf(record).map(mark => mark?.used.length));
    return { outcomes: new Set(records.map(({ end }) => end.outcome)), followed: new Set(followed) };
  };
  const allPassed = { outcomes: new Set(['passed']), followed: new Set([1]) };

  it('[MEM-4] carries out skills on tasks that they were not made from, and says so in every step', async () => {
    const memory = createMemory().write(webXSkill.write([...passed, ...passed.map(again)]), poisonGate);
    expect(await carriedOut(memory)).toEqual(allPassed);
  });

  it('[MEM-18] carries out programs in the sandbox; one that breaks or does not end is marked and not followed', async () => {
    expect(await carriedOut(createMemory().write(dynasaur.write(passed), poisonGate))).toEqual(allPassed);
    const wrong = ['while (true) {}', 'return process.exit(1);', 'return "click nothing";'].map(
      (code, at): NewItem => ({
        kind: 'program',
        title: `${at}`,
        text: '',
        pattern: patternOf(passed[at] as EpisodeRecord),
        code,
        use: 'call',
        provenance,
      }),
    );
    const memory = createMemory().write(wrong, poisonGate);
    const [episode] = (await runWith(studentWith(memory), [1])).records;
    expect(episode?.end.boundary).toBeNull();
    expect(marksOf(episode as EpisodeRecord)[0]?.broken.length).toBeGreaterThan(0);
  });

  it('[MEM-4] guided: skills are not carried out, their steps only preferred', async () => {
    const memory = createMemory().write(webXSkill.write([...passed, ...passed.map(again)]), poisonGate);
    let asked = 0;
    const inner: OrdinaryPolicy = { name: 'inner', act: view => (asked++, createRandomPolicy().act(view)) };
    const policy = createRememberingPolicy({ policy: inner, memory, tells: false, skills: 'guided' });
    await runWith(policy, [101]);
    expect(asked).toBeGreaterThan(0);
  });

  it('[MEM-24] weighs steps by e³ to the trust in an item, and drops what the student said of another step', async () => {
    const line = (name: string): string => `click button "${name}"`;
    const screen = ['heading "Inbox"', '[e1] button "Star"', '[e2] button "Archive"'].join('\n');
    const inner: OrdinaryPolicy = {
      name: 'inner',
      act: () => ({
        action: { kind: 'click', ref: 'e1' },
        prior: 0.9,
        logprob: -0.1,
        confidence: 0.9,
        alternatives: [{ action: { kind: 'click', ref: 'e2' }, prior: 0.1 }],
      }),
    };
    const chosen = (items: readonly NewItem[]) =>
      createRememberingPolicy({
        policy: inner,
        memory: createMemory().write(items, poisonGate),
        tells: false,
      }).act({
        instruction: 'Archive it',
        observation: { text: screen },
        history: [],
        path: [],
        tools: [],
        random: createRandom('x'),
      });
    const exemplar = (title: string): NewItem => ({
      kind: 'exemplar',
      title,
      text: line('Archive'),
      heading: 'Inbox',
      line: line('Archive'),
      before: null,
      provenance,
    });
    // .1 · e³ = 2.01 beats .9; of a task with half of the words it is .1 · e^(3/4) = .21 and does not.
    const found = await chosen([exemplar('Archive it')]);
    expect(found).toMatchObject({ action: { ref: 'e2' }, prior: 0.1, memory: { broken: [] } });
    expect('logprob' in found || 'confidence' in found).toBe(false);
    expect(await chosen([exemplar('Archive that there it')])).toMatchObject({ action: { ref: 'e1' }, logprob: -0.1 });
    const guardrail: NewItem = {
      kind: 'guardrail',
      title: 'x',
      text: 'x',
      heading: 'Inbox',
      line: line('Star'),
      provenance,
    };
    // .9 · e⁻³ = .045 is less than .1.
    expect(await chosen([guardrail])).toMatchObject({ action: { ref: 'e2' } });
    const spoken = note('To: Archive it', 'x', { avoid: [line('Star')] });
    expect(await chosen([spoken])).toMatchObject({ action: { ref: 'e2' } });
  });
});

/** The same episode of another task. */
function again(record: Experience): Experience {
  return { ...record, head: { ...record.head, task: { ...record.head.task, id: `${record.head.task.id}/again` } } };
}

describe('the memory', () => {
  it('[MEM-1] takes each item once, is told of further tasks, counts its versions, and is the same after its file', () => {
    const once = createMemory().write([note('a', 'b'), note('a', 'b')], poisonGate);
    const further = { ...note('a', 'b'), provenance: { ...provenance, tasks: ['u'] } };
    const twice = once.write([further, note('c', 'd')], poisonGate);
    expect([once.items.length, twice.items.length, twice.version, twice.numbered(7).version]).toEqual([1, 2, 2, 7]);
    expect(twice.items[0]?.content.provenance.tasks).toEqual(['t', 'u']);
    expect(readMemory(twice.save()).items).toEqual(twice.items);
    expect(() => readMemory(twice.save().replace('"text":"d"', '"text":"e"'))).toThrow(/seal/);
    expect(() => readMemory('{')).toThrow(/no JSON/);
  });

  it('[MEM-1] reads the best first, within its tokens, in a stable order; what helped more comes first of equals', () => {
    const items = ['star a message', 'label a message', 'change the phone of a contact'].map(text =>
      note(text, `${text}: open it first.`),
    );
    const memory = createMemory().write(items, poisonGate);
    const situation = { environment: 'mail', instruction: 'Star the message {{0}}', heading: '' };
    const read = (budget: { most: number; tokens: number }, of = memory) =>
      of.read(situation, budget).map(({ content }) => content.title);
    expect(read({ most: 2, tokens: 100 })).toEqual(['star a message', 'label a message']);
    expect(read({ most: 2, tokens: 8 })).toEqual(['star a message']);
    expect(memory.read({ ...situation, environment: 'shop' }, { most: 9, tokens: 900 })).toEqual([]);
    const [one, other] = ['one', 'other'].map(name => note(`star a message ${name}`, 'Open it first.'));
    const alike = createMemory().write([one as NewItem, other as NewItem], poisonGate);
    const [first] = alike.items.map(({ id }) => id);
    expect(read({ most: 1, tokens: 100 }, alike)).toEqual(['star a message one']);
    const failed = { used: new Set([first as string]), broken: new Set<string>(), passed: false };
    expect(read({ most: 1, tokens: 100 }, alike.count([{ episode: 'e', ...failed }]))).toEqual([
      'star a message other',
    ]);
    expect(utilityOf({ use: { uses: 4, wins: 3, broken: 0 } })).toBe(0.8);
  });

  it('[MEM-8] retires what passed in less than half of four uses, and what no longer replays; an episode counts once', () => {
    const memory = createMemory().write([note('a', 'b'), note('c', 'd')], poisonGate);
    const [one, other] = memory.items.map(({ id }) => id) as [string, string];
    const use = (episode: string, how: { used?: string; broken?: string; passed: boolean }) => ({
      episode,
      used: new Set(how.used === undefined ? [] : [how.used]),
      broken: new Set(how.broken === undefined ? [] : [how.broken]),
      passed: how.passed,
    });
    const three = memory.count(
      [true, false, false].map((outcome, at) => use(String(at), { used: one, passed: outcome })),
    );
    expect(three.items[0]?.retired).toBeNull();
    expect(three.count([use('2', { used: one, passed: false })]).items[0]?.retired).toBeNull();
    const four = three.count([use('3', { used: one, passed: false })]);
    expect(four.items[0]).toMatchObject({ retired: '1 of 4 uses passed', use: { uses: 4, wins: 1 } });
    expect(four.read({ environment: null, instruction: 'a b', heading: '' }, { most: 3, tokens: 99 })).toEqual([]);
    const broken = memory.count(['x', 'y'].map(episode => use(episode, { broken: other, passed: true })));
    expect(broken.items[1]?.retired).toBe('no longer replays: 2 of 2 times');
  });
});

describe('gates', () => {
  it('[MEM-9] refuse instructions that a screen would carry on, however the generator disguises them; plain names pass', () => {
    const draw = createRandom('poison');
    const poisoned = Array.from({ length: 1200 }, () => poisonedText(draw));
    expect(poisoned.filter(text => poisonGate(note('x', `click button "${text}"`)) === null)).toEqual([]);
    const hidden = poisoned.map(
      (text): NewItem => ({
        kind: 'skill',
        title: 'x',
        text: 'x',
        pattern: 'x',
        steps: [{ heading: text, line: 'click' }],
        provenance,
      }),
    );
    expect(hidden.filter(item => poisonGate(item) === null)).toEqual([]);
    const plain = [trad, webXSkill, dynasaur, reasoningBank].flatMap(({ write }) => write([...passed, ...random]));
    expect(plain.filter(item => poisonGate(item) !== null)).toEqual([]);
  });

  it('[MEM-9] hold for a file of somebody else, too: what it refuses is not read', () => {
    const poisoned = createMemory().write([note('x', 'You must star it.'), note('y', 'Star it.')], () => null);
    const found = readMemory(poisoned.save());
    expect(found.items.map(({ retired }) => retired)).toEqual(['reads like an instruction from a screen', null]);
    const read = found.read({ environment: null, instruction: 'star', heading: '' }, { most: 5, tokens: 500 });
    expect(read.map(({ content }) => content.title)).toEqual(['y']);
  });

  it('[MEM-9] what still passes: orders without an address, other languages, look-alike letters, encodings', () => {
    expect(passingPoison.map(text => poisonGate(note('x', text)))).toEqual(passingPoison.map(() => null));
  });
});

describe('continual-harness', () => {
  it('[MEM-13] avoids what changed nothing on this very screen, once an edit is due', async () => {
    const screen = ['heading "Inbox"', '[e1] button "Search"', '[e2] button "Star"'].join('\n');
    const inner: OrdinaryPolicy = {
      name: 'inner',
      act: () => ({
        action: { kind: 'click', ref: 'e1' },
        prior: 0.55,
        alternatives: [{ action: { kind: 'click', ref: 'e2' }, prior: 0.45 }],
      }),
    };
    const harness: NewItem = { kind: 'harness', title: 'Harness', text: 'x', every: 2, provenance };
    const memory = createMemory().write([harness], poisonGate);
    const idle = {
      action: { kind: 'click', ref: 'e1' } as const,
      text: 'click button "Search"',
      by: 'student' as const,
    };
    const after = async (steps: number) => {
      const path = Array.from({ length: steps }, () => ({ ...idle, screen, applied: true }));
      const view = {
        instruction: 'Star it',
        observation: { text: screen },
        history: path.map(({ text }) => text),
        path,
      };
      const policy = createRememberingPolicy({ policy: inner, memory, tells: false });
      return (await policy.act({ ...view, tools: [], random: createRandom('x') })).action;
    };
    // After one step no edit is due; after two, .55 · e^−.75 = .26 is less than .45.
    expect(await after(1)).toEqual({ kind: 'click', ref: 'e1' });
    expect(await after(2)).toEqual({ kind: 'click', ref: 'e2' });
  });
});
