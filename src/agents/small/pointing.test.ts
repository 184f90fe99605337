import { expect, it } from 'vitest';
import { writeCompactPrompt } from '../../models/prompt/compact.ts';
import { stepKinds, type StepKind } from './model-facts.ts';
import { readModelFiles } from './model-files.ts';
import { likeliest, weighSteps, type PointedPrompt } from './pointing.ts';
import { createPromptTokens } from './prompt-tokens.ts';
import type { StepScores } from './texts.ts';

const { facts, readTokenizer } = readModelFiles(`${import.meta.dirname}/../../../test/fixtures/small`);
const read = createPromptTokens(readTokenizer());
const screen = [
  'page "Claims"',
  '  [e1] combobox "Show": All {All | Open | < 3 days}',
  '  [e2] textbox "Find": (empty)',
  '  [e3] button "Save"',
].join('\n');
const tokens = read(writeCompactPrompt({ task: 'Show claims of Ada < Olsen', done: [], screens: [screen] }));
const references = tokens.ids.flatMap((id, at) => (id >= facts.references.first ? [at] : []));
const prompt: PointedPrompt = { tokens, references, screen };
const length = tokens.ids.length;

/** The token of a character: of the first of the text, or of its last. */
function placeOf(text: string, character = 0): number {
  const at = tokens.text.indexOf(text) + character;
  return tokens.ends.findIndex(end => end > at);
}

/** Scores of 0, and those that are given. */
function scoresOf(
  set: (put: (name: Exclude<keyof StepScores, 'reach'>, at: number, value: number) => void) => void,
): StepScores {
  const zeros = (size: number): Float32Array => new Float32Array(size);
  const scores = {
    kind: zeros(6),
    element: zeros(6 * length),
    first: zeros(6 * length),
    first_by_element: zeros(3 * length),
    last: zeros(6 * length),
    last_by_element: zeros(3 * length),
    last_by_first: zeros(length * length),
  };
  set((name, at, value) => void (scores[name][at] = value));
  return scores;
}

function row(kind: StepKind): number {
  return stepKinds.indexOf(kind) * length;
}

it('[SML-3] a step is a kind, an element and a text that stands on one line of the prompt', () => {
  const scores = scoresOf(put => {
    put('kind', stepKinds.indexOf('fill'), 20);
    put('first', row('fill') + placeOf('Ada'), 12);
    put('first_by_element', 1 * length + placeOf('Ada'), 12);
    put('last', row('fill') + placeOf('Olsen', 4), 12);
    put('last_by_first', placeOf('Ada') * length + placeOf('Olsen', 4), 12);
    // Behind the end of the line: no text goes on there.
    put('last', row('fill') + placeOf('page'), 40);
  });
  const { action, logprob } = likeliest(weighSteps(scores, prompt));
  expect(action).toEqual({ kind: 'fill', ref: 'e2', text: 'Ada < Olsen' });
  expect(logprob).toBeCloseTo(0, 2);
});

it('[SML-3] only elements that take the kind can be pointed at, and whole options alone', () => {
  const steps = weighSteps(
    scoresOf(put => put('first', row('select') + placeOf('Open'), 9)),
    prompt,
  );
  const of = (kind: string) => steps.filter(({ action }) => action.kind === kind).map(({ action }) => action);
  expect(of('click')).toEqual([{ kind: 'click', ref: 'e3' }]);
  expect(of('select')).toEqual([
    { kind: 'select', ref: 'e1', option: 'Open' },
    { kind: 'select', ref: 'e1', option: '< 3 days' },
    { kind: 'select', ref: 'e1', option: 'All' },
  ]);
  expect(new Set(of('fill').map(action => 'ref' in action && action.ref))).toEqual(new Set(['e2']));
  const none = weighSteps(
    scoresOf(() => undefined),
    { ...prompt, references: [], screen: '' },
  );
  expect(new Set(none.map(({ action }) => action.kind))).toEqual(new Set(['finish']));
});

it('[SML-4] the probabilities of all steps add up to 1; a text in several places counts once, with all of them', () => {
  const twice = read(writeCompactPrompt({ task: 'Ada or Bo', done: [], screens: ['page "Ada"'] }));
  const size = twice.ids.length;
  const scores: StepScores = {
    kind: Float32Array.from(stepKinds, kind => (kind === 'answer' ? 9 : 0)),
    element: new Float32Array(6 * size),
    first: new Float32Array(6 * size),
    first_by_element: new Float32Array(0),
    last: new Float32Array(6 * size),
    last_by_element: new Float32Array(0),
    last_by_first: new Float32Array(size * size),
  };
  const answer = stepKinds.indexOf('answer') * size;
  const tokenOf = (character: number): number => twice.ends.findIndex(end => end > character);
  for (const [from, characters, score] of [
    [twice.text.indexOf('Ada'), 3, 8],
    [twice.text.lastIndexOf('Ada'), 3, 8],
    [twice.text.indexOf('Bo'), 2, 8.3],
  ] as const) {
    scores.first[answer + tokenOf(from)] = score;
    scores.last_by_first[tokenOf(from) * size + tokenOf(from + characters - 1)] = 20;
  }
  const steps = weighSteps(scores, { tokens: twice, references: [], screen: 'page "Ada"' });
  expect(likeliest(steps).action).toEqual({ kind: 'finish', answer: 'Ada' });
  expect(steps.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 9);
});
