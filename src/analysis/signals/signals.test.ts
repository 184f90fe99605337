import { describe, expect, it } from 'vitest';
import { scriptedEpisode } from '../../../test/fixtures/episodes.ts';
import { wanderingEpisode } from '../../../test/fixtures/signals/wandering-episode.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { annotate, type Annotation, type Signal } from './signal.ts';
import { signals } from './signals.ts';

const said = (name: string): Annotation[] =>
  annotate(wanderingEpisode(), [signals.need(name)]).map(({ signal: _signal, ...annotation }) => annotation);

describe('signals', () => {
  it('[SIG-2] loops: a state of the path again, and equal actions in a row', () => {
    expect(said('loops')).toEqual([
      { node: 3, label: 'revisit', value: 3, note: 'leads back to the state after the start' },
      { node: 4, label: 'revisit', value: 2, note: 'leads back to the state after step 1' },
      { node: 7, label: 'repeat', value: 3, note: 'click e9, 3 times in a row' },
      { node: 9, label: 'revisit', value: 8, note: 'leads back to the state after the start' },
    ]);
  });

  it('[SIG-2] stalls: what changed nothing, but no end and no answer of a tool', () => {
    expect(said('stalls')).toEqual([
      { node: 5, label: 'refused', note: 'There is no e9.' },
      { node: 6, label: 'no-effect' },
      { node: 7, label: 'no-effect' },
      { node: null, label: 'longest-stall', value: 3 },
    ]);
  });

  it('[SIG-2] first-rejected: where the teacher saw the first mistake', () => {
    expect(said('first-rejected')).toEqual([{ node: 3, label: 'rejected', value: 2, note: 'leads back' }]);
  });

  it('[SIG-1] say the same each time, of episodes that ended in any way', async () => {
    const empty = wanderingEpisode([]);
    const outcomes = ['passed', 'failed', 'discarded', 'errored'] as const;
    const stored = await Promise.all(outcomes.map(outcome => scriptedEpisode({ outcome, slips: 2, call: true })));
    for (const record of [empty, ...stored.map(foldEpisode)]) {
      const first = annotate(record, signals.entries);
      expect(annotate(record, signals.entries.toReversed()).toSorted(byText)).toEqual([...first].toSorted(byText));
      expect(first.some(({ signal }) => signal === 'first-rejected')).toBe(record !== empty);
    }
  });

  it.each([
    ['throws', '`annotate` threw: no', () => fail()],
    ['a step that is not there', 'node 11, and the steps are 1 to 10', () => [{ node: 11, label: 'x' }]],
    ['the start', 'node 0', () => [{ node: 0, label: 'x' }]],
    ['no label', 'no text of 1 to 64', () => [{ node: 1, label: '' }]],
    ['a value that is none', 'no finite number', () => [{ node: 1, label: 'x', value: Number.NaN }]],
    ['a note that is none', 'the note of "x"', () => [{ node: null, label: 'x', note: 7 }]],
    ['no object', 'no object', () => ['x']],
    ['no list', 'threw', () => 7],
  ])('[SIG-4] one that gives %s is named with the episode', (_what, message, make) => {
    const signal = { name: 'mine', about: '', annotate: make } as unknown as Signal;
    expect(() => annotate(wanderingEpisode(), [signal])).toThrow('Signal "mine", episode collect/1/wandering');
    expect(() => annotate(wanderingEpisode(), [signal])).toThrow(message);
  });
});

function fail(): never {
  throw new Error('no');
}

function byText(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
