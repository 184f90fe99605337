import type { ScreenLine } from '../../core/episode/screen-text.ts';
import { unsafe } from '../../models/prompt/compact.ts';
import { logSoftmax, logSum } from '../learned/ranking/ranker.ts';
import { stepKinds, type StepKind } from './model-facts.ts';
import type { PromptTokens } from './prompt-tokens.ts';

/** What a model says of one prompt of T tokens with N references. Scores are not normalised. */
export interface StepScores {
  /** [6] */
  readonly kind: Float32Array;
  /** [6, T]: for each kind, each place as the element. */
  readonly element: Float32Array;
  /** [6, T] and [N, T]: each place as the first token of the text, by kind and by element. */
  readonly first: Float32Array;
  readonly first_by_element: Float32Array;
  /** [6, T], [N, T] and [T, T]: as the last token, by kind, by element and by first token. */
  readonly last: Float32Array;
  readonly last_by_element: Float32Array;
  readonly last_by_first: Float32Array;
  /** Where `last_by_first` has only so many places from the first token on: those behind them end no text. */
  readonly reach?: number;
}

/** An element that can be pointed at. */
export interface Target {
  readonly ref: string;
  /** Its number among the references. */
  readonly index: number;
  readonly place: number;
  readonly line: ScreenLine | undefined;
}

const longestText = 64;
/** Texts that begin at so many places, and end at so many for each, are weighed. */
const [mostFirsts, mostLasts] = [8, 2];

interface WeighedText {
  readonly text: string;
  readonly logprob: number;
}

/** The texts that a step of one kind can carry. */
export interface Texts {
  /** Any text that stands on one line of the prompt. */
  spans(target: Target | null): readonly WeighedText[];
  /** The options of an element. */
  options(target: Target): readonly WeighedText[];
}

export function createTexts(scores: StepScores, tokens: PromptTokens, kind: StepKind): Texts {
  const { text, starts, ends } = tokens;
  const length = tokens.ids.length;
  const row = stepKinds.indexOf(kind) * length;
  // What the app shows has no `<`: such a token is a mark of the prompt.
  const isBreak = (at: number): boolean => {
    const start = starts[at] as number;
    return text[start] === '<' || text.slice(start, ends[at]).includes('\n');
  };
  const { reach, last_by_first: byFirst } = scores;
  const lastByFirst = (first: number, at: number): number => {
    if (reach === undefined) return byFirst[first * length + at] as number;
    return at - first < reach ? (byFirst[first * reach + at - first] as number) : -Infinity;
  };
  const firstScore = (at: number, target: Target | null): number =>
    (scores.first[row + at] as number) +
    (target === null ? 0 : (scores.first_by_element[target.index * length + at] as number));
  const lastScore = (at: number, first: number, target: Target | null): number =>
    (scores.last[row + at] as number) +
    (target === null ? 0 : (scores.last_by_element[target.index * length + at] as number)) +
    lastByFirst(first, at);
  const lastsFrom = (first: number, end: number): number[] => {
    const lasts: number[] = [];
    for (let at = first; at < end && at < first + longestText && !isBreak(at); at++) lasts.push(at);
    return lasts;
  };
  const words = Array.from({ length }, (_, at) => at).filter(at => !isBreak(at));
  return {
    spans(target) {
      const firsts = logSoftmax(Float64Array.from(words, at => firstScore(at, target)));
      const found = new Map<string, number>();
      for (const { item: first, value } of highest(words, firsts, mostFirsts)) {
        const lasts = lastsFrom(first, length);
        const ways = logSoftmax(Float64Array.from(lasts, at => lastScore(at, first, target)));
        for (const { item: last, value: own } of highest(lasts, ways, mostLasts)) {
          const said = unsafe(text.slice(starts[first], ends[last]).trim());
          // The same text may stand in several places.
          const before = found.get(said);
          if (said !== '') found.set(said, before === undefined ? value + own : logSum(before, value + own));
        }
      }
      return [...found].map(([said, logprob]) => ({ text: said, logprob }));
    },
    options(target) {
      const spans = optionSpans(target, tokens);
      const low = Math.min(...spans.map(({ first }) => first));
      const high = Math.max(...spans.map(({ last }) => last));
      const area = Array.from({ length: high + 1 - low }, (_, at) => low + at);
      const firsts = logSoftmax(Float64Array.from(area, at => firstScore(at, target)));
      const joint = Float64Array.from(spans, ({ first, last }) => {
        const lasts = area.filter(at => at >= first);
        const ways = logSoftmax(Float64Array.from(lasts, at => lastScore(at, first, target)));
        return (firsts[first - low] as number) + (ways[lasts.indexOf(last)] as number);
      });
      const chosen = logSoftmax(joint);
      return spans.map(({ option }, at) => ({ text: option, logprob: chosen[at] as number }));
    },
  };
}

interface OptionSpan {
  readonly option: string;
  readonly first: number;
  readonly last: number;
}

/** Where the options of an element stand in its line: `{All | Open}`. */
function optionSpans({ place, line }: Target, { text, starts, ends }: PromptTokens): OptionSpan[] {
  const options = line?.options ?? [];
  const close = starts[place] as number;
  // As wide as the options are on the screen: a mark of the prompt is replaced by one letter.
  let at = text.lastIndexOf(`{${(options[0] ?? '').replaceAll('<', '‹')}`, close) + 1;
  return options.map(option => {
    const first = tokenAt(ends, at);
    const last = tokenAt(ends, at + Math.max(1, option.length) - 1);
    at += option.length + ' | '.length;
    return { option, first, last: Math.min(last, starts.length - 1) };
  });
}

/** The token that a character of the prompt belongs to. */
function tokenAt(ends: readonly number[], character: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) > character) high = middle;
    else low = middle + 1;
  }
  return low;
}

function highest(items: readonly number[], values: Float64Array, most: number): { item: number; value: number }[] {
  return items
    .map((item, at) => ({ item, value: values[at] as number }))
    .toSorted((left, right) => right.value - left.value)
    .slice(0, most);
}
