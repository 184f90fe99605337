import { describe, expect, it } from 'vitest';
import { toldEpisode, type ToldStep } from '../../../test/fixtures/told-episode.ts';
import type { NewItem } from '../item.ts';
import { arise } from './arise.ts';
import { at2qa } from './at2qa.ts';
import { continualHarness } from './continual-harness.ts';
import { dreamGym, valuesOf } from './dream-gym.ts';
import { dynasaur } from './dynasaur.ts';
import { echoTrail, qualityOf } from './echo-trail.ts';
import { matts } from './matts.ts';
import { memCoder } from './mem-coder.ts';
import { reasoningBank } from './reasoning-bank.ts';
import { reconAct } from './recon-act.ts';
import { deviationsOf, spark, type Memo } from './spark.ts';
import { steveEvolving } from './steve-evolving.ts';
import { trad } from './trad.ts';
import { webXSkill } from './web-x-skill.ts';

const open: ToldStep = ['Inbox', 'click link "Lunch"'];
const star: ToldStep = ['Lunch', 'click button "Star"'];
const archive: ToldStep = ['Lunch', 'click button "Archive"'];
const search: ToldStep = ['Inbox', 'click button "Search"', 'idle'];
const finish: ToldStep = ['Lunch', 'finish'];
const passed = (task: string, ...steps: ToldStep[]) => toldEpisode({ task, passed: true, steps });
const failed = (task: string, ...steps: ToldStep[]) =>
  toldEpisode({ task, passed: false, steps, unmet: ['"Lunch" has a star'] });
const pattern = 'Star the message "{{0}}".';
const linesOf = (items: readonly NewItem[]): string[] =>
  items.map(item => ('line' in item ? `${item.kind} ${item.line}` : `${item.kind} ${item.text}`));

describe('notes', () => {
  it('[MEM-3] reasoning-bank: what worked, what was not done, what was refused; texts of the task are slots', () => {
    const [worked] = reasoningBank.write([passed('a', open, star, finish)]);
    expect(worked).toMatchObject({
      title: `To: ${pattern}`,
      text: 'This worked: click link "{{0}}"; click button "Star".',
      prefer: ['click link "{{0}}"', 'click button "Star"'],
    });
    const refused: ToldStep = ['Inbox', 'click button "Send"', 'refused'];
    expect(reasoningBank.write([failed('a', refused, finish)]).map(({ title }) => title)).toEqual([
      `Not done: ${pattern}`,
      `Refused in: ${pattern}`,
    ]);
    const told = toldEpisode({
      task: 'a',
      passed: false,
      steps: [finish],
      unmet: ['label of m12 is l4, as in "Lunch"'],
    });
    expect(reasoningBank.write([told])[0]?.text).toContain('without: label of {{*}} is {{*}}, as in "{{0}}".');
  });

  it('[MEM-11] matts: of two attempts at one task, the second step made the difference', () => {
    const [note, ...rest] = matts.write([passed('a', open, star, finish), failed('a', open, archive, finish)]);
    expect(rest).toEqual([]);
    expect(note).toMatchObject({
      text: 'After 1 steps, on "{{0}}", this passed: click button "Star". This failed: click button "Archive".',
      prefer: ['click button "Star"'],
      avoid: ['click button "Archive"'],
    });
    expect(matts.write([passed('a', open, star), failed('b', open, archive)])).toEqual([]);
  });

  it('[MEM-12] spark: the same memo three times triggers at the second attempt, strongly at the third', () => {
    const memo: Memo = { facts: 'opened lunch', strategy: 'lunch has a star', commands: 'search', failed: ['star'] };
    // exec 0, plan 0 → 1, oss 0 → 1: z of 1 beside 0 is 1, so raw is −2 and half of it −1; then z(1; 0,1,1) = 0.7071.
    expect(deviationsOf([memo, memo, memo]).map(({ raw, trigger }) => [Number(raw.toFixed(4)), trigger])).toEqual([
      [0, 'none'],
      [-2, 'soft'],
      [Number((-2 * Math.SQRT1_2).toFixed(4)), 'strong'],
    ]);
    // exec 1, 2/3, 1/3; plan 0, 1/3, 1; oss 0, ½·2/3 + ½·1, ½·1 + ½·0. Of three values z is −1.2247, 1.3363 and .1622.
    const begun: Memo = { facts: 'opened lunch', strategy: 'star it', commands: 'opened lunch', failed: ['star'] };
    const second = { ...begun, facts: 'opened lunch found', strategy: 'label it' };
    const third = { ...second, commands: 'opened', failed: ['label'] };
    expect(deviationsOf([begun, second, third]).map(({ raw }) => Number(raw.toFixed(4)))).toEqual([1, -3, -2.7233]);
    // Another plan for other facts and failures is −1 at the second attempt, which counts half: not stuck.
    const changed = { ...begun, facts: 'found it', commands: 'found it', strategy: 'star all', failed: ['label'] };
    expect(deviationsOf([begun, changed])[1]).toEqual({ raw: -1, trigger: 'none' });
    // Nothing is known of two attempts without a plan and failures.
    const blank: Memo = { facts: '', strategy: '', commands: '', failed: [] };
    expect(deviationsOf([blank, blank])[1]).toEqual({ raw: 0, trigger: 'none' });
    // Another plan and other failures: plan and oss stay 0.
    const other = { ...memo, facts: 'found it', strategy: 'nothing alike', failed: ['label'] };
    expect(deviationsOf([memo, other]).map(({ trigger }) => trigger)).toEqual(['none', 'none']);
    const stuck = failed('a', open, archive, finish);
    const [soft] = spark.write([stuck, stuck]);
    expect(soft).toMatchObject({ avoid: ['click button "Archive"'] });
    expect(soft?.text).toContain('Next: "{{0}}" has a star. Do it in another way.');
    const [strong] = spark.write([stuck, stuck, stuck]);
    expect(strong?.text).not.toContain('Next:');
    expect(spark.write([stuck])).toEqual([]);
  });

  it('[MEM-13] continual-harness: two idle steps of six are one in three', () => {
    const [harness] = continualHarness.write([failed('a', search, search, open, archive, star, finish)]);
    expect(harness).toMatchObject({ kind: 'harness', every: 3 });
    expect(continualHarness.write([passed('a', open, star, finish)])).toEqual([]);
  });
});

