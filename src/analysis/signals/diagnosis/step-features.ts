import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { scalars } from '../../../core/json.ts';
import type { TreeNode } from '../../../core/tree.ts';
import { isStall, type Trace } from '../trace.ts';
import { entryOf, entriesOf, type Entry } from './entries.ts';
import { isReading } from './shown-step.ts';
import { sideEffectPaths } from './side-effects.ts';
import type { Sign } from './signs.ts';
import { createTaskWords, stemsOf, type TaskWords } from './task-words.ts';

/** What is asked of every step. */
export interface Asked {
  readonly episode: EpisodeRecord;
  readonly trace: Trace;
  readonly signs: readonly Sign[];
}

interface Context extends Asked {
  readonly words: TaskWords;
  /** What each step enters, by its place. */
  readonly entries: readonly (readonly Entry[])[];
  /** Words of the paths that were changed and should not have been. */
  readonly effects: readonly Effect[];
  readonly loops: ReturnType<typeof loopsOf>;
}

interface Effect {
  readonly path: string;
  readonly words: ReadonlySet<string>;
  /** A record that came and went. */
  readonly isErased: boolean;
}

type Row = Readonly<Record<string, boolean | number>>;

/** The features of every step on the path, by name. */
export function featuresOf(asked: Asked): readonly Row[] {
  const { episode, trace } = asked;
  const words = createTaskWords(episode, trace);
  const entries = trace.main.map(step => entriesOf(step, trace));
  const effects = effectsOf(episode);
  const loops = loopsOf({ trace, words });
  const context = { ...asked, words, entries, effects, loops };
  return trace.main.map((_, index) => {
    const course = courseFeatures(context, index);
    // Nothing else counts against a step that a way round without a loss made undone.
    if (course[wayRound] === true) return { [wayRound]: 1 };
    return {
      bias: 1,
      ...signFeatures(context, index),
      ...refusalFeatures(context, index),
      ...entryFeatures(context, index),
      ...clickFeatures(context, index),
      ...course,
      ...effectFeatures(context, index),
      ...endFeatures(context, index),
    };
  });
}

const wayRound = 'way round without a loss';

function effectsOf(episode: EpisodeRecord): readonly Effect[] {
  const told = episode.end.verdict?.evidence.sideEffects ?? [];
  return sideEffectPaths(episode).map((path, index) => ({
    path,
    words: new Set(stemsOf(path.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))),
    isErased: told[index] !== path,
  }));
}

function at({ trace }: Context, index: number): TreeNode {
  return trace.main[index] as TreeNode;
}

const isEnd = ({ action }: TreeNode): boolean => action.kind === 'finish';
/** Refused, or shown as refused on the screen. */
const isRefused = ({ outcome }: TreeNode): boolean => outcome.problem !== undefined || !outcome.applied;

function signFeatures({ signs, trace }: Context, index: number): Row {
  const step = trace.main[index] as TreeNode;
  const own = signs.filter(({ node }) => node === step.id);
  const is = (kind: Sign['kind']): boolean => !isEnd(step) && own.some(sign => sign.kind === kind);
  return {
    'contradicts its thought': is('contradicts-thought'),
    ambiguous: is('ambiguous'),
  };
}

/** The screen had no such element, or the element does not take such an action: the step before may have led to the wrong screen. */
const isMisplaced = (step: TreeNode): boolean =>
  isRefused(step) &&
  step.action.kind !== 'call' &&
  /^(?:unknown-element|invalid-action)$/.test(step.outcome.problem?.code ?? '');

function refusalFeatures(context: Context, index: number): Row {
  const { main } = context.trace;
  const step = at(context, index);
  // A read that was refused left nothing undone.
  const own = isRefused(step) && !isReading(step);
  const before = main.slice(0, index).some(other => isRefused(other) && !isReading(other));
  const next = main[index + 1];
  const later = main.slice(index + 1).filter(other => !isEnd(other));
  const share = later.length === 0 ? 0 : later.filter(isMisplaced).length / later.length;
  return {
    'first misplaced': isMisplaced(step) && !before,
    'first refused': own && !isMisplaced(step) && !before,
    'next is misplaced': !own && !before && next !== undefined && isMisplaced(next),
    'rest is misplaced': !own && !before && share >= 0.5,
    'refused by the form': own && step.outcome.applied,
  };
}

