import { describe, expect, it } from 'vitest';
import { finish, madeEpisode, type MadeEpisode } from '../../../../test/fixtures/signals/made-episode.ts';
import { countCauses, failureOf, placeText } from '../causes.ts';
import { neverOpened, shownAtEnd } from './screens.ts';

const instruction = 'Set Slots of "Birch yard" to 4.';
const collected = new Set(['mail']);
const check = (id: string, name: string) => ({ id, name, pass: false });
const starred = [check('starred', 'the message is starred')];
const menu = 'page "Kennel"\n  [e1] combobox "Open page": Dogs {Dogs | Runs | Owners}';
const open = {
  to: 'A',
  action: { kind: 'select', ref: 'e1', option: 'Dogs' },
  text: 'select "Dogs" for combobox "Open page"',
} as const;
const yard = { to: 'B', text: 'click link "Birch yard"' };
const fill = {
  to: 'C',
  action: { kind: 'fill', ref: 'e2', text: '77' },
  text: 'fill textbox "Slots" with "77"',
} as const;
const refused = {
  text: 'click button "Save"',
  outcome: { applied: false, problem: { code: 'rejected', message: 'Slots is at most 4' } },
};
const flip = (index: number) => ({ to: `F${index % 2}`, text: 'click checkbox "Trusted"' });

const failures: readonly [string, number | null, string, Partial<MadeEpisode>][] = [
  [
    'record-never-seen',
    null,
    'It never opened "Runs", "Owners".',
    {
      steps: [
        { ...open, screen: menu },
        { ...finish, screen: menu },
      ],
    },
  ],
  [
    'record-never-used',
    null,
    'was on the screen at step 2',
    { steps: [open, { ...finish, screen: '[e3] link "Birch yard"' }] },
  ],
  ['wrong-value', 2, 'enters "77"', { steps: [yard, fill, finish] }],
  ['refused-and-not-mended', null, 'Slots is at most 4; then came finish', { steps: [yard, refused, finish] }],
  [
    'went-in-circles',
    2,
    'only click checkbox "Trusted": 7 of 8 steps',
    { steps: [yard, ...Array.from({ length: 7 }, (_, index) => flip(index))] },
  ],
  ['out-of-steps', 1, 'still at work after 1 step', { steps: [yard] }],
  [
    'not-confirmed',
    3,
    'the screen has "Save", and no step clicks it',
    {
      steps: [
        yard,
        { ...fill, action: { ...fill.action, text: '4' }, text: 'fill textbox "Slots" with "4"' },
        { ...finish, screen: '[e4] button "Save"' },
      ],
    },
  ],
  ['needed-step-missing', null, 'No step brought about: the message is starred.', { steps: [yard, finish] }],
  [
    'gave-up',
    1,
    'said after 0 steps that the task cannot be done',
    {
      steps: [{ ...finish, action: { kind: 'finish', infeasible: true } }],
      checks: [...starred, check('not-given-up', 'the task was not given up as infeasible')],
    },
  ],
  [
    'wrong-answer',
    2,
    'answers "10", which is wrong',
    {
      steps: [yard, { ...finish, action: { kind: 'finish', answer: '10' } }],
      checks: [check('answer', 'the answer is right')],
    },
  ],
  [
    'not-looked-up',
    null,
    'before any step opened what it should look up. It answered "10".',
    {
      steps: [{ ...finish, action: { kind: 'finish', answer: '10' } }],
      checks: [check('looked-up', 'the answer was looked up'), check('answer', 'the answer is right')],
    },
  ],
];

describe('why episodes fail', () => {
  it('[SIG-52] forks that found a step are believed, whatever the record shows', () => {
    const episode = madeEpisode({ instruction, checks: starred, steps: [yard, fill, finish] });
    expect(failureOf(episode)).toMatchObject({ node: 2, by: 'record' });
    const tried = { node: 1, reason: 'Step 1: without it, and the rest as it was, the episode passes.' };
    const found = failureOf(episode, tried);
    expect(found).toMatchObject({ node: 1, by: 'forks' });
    expect(found === null ? [] : placeText(found)).toEqual([`Tried by forks: ${tried.reason}`]);
  });

  it('[SIG-53] a side effect by a tool call is at the call that takes the record which the verdict names', () => {
    const call = (tool: string, id: string, to: string) =>
      ({ to, action: { kind: 'call', tool, input: { id } }, text: `call ${tool} {"id":"${id}"}` }) as const;
    const steps = [
      call('star_message', 'm4', 'A'),
      call('archive_message', 'm9', 'B'),
      call('label_message', 'm4', 'C'),
      finish,
    ];
    const sideEffects = ['/messages/m9/folder'];
    const found = failureOf(
      madeEpisode({ instruction, checks: [{ ...starred[0], pass: true } as never], steps, sideEffects }),
    );
    expect(found).toMatchObject({ cause: 'side-effect', node: 2 });
  });

  it.each(failures)('[SIG-35] %s: the step that left the checks unmet, or that it never came', (...failure) => {
    const [cause, node, words, made] = failure;
    const found = failureOf(madeEpisode({ instruction, checks: starred, steps: [], ...made }));
    expect(found).toMatchObject(node === null ? { cause, by: 'guess' } : { cause, node, by: 'record' });
    // A guess says that it is one.
    const told = found === null ? '' : placeText(found).join('');
    expect(told.includes('a guess from the record')).toBe(node === null);
    expect(found?.reason).toContain(words);
    expect(found?.failed.length).toBeGreaterThan(0);
  });

  it('[SIG-49] a group has its checks and templates, and an example in words of the task with the command that opens it', () => {
    const key = 'evaluate/1/mail/a/1/student after round 1';
    const made = { instruction, checks: starred, steps: [yard, fill, finish] };
    const [group] = countCauses([madeEpisode({ ...made, key }), madeEpisode(made)], { run: 'runs/one', collected });
    expect(group).toMatchObject({
      cause: 'wrong-value',
      count: 2,
      of: 2,
      checks: [{ name: 'starred', count: 2 }],
      templates: [{ name: 'mail/star-message', count: 2 }],
      example: {
        task: instruction,
        wanted: ['the message is starred'],
        command: `espalier inspect runs/one '${key}'`,
      },
    });
    expect(group?.advice).toContain('Begin with mail/star-message.');
  });

  it('[SIG-49] no advice sends training to templates that are held out', () => {
    const record = madeEpisode({ instruction, checks: starred, steps: [yard, fill, finish] });
    const task = { ...record.head.task, split: 'test' as const };
    const heldOut = countCauses([{ ...record, head: { ...record.head, task } }], { collected });
    // A world that was only evaluated may be held out as a whole.
    const elsewhere = countCauses([record], { collected: new Set(['shop']) });
    for (const [group] of [heldOut, elsewhere]) {
      expect(group?.advice).not.toContain('Begin with');
      expect(group?.advice).toContain('held out');
    }
  });

  it('[SIG-35] the screen at the end says what the state has instead', () => {
    const screen = 'alert "Slots is at most 4"\n  [e6] textbox "Slots": 77\n  [e7] button "Save"\n  Size: Small';
    expect(shownAtEnd(screen, ['Slots', 'Size'])).toEqual([
      'alert "Slots is at most 4"',
      'textbox "Slots": 77',
      'Size: Small',
    ]);
    // The link of every row is no page.
    expect(neverOpened([{ description: 'finish', screen: 'link "Details"\nlink "Details"\nlink "Help"' }])).toEqual([
      'Help',
    ]);
  });
});