describe('examples', () => {
  it('[MEM-5] trad: each step with its neighbours, and the step before', () => {
    expect(trad.write([passed('a', open, star, finish)])).toMatchObject([
      { heading: 'Inbox', line: 'click link "{{0}}"', before: null, text: 'click link "{{0}}"; click button "Star"' },
      { line: 'click button "Star"', before: 'click link "{{0}}"' },
      { line: 'finish', before: 'click button "Star"', text: 'click button "Star"; finish' },
    ]);
  });

  it('[MEM-14] echo-trail: a critic of completion, coherence and efficiency; 0.8 is enough', () => {
    // Three steps, the shortest: 1. Four steps, one idle: (1 + 3/4 + 3/4) / 3. Six, three idle: (1 + 1/2 + 1/2) / 3.
    const ways = [
      passed('a', open, star, finish),
      passed('b', search, open, star, finish),
      passed('c', search, search, search, open, star, finish),
    ];
    expect(ways.map(way => Number(qualityOf(way, 3).toFixed(4)))).toEqual([1, 0.8333, 0.6667]);
    expect(echoTrail.write(ways).map(({ provenance }) => provenance.tasks)).toEqual([['a'], ['b']]);
  });

  it('[MEM-15] at2qa: the two shortest own passes of a pattern', () => {
    const ways = [passed('c', search, search, open, star, finish), passed('b', search, open, star, finish)];
    const found = at2qa.write([...ways, passed('a', open, star, finish), failed('d', open, finish)]);
    const sizes = found.map(item => ('steps' in item ? item.steps.length : 0));
    expect(sizes).toEqual([3, 4]);
    expect(found.map(({ provenance }) => provenance.tasks)).toEqual([['a'], ['b']]);
    const taught = passed('e', star, finish);
    const teacher = { role: 'teacher', name: 'planner' } as const;
    const steps = taught.steps.map((step, at) => (at > 0 ? step : { ...step, node: { ...step.node, actor: teacher } }));
    expect(at2qa.write([{ ...taught, steps }])).toEqual([]);
  });

  it('[MEM-16] mem-coder: what was asked for and the code of the answer', () => {
    const answer = 'Here:\n```js\nconsole.log(1);\n```';
    const steps: ToldStep[] = [['Problem', 'finish with an answer']];
    const coded = toldEpisode({ task: 'a', instruction: 'Print one.', passed: true, steps, answer });
    expect(memCoder.write([coded, passed('b', open, finish)])).toMatchObject([
      { pattern: 'Print one.', code: 'console.log(1);', use: 'show' },
    ]);
  });
});

