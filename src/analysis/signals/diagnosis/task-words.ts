import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { readScreen } from '../../../core/episode/screen-text.ts';
import { scalars } from '../../../core/json.ts';
import { standsIn } from '../../../core/text.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { Trace } from '../trace.ts';
import type { Entry } from './entries.ts';

/** How a value agrees with the task: said by it, almost said by it, said by nobody, or taken from a screen. */
type Judged = 'told' | 'nearly' | 'unseen' | 'not told' | 'id' | 'empty';

/** What a task says, asked by many features. */
export interface TaskWords {
  isTold(text: string): boolean;
  judge(entry: Entry, index: number): Judged;
  /** Whether another option of the same list is one that the task says. */
  isOptionTold(step: TreeNode): boolean;
  /** How far the element of a step is told, and whether the screen has another that is. */
  labels(step: TreeNode): Labels;
  /** Whether the row of the step is not told, and another on the screen is. */
  isRowOther(description: string, step: TreeNode): boolean;
  isRowUntold(description: string): boolean;
  /** Ids like those of the checks, but none of them. */
  isIdForeign(ids: readonly string[]): boolean;
  isIdWanted(ids: readonly string[]): boolean;
  /** The share of the values of the task that no step up to this one has used. */
  missingUpTo(index: number): number;
}

interface Labels {
  /** The share of the words of the element that the task says. */
  readonly own: number;
  /** The screen has another element that the task says in full; and one that no step ever takes. */
  readonly offered: boolean;
  readonly missed: boolean;
}

interface Facts {
  readonly episode: EpisodeRecord;
  readonly trace: Trace;
  readonly stems: ReadonlySet<string>;
  /** Values that the task says, in lower case. */
  readonly values: readonly string[];
  /** Ids in the names of the checks and in the parameters; of those, the ids of checks that failed. */
  readonly knownIds: ReadonlySet<string>;
  readonly failedIds: ReadonlySet<string>;
  /** Names that steps take, in lower case. */
  readonly taken: ReadonlySet<string>;
}

const idPattern = /^[a-z]{1,6}-?\d+$/i;

export function createTaskWords(episode: EpisodeRecord, trace: Trace): TaskWords {
  const facts = readFacts(episode, trace);
  const { values, knownIds, failedIds } = facts;
  const prefixes = new Set([...knownIds].map(prefixOf));
  const used = trace.main.map(step => {
    const description = trace.description(step).toLowerCase();
    return values.filter(value => description.includes(value));
  });
  return {
    isTold: text => isTold(facts, text),
    judge: (entry, index) => judge(facts, entry.text, index),
    isOptionTold: step => isOptionTold(facts, step),
    labels: step => labelsOf(facts, step),
    isRowOther: (description, step) => isRowOther(facts, description, step),
    isRowUntold(description) {
      const row = rowIn(description)?.toLowerCase();
      if (row === undefined) return false;
      const whole = description.toLowerCase();
      return !values.some(value => value.length > 2 && whole.includes(value)) && !standsIn(trace.told, row);
    },
    isIdForeign: ids =>
      ids.map(id => id.toLowerCase()).some(id => idPattern.test(id) && prefixes.has(prefixOf(id)) && !knownIds.has(id)),
    isIdWanted: ids => ids.some(id => failedIds.has(id.toLowerCase())),
    missingUpTo(index) {
      const done = new Set(used.slice(0, index + 1).flat());
      return values.length === 0 ? 0 : 1 - done.size / values.length;
    },
  };
}

function readFacts(episode: EpisodeRecord, trace: Trace): Facts {
  const { told, main } = trace;
  const quoted = [...told.matchAll(/"([^"]{2,})"/g)].map(match => match[1] as string);
  const parameters = scalars(episode.head.task.parameters)
    .filter(value => typeof value !== 'boolean')
    .map(value => String(value).toLowerCase());
  const checks = episode.end.verdict?.checks ?? [];
  const idsIn = (name: string): readonly string[] => name.toLowerCase().match(/[a-z]{1,6}-?\d+/g) ?? [];
  return {
    episode,
    trace,
    stems: new Set(stemsOf(told)),
    values: [...new Set([...parameters, ...quoted])].filter(value => value.length > 0 && standsIn(told, value)),
    knownIds: new Set([
      ...checks.flatMap(({ name }) => idsIn(name)),
      ...parameters.filter(value => idPattern.test(value)),
    ]),
    failedIds: new Set(checks.flatMap(({ name, pass }) => (pass ? [] : idsIn(name)))),
    taken: new Set(
      main.flatMap(step =>
        [...trace.description(step).matchAll(/"([^"]*)"/g)].map(match => (match[1] as string).toLowerCase()),
      ),
    ),
  };
}

