import { describe, expect, it } from 'vitest';
import {
  finish,
  madeEpisode,
  type MadeEpisode,
  type MadeStep,
} from '../../../../test/fixtures/signals/made-episode.ts';
import { failureOf, placeText } from '../causes.ts';

const call = (tool: string, input: Record<string, string | number>, to?: string): MadeStep => ({
  action: { kind: 'call', tool, input },
  text: `call ${tool} ${JSON.stringify(input)}`,
  ...(to === undefined ? { outcome: refused } : { to }),
});
const refused = { applied: false, problem: { code: 'rejected', message: 'id: expected string' } } as const;
const fill = (field: string, text: string, to: string): MadeStep => ({
  action: { kind: 'fill', ref: 'e1', text },
  text: `fill textbox "${field}" with "${text}"`,
  screen: 'textbox "Pages"\ntextbox "Shoot day"',
  to,
});
const read: MadeStep = { ...call('list_books', {}), text: 'call list_books {}' };
const lend = { id: 'b8', reader: 'Hamid Lund' };
const lent = [{ id: 'lent', name: 'b8 is lent to Hamid Lund', pass: false }];
const done = [{ id: 'lent', name: 'b8 is lent to Hamid Lund', pass: true }];
const instruction = 'Lend "The Glass River" to Hamid Lund on 2026-01-25.';
const parameters = { input: { ...lend, shootDay: '2026-01-25' }, names: { book: 'The Glass River' } };

type Shown = Pick<MadeEpisode, 'steps' | 'checks' | 'sideEffects'> & { readonly node: number; readonly note: string };

const shown: readonly [string, Shown][] = [
  [
    'a call with another value',
    {
      node: 2,
      note: 'calls lend_book with "Greta Abel" as "reader"',
      steps: [read, call('lend_book', { ...lend, reader: 'Greta Abel' }, 'A'), finish],
      checks: lent,
    },
  ],
  [
    'the call that has the id of the side effect',
    {
      node: 1,
      note: 'wrote /cart/c1/saved',
      steps: [call('save_for_later', { line: 'c1' }, 'A'), call('lend_book', lend, 'B'), finish],
      checks: done,
      sideEffects: ['/cart/c1/saved'],
    },
  ],
  [
    'the switch that is called like the side effect',
    {
      node: 1,
      note: 'wrote /dogs/d4/vaccinated',
      steps: [{ to: 'A', text: 'click checkbox "Vaccinated"' }, { to: 'B', text: 'click button "Lend"' }, finish],
      checks: done,
      sideEffects: ['/dogs/d4/vaccinated'],
    },
  ],
  [
    'what takes back the step before',
    {
      node: 2,
      note: 'takes back what step 1 did',
      steps: [
        { to: 'A', text: 'click switch "Star" in "Lunch"' },
        { to: 'start', text: 'click switch "Star" in "Lunch"' },
        { to: 'C', text: 'click link "Home"' },
        finish,
      ],
      checks: lent,
    },
  ],
  [
    'a call that was taken twice',
    {
      node: 2,
      note: 'for the second time',
      steps: [call('lend_book', lend, 'A'), call('lend_book', lend, 'B'), finish],
      checks: lent,
    },
  ],
  [
    'a call that was refused for good',
    {
      node: 1,
      note: 'refused (id: expected string), and no later call does it',
      steps: [call('lend_book', lend), call('return_book', { id: 'b8' }, 'A'), finish],
      checks: lent,
    },
  ],
  [
    'a value in another field',
    {
      node: 1,
      note: 'puts into "Pages" what belongs into "shoot day"',
      steps: [fill('Pages', '2026-01-25', 'A'), { to: 'B', text: 'click button "Add"' }, finish],
      checks: lent,
    },
  ],
  [
    'nearly the value',
    {
      node: 1,
      note: 'the task says "hamid lund"',
      steps: [fill('Lent to', 'Hamid Lun', 'A'), { to: 'B', text: 'click button "Add"' }, finish],
      checks: lent,
    },
  ],
];

describe('the step that the record shows', () => {
  it.each(shown)('[SIG-55] is %s', (_what, { node, note, ...made }) => {
    const failure = failureOf(madeEpisode({ instruction, parameters, ...made }));
    expect(failure?.node).toBe(node);
    expect(failure?.by).toBe('record');
    expect([failure?.reason, failure?.place].join(' ')).toContain(note);
  });

  it('[SIG-55] is said to be a guess where the record does not show it', () => {
    const steps = [{ to: 'A', text: 'click link "Books"' }, { to: 'B', text: 'click button "Lend"' }, finish];
    const failure = failureOf(madeEpisode({ instruction, parameters, steps, checks: lent }));
    expect(failure?.by).toBe('guess');
    expect(failure === null ? [] : placeText(failure).join(' ')).toContain('a guess from the record');
  });

  it('[SIG-56] is no refused call that only reads', () => {
    const steps = [read, call('return_book', { id: 'b8' }, 'A'), finish];
    const failure = failureOf(madeEpisode({ instruction, parameters, steps, checks: lent }));
    expect(failure?.node).not.toBe(1);
  });
});