describe('skills', () => {
  it('[MEM-4] web-x-skill: a program that two tasks share, with the screen that each step needs', () => {
    expect(webXSkill.write([passed('a', open, star, finish)])).toEqual([]);
    const [skill] = webXSkill.write([passed('a', open, star, finish), passed('b', open, star, finish)]);
    expect(skill).toMatchObject({ kind: 'skill', pattern, provenance: { tasks: ['a', 'b'] } });
    expect(skill?.kind === 'skill' && skill.steps).toEqual([
      { heading: 'Inbox', line: 'click link "{{0}}"' },
      { heading: '{{0}}', line: 'click button "Star"' },
      { heading: '{{0}}', line: 'finish' },
    ]);
  });

  it('[MEM-17] arise: single passes are skills; the two that most tasks share are in the cache', () => {
    const ways = [
      passed('a', search, open, star, finish),
      passed('b', open, star, finish),
      passed('c', open, star, finish),
      passed('d', open, archive, star, finish),
    ];
    const tasks = arise.write(ways).map(({ provenance }) => provenance.tasks);
    expect(tasks.map(({ length }) => length)).toEqual([2, 1]);
    expect(tasks).toEqual([['b', 'c'], ['a']]);
    // What two tasks share comes first though it is longer; of one task each, the shorter.
    const longer = [
      passed('a', search, archive, open, star, finish),
      passed('b', search, open, star, finish),
      passed('c', search, open, star, finish),
      passed('d', open, star, finish),
    ];
    expect(arise.write(longer).map(({ provenance }) => provenance.tasks)).toEqual([['b', 'c'], ['d']]);
  });

  it('[MEM-18] dynasaur: one program a pattern, with its ways in the order of their number', () => {
    const [program, ...rest] = dynasaur.write([
      passed('a', search, open, star, finish),
      passed('b', open, star, finish),
      passed('c', open, star, finish),
    ]);
    expect(rest).toEqual([]);
    const [first] = (program?.kind === 'program' ? program.code : '').split('\n');
    expect(first).toBe(
      `const ways = ${JSON.stringify([
        ['click link "{{0}}"', 'click button "Star"', 'finish'],
        ['click button "Search"', 'click link "{{0}}"', 'click button "Star"', 'finish'],
      ])};`,
    );
  });

  it('[MEM-5] steve-evolving: skills, and steps that were idle in two tasks and never on a passed way', () => {
    const items = steveEvolving.write([
      failed('a', search, finish),
      failed('b', search, finish),
      passed('c', open, star),
    ]);
    expect(linesOf(items)).toEqual(['guardrail click button "Search"']);
    const once = [failed('a', search, finish), failed('a', search, finish)];
    expect(steveEvolving.write(once)).toEqual([]);
    // It did something in a third task.
    const found: ToldStep = ['Inbox', 'click button "Search"'];
    const thrice = [failed('a', search, finish), failed('b', search, finish), failed('d', found, finish)];
    expect(steveEvolving.write(thrice)).toEqual([]);
  });

  it('[MEM-19] recon-act: a rule where one step on the same screen made the difference, else a hint', () => {
    const [rule] = reconAct.write([passed('a', open, star, finish), failed('b', open, archive, finish)]);
    expect(rule).toMatchObject({ kind: 'guardrail', heading: '{{0}}', line: 'click button "Archive"' });
    // The failure took a step that a success took there as well: no rule.
    const [hint] = reconAct.write([
      passed('a', open, star, finish),
      passed('c', open, archive, star, finish),
      failed('b', open, archive, finish),
    ]);
    expect(hint).toMatchObject({ kind: 'note', prefer: ['click button "Star"'] });
    expect(reconAct.write([failed('b', open, finish)])).toEqual([]);
    // Of two successes, the one that goes the longer way with the failure is compared: not the one that began elsewhere.
    const [last] = reconAct.write([
      passed('a', search, open, star, finish),
      passed('c', open, star, finish),
      failed('b', open, archive, finish),
    ]);
    expect(last).toMatchObject({ kind: 'guardrail', line: 'click button "Archive"' });
    // A task of another pattern passed with it: a rule would bar it there, too.
    const other = { ...passed('d', open, archive, finish), pattern: 'Archive the message "{{0}}".' };
    const [beside] = reconAct.write([passed('a', open, star, finish), failed('b', open, archive, finish), other]);
    expect(beside).toMatchObject({ kind: 'note', prefer: ['click button "Star"'] });
  });
});

describe('dream-gym', () => {
  it('[MEM-20] values by hand: .95 · the best that follows, averaged over what was recorded', () => {
    const values = valuesOf([
      { from: 'inbox', action: 'open', to: 'message', reward: 0 },
      { from: 'inbox', action: 'search', to: 'inbox', reward: 0 },
      { from: 'message', action: 'star', to: null, reward: 1 },
      { from: 'message', action: 'star', to: null, reward: 0 },
      { from: 'message', action: 'archive', to: null, reward: 0 },
    ]);
    // star: (1 + 0)/2. open: .95 · .5. search: .95 · the best of the inbox = .95 · .475.
    expect(values.get('message')).toEqual(
      new Map([
        ['star', 0.5],
        ['archive', 0],
      ]),
    );
    expect(values.get('inbox')?.get('open')).toBeCloseTo(0.475, 6);
    expect(values.get('inbox')?.get('search')).toBeCloseTo(0.45125, 6);
  });

  it('[MEM-20] an item for each recorded step, with what it led to', () => {
    const items = dreamGym.write([passed('a', open, star, finish), failed('b', open, archive, finish)]);
    const found = items.map(item => (item.kind === 'transition' ? [item.line, item.next, item.count, item.value] : []));
    // finish after star passed: 1; star: .95; open: .95² = .9025; after archive all failed.
    expect(found).toEqual([
      ['click link "{{0}}"', '{{0}}', 2, 0.9025],
      ['click button "Star"', '{{0}}', 1, 0.95],
      ['finish', null, 1, 1],
      ['click button "Archive"', '{{0}}', 1, 0],
      ['finish', null, 1, 0],
    ]);
  });
});