function isTold({ trace: { told }, values }: Facts, text: string): boolean {
  const plain = text.trim().toLowerCase();
  return plain !== '' && (values.includes(plain) || standsIn(told, plain));
}

function judge(facts: Facts, text: string, index: number): Judged {
  const { trace, values } = facts;
  const plain = text.trim().toLowerCase();
  if (plain === '') return 'empty';
  if (isTold(facts, text)) return text === text.trim() || trace.told.includes(text.toLowerCase()) ? 'told' : 'nearly';
  if (idPattern.test(plain)) return 'id';
  if (trace.main[index]?.action.kind === 'select' && hasAllStems(facts, plain)) return 'told';
  const isPart = (value: string): boolean =>
    value.length > 2 && (plain.includes(value) || (plain.length > 3 && value.includes(plain)));
  if (trace.told.includes(plain) || values.some(isPart)) return 'nearly';
  return isSeen(facts, plain, index) || hasAllStems(facts, plain) ? 'not told' : 'unseen';
}

/** Whether a screen or a result before a step, or its own screen, has this text. */
function isSeen({ trace }: Facts, text: string, index: number): boolean {
  const resultOf = ({ outcome }: TreeNode): string =>
    outcome.result === undefined ? '' : JSON.stringify(outcome.result).toLowerCase();
  return (
    trace.main.slice(0, index + 1).some(step => standsIn(trace.screen(step), text)) ||
    trace.main.slice(0, index).some(step => resultOf(step).includes(text))
  );
}

function hasAllStems({ stems }: Facts, text: string): boolean {
  const own = stemsOf(text);
  return own.length > 0 && own.every(word => stems.has(word));
}

function isOptionTold(facts: Facts, { id, action }: TreeNode): boolean {
  if (action.kind !== 'select') return false;
  const line = readScreen(facts.episode.screen(id)).find(({ ref }) => ref === action.ref);
  return (line?.options ?? []).some(
    option =>
      option !== action.option && (standsIn(facts.trace.told, option.toLowerCase()) || hasAllStems(facts, option)),
  );
}

function labelsOf({ episode, stems, taken }: Facts, { id, action }: TreeNode): Labels {
  const screen = readScreen(episode.screen(id));
  const own = 'ref' in action ? (screen.find(({ ref }) => ref === action.ref)?.name ?? '') : '';
  const shareOf = (name: string): number => {
    const words = stemsOf(name);
    return words.length === 0 ? 0 : words.filter(word => stems.has(word)).length / words.length;
  };
  const others = screen.filter(
    ({ ref, name, role }) =>
      ref !== null && name !== own && /^(?:link|button|menuitem|tab)$/.test(role) && shareOf(name) >= 1,
  );
  const missed = others.some(({ name }) => !taken.has(name.toLowerCase()));
  return { own: shareOf(own), offered: others.length > 0, missed };
}

function isRowOther(facts: Facts, description: string, { id }: TreeNode): boolean {
  const { trace, values, episode } = facts;
  const hasValue = (text: string): boolean => {
    const plain = text.toLowerCase();
    const isNamed = values.some(value => value.length > 2 && standsIn(plain, value));
    return isNamed || (plain.length > 2 && standsIn(trace.told, plain));
  };
  const row = rowIn(description);
  if (row === undefined || hasValue(row) || hasValue(/"([^"]*)"/.exec(description)?.[1] ?? '')) return false;
  return readScreen(episode.screen(id)).some(line => /^(?:listitem|row)$/.test(line.role) && hasValue(line.name));
}

function rowIn(description: string): string | undefined {
  return / in "([^"]*)"/.exec(description)?.[1];
}

function prefixOf(id: string): string {
  return id.replace(/-?\d+$/, '');
}

/** Words without their endings: `messages` and `message` are the same. */
export function stemsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1)
    .map(stem);
}

function stem(word: string): string {
  if (word.length <= 3) return word;
  const cut = word.replace(/(?:ies|ing|ed|es|s|y|e)$/, '');
  return cut.length < 3 ? word : cut;
}