function entryFeatures(context: Context, index: number): Row {
  const { words, entries } = context;
  const step = at(context, index);
  const own = entries[index] ?? [];
  const judged = own.map(entry => words.judge(entry, index));
  const later = entries.slice(index + 1).flat();
  const earlier = entries.slice(0, index).flat();
  const again = own.filter(({ field, row }) => later.some(other => other.field === field && other.row === row));
  const over = own.filter(entry =>
    earlier.some(
      other =>
        other.field === entry.field && other.row === entry.row && other.text !== entry.text && words.isTold(other.text),
    ),
  );
  const isCall = step.action.kind === 'call';
  const isWanted = words.isIdWanted(own.map(({ text }) => text));
  return {
    'enters what is told': judged.includes('told') && judged.every(one => one === 'told'),
    'enters nearly what is told': !isCall && judged.includes('nearly'),
    'calls with nearly what is told': isCall && judged.includes('nearly'),
    'enters what nobody said': !isCall && judged.includes('unseen'),
    'calls with what nobody said': isCall && judged.includes('unseen'),
    'last call for a failed check':
      isCall &&
      isWanted &&
      !later.some(other =>
        own.some(({ row, text }) => row === other.row && text === other.text && words.isIdWanted([text])),
      ),
    'enters what is not told': !isCall && judged.includes('not told'),
    'calls with what is not told': isCall && judged.includes('not told'),
    'another option is told': step.action.kind === 'select' && !judged.includes('told') && words.isOptionTold(step),
    'entered again later': again.length > 0,
    'overwrites what is told': over.length > 0,
    'searches amiss':
      judged.some(one => one === 'nearly' || one === 'unseen') &&
      own.some(({ field }) => /search|filter|find/i.test(field)),
  };
}

const withdrawing = /^click \w+ "(?:cancel|never mind|close|back|discard|clear|undo|reset|dismiss|no)\b/i;
const committing =
  /^click \w+ "(save|send|publish|place|apply|add|create|delete|remove|submit|confirm|move|buy|order|ok|done|book|file|keep)\b/i;

function clickFeatures(context: Context, index: number): Row {
  const { words, trace } = context;
  const step = at(context, index);
  if (step.action.kind !== 'click') return {};
  const description = trace.description(step);
  const { own, offered, missed } = words.labels(step);
  const isTold = own >= 1;
  return {
    'click names what is told': isTold,
    'click names nothing': own === 0,
    'click names a part': own > 0 && own < 1,
    'passes by what is told': !isTold && offered,
    'names nothing beside what is told': own === 0 && offered,
    'passes by for good': !isTold && missed,
    'acts in another row': words.isRowOther(description, step),
    'click withdraws': withdrawing.test(description),
    'click commits': committing.test(description),
    'commits what is not told': committing.test(description) && own === 0,
    'link names nothing': own === 0 && /^click (link|menuitem|tab)/.test(description),
    'row is not told': words.isRowUntold(description),
  };
}

/** Where the step stands in the course of the run: first, taken back, done again. */
function courseFeatures(context: Context, index: number): Row {
  const { trace, loops } = context;
  const { main } = trace;
  const step = at(context, index);
  const description = trace.description(step);
  const isOpen = !isEnd(main.at(-1) as TreeNode);
  const loop = loops[index] ?? null;
  const next = main[index + 1];
  return {
    first: index === 0,
    'no effect': !isEnd(step) && isStall(step) && !isRefused(step),
    [wayRound]: loop === 'harmless' && !isOpen,
    'way round at the end of the steps': loop !== null && isOpen,
    'takes back what was done': loop === 'loss',
    repeated: !isEnd(step) && main.slice(0, index).some(other => trace.description(other) === description),
    'last act': !isEnd(step) && (next === undefined || isEnd(next)),
    'toggles again':
      /^click (?:switch|checkbox|radio|button)/.test(description) &&
      main.slice(0, index).some(other => trace.description(other) === description && other.before !== other.after),
  };
}

