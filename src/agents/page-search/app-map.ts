import { z } from 'zod';
import { readScreen } from '../../core/episode/screen-text.ts';
import { remembering } from '../learned/remembering.ts';
import { comparedWords, readPageWords, type PageElement, type PageWords } from './page-words.ts';

/** What tells a control from others: itself, all of its role and name, and all in the same place of a page. */
const controlSchema = z.strictObject({ own: z.string(), named: z.string(), place: z.string() });
export type Control = z.infer<typeof controlSchema>;

const clickSchema = z.strictObject({
  control: controlSchema,
  /** Names on the screen after the click that were not there before. */
  texts: z.array(z.string()),
  /** Controls that were not there before. */
  controls: z.array(controlSchema),
});
/** A click, and what it showed. */
export type TourClick = z.infer<typeof clickSchema>;

export const tourSchema = z.array(clickSchema);

function controlOf(element: PageElement): Control {
  const { key, role, words, place } = element;
  return { own: key, named: words.length === 0 ? key : `${role} ${words.join(' ')}`, place };
}

export function controlsOf(page: PageWords): { readonly element: PageElement; readonly control: Control }[] {
  return page.elements.map(element => ({ element, control: controlOf(element) }));
}

/** What came onto the screen with a click. */
export function newTexts(before: string, after: string): Pick<TourClick, 'texts' | 'controls'> {
  const [old, page] = [readPageWords(before), readPageWords(after)];
  const known = new Set(readScreen(before).map(({ name }) => name));
  const keys = new Set(old.elements.map(({ key }) => key));
  const names = readScreen(after).flatMap(({ name, options }) => [name, ...options]);
  return {
    texts: [...new Set(names)].filter(name => name !== '' && !known.has(name)),
    controls: page.elements.filter(({ key }) => !keys.has(key)).map(controlOf),
  };
}

/** What is looked for: words with their weights, and whole names. */
interface Sought {
  readonly weights: ReadonlyMap<string, number>;
  readonly names: readonly string[];
}

/** How much of what a task looks for stands behind a control. */
export interface MapReader {
  leads(element: PageElement, page: PageWords): { readonly words: number; readonly name: number };
}

/** What a tour has found out about an app. */
export interface AppMap {
  for(sought: Sought): MapReader;
}

/** What stands further on counts less. */
const furtherShare = 0.7;
const mostFurther = 3;
/** What is known of a control from others in its place alone. */
const placeShare = 0.5;
const levels = ['own', 'named', 'place'] as const;

export function createAppMap(clicks: readonly TourClick[]): AppMap {
  const words = clicks.map(({ texts }) => new Set(texts.flatMap(comparedWords)));
  const texts = clicks.map(one => one.texts.join('\n').toLowerCase());
  const spread = spreadOf(clicks, words);
  const { groupOf, chancesOf } = createGroups(clicks);
  const leadsTo = ({ weights, names }: Sought): Leads => ({
    terms: [...weights].flatMap(([word, weight]) => {
      const telling = spread.get(word);
      if (telling === undefined) return [];
      return [{ word, value: weight * telling, chances: chancesOf(at => (words[at] as Set<string>).has(word)) }];
    }),
    called: names
      .filter(name => texts.some(text => text.includes(name)))
      .map(name => ({ name, chances: chancesOf(at => (texts[at] as string).includes(name)) })),
  });
  return {
    for(sought) {
      const { terms, called } = leadsTo(sought);
      // What the screen shows needs no way to it.
      const stillSought = remembering(mostPages, (page: PageWords) => ({
        terms: terms.filter(({ word }) => !page.shows(word)),
        called: called.filter(({ name }) => !page.text.includes(name)),
      }));
      return {
        leads(element, page) {
          const group = groupOf(controlOf(element));
          const left = stillSought(page, page.text);
          return group === null ? nowhere : scoreOf(group, left);
        },
      };
    },
  };
}

const mostPages = 64;

/** What a task looks for, with the chances of each group of controls to lead there. */
interface Leads {
  readonly terms: readonly { readonly word: string; readonly value: number; readonly chances: Chances }[];
  readonly called: readonly { readonly name: string; readonly chances: Chances }[];
}

type Chances = ReadonlyMap<string, number>;

const nowhere = { words: 0, name: 0 };

function scoreOf({ key, share }: Group, { terms, called }: Leads): ReturnType<MapReader['leads']> {
  const sum = terms.reduce((all, { value, chances }) => all + value * (chances.get(key) as number), 0);
  const best = called.reduce((most, { chances }) => Math.max(most, chances.get(key) as number), 0);
  return { words: (share * sum) / Math.sqrt(Math.max(1, terms.length)), name: share * best };
}

/** Clicks on controls that are taken for the same. */
interface Group {
  readonly key: string;
  /** What is said of the group counts so much for a control. */
  readonly share: number;
}

function createGroups(clicks: readonly TourClick[]) {
  const groups = new Map<string, number[]>();
  for (const [at, { control }] of clicks.entries())
    for (const level of levels) {
      const key = `${level} ${control[level]}`;
      groups.set(key, [...(groups.get(key) ?? []), at]);
    }
  const groupOf = (control: Control): Group | null => {
    const level = levels.find(one => groups.has(`${one} ${control[one]}`));
    if (level === undefined) return null;
    return { key: `${level} ${control[level]}`, share: level === 'place' ? placeShare : 1 };
  };
  const onward = clicks.map(({ controls }) => [...new Set(controls.flatMap(one => groupOf(one)?.key ?? []))]);
  const meanOf = (values: readonly number[]): Chances =>
    new Map(
      [...groups].map(([key, own]) => [key, own.reduce((sum, at) => sum + (values[at] as number), 0) / own.length]),
    );

  /** How likely the clicks of each group lead to one that `has` what is looked for. */
  const chancesOf = (has: (click: number) => boolean): Chances => {
    const direct = clicks.map((_, at) => (has(at) ? 1 : 0));
    let chances = meanOf(direct);
    for (let step = 0; step < mostFurther; step++) {
      const before = chances;
      const bestOf = (at: number): number =>
        (onward[at] as string[]).reduce((most, key) => Math.max(most, furtherShare * (before.get(key) as number)), 0);
      chances = meanOf(direct.map((value, at) => Math.max(value, bestOf(at))));
    }
    return chances;
  };
  return { groupOf, chancesOf };
}

/** How telling a word is: what stands behind nearly every control tells nothing. */
function spreadOf(clicks: readonly TourClick[], words: readonly ReadonlySet<string>[]): ReadonlyMap<string, number> {
  const behind = new Map<string, Set<string>>();
  for (const [at, { control }] of clicks.entries())
    for (const word of words[at] as ReadonlySet<string>) {
      const controls = behind.get(word) ?? new Set();
      behind.set(word, controls.add(control.own));
    }
  const all = new Set(clicks.map(({ control }) => control.own)).size;
  return new Map([...behind].map(([word, controls]) => [word, Math.log(1 + all / controls.size) / Math.log(1 + all)]));
}