/** Whether a step is part of a way that leads back to the same screen, and whether the last step of that way took something back. */
function loopsOf({ trace, words }: Pick<Context, 'trace' | 'words'>): readonly ('harmless' | 'loss' | null)[] {
  const { main } = trace;
  const found: ('harmless' | 'loss' | null)[] = main.map(() => null);
  const isWork = (step: TreeNode): boolean =>
    entriesOf(step, trace).some(
      ({ text, field }) => words.isTold(text) && !/search|filter|find|sort|go to|open/i.test(field),
    ) ||
    committing.test(trace.description(step)) ||
    /^click (?:switch|checkbox|radio)/.test(trace.description(step));
  const isSameScreen = (one: TreeNode, other: TreeNode): boolean =>
    trace.screen(one) !== '' && trace.screen(one) === trace.screen(other);
  for (const [start, step] of main.entries()) {
    const back = main.findIndex(
      (other, place) => place > start + 1 && (other.before === step.before || isSameScreen(other, step)),
    );
    if (back < 0 || found[start] !== null) continue;
    const isLoss = main.slice(start, back).some(isWork);
    if (!isLoss) found.fill('harmless', start, back);
    else found[back - 1] = 'loss';
  }
  return found;
}

/** How far a step agrees with the paths that were changed and should not have been, and with the records of the checks. */
function effectFeatures(context: Context, index: number): Row {
  const { effects, trace, words } = context;
  const step = at(context, index);
  const isUnclean = effects.length > 0;
  const isAct = !isEnd(step) && step.before !== step.after;
  const matches = trace.main.map((_, place) => effectMatch(context, place));
  const best = Math.max(...matches);
  const ids = step.action.kind === 'call' ? scalars(step.action.input).map(String) : [];
  return {
    'unclean and acts': isUnclean && isAct,
    'names the side effect': (matches[index] ?? 0) > 0,
    'names the side effect best': best > 0 && matches.lastIndexOf(best) === index,
    'another names the side effect better': isUnclean && !isEnd(step) && (matches[index] ?? 0) < best,
    'calls with an id that no check has': step.action.kind === 'call' && words.isIdForeign(ids),
    'calls with an id of a failed check': step.action.kind === 'call' && words.isIdWanted(ids),
  };
}

/** 3 for the id of a changed record in a call or its result, 1 for each word of the path. */
function effectMatch(context: Context, index: number): number {
  const step = at(context, index);
  if (isEnd(step) || step.before === step.after) return 0;
  const named = new Set(stemsOf(context.trace.description(step)));
  const given = step.action.kind === 'call' ? scalars(step.action.input).map(String) : [];
  const result = JSON.stringify(step.outcome.result ?? '');
  const isRemoval = /\b(?:delete|remove|undo|discard)/i.test(context.trace.description(step));
  return Math.max(
    0,
    ...context.effects.map(({ path, words, isErased }) => {
      const ids = path.split('/').filter(part => /\d/.test(part));
      const byId = ids.some(id => given.includes(id) || result.includes(`"${id}"`)) ? 3 : 0;
      return byId + [...words].filter(word => named.has(word)).length + (isErased && isRemoval ? 1 : 0);
    }),
  );
}

function endFeatures(context: Context, index: number): Row {
  const { episode, trace, words } = context;
  const step = at(context, index);
  const { verdict } = episode.end;
  const last = isEnd(step);
  const fails = (id: string): boolean => verdict?.checks.some(check => check.id === id && !check.pass) === true;
  const before = trace.main[index - 1];
  const missing = words.missingUpTo(index);
  const progress = verdict?.progress ?? 0;
  const isAnswer = step.action.kind === 'finish' && step.action.answer !== undefined;
  return {
    finish: last,
    'finish leaves much': last && missing > 0.34,
    'finish leaves something': last && missing > 0 && missing <= 0.34,
    'finish after an entry':
      last && before !== undefined && (before.action.kind === 'fill' || before.action.kind === 'select'),
    'finish with a wrong answer': isAnswer && fails('answer'),
    'finish that did not look': last && fails('looked-up'),
    'finish of a run that made no change':
      last && trace.main.every(other => other.before === other.after || isEnd(other)),
    'finish right away': last && index <= 1,
    'progress at the end': last ? progress : 0,
    'commits too little':
      !last && missing > 0 && committing.test(trace.description(step)) && entryOf(step, trace) === null,
  };
}
