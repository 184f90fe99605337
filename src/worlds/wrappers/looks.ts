import { z } from 'zod';
import { createRandom } from '../../core/random.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { createScreen } from '../../core/ui.ts';
import type { App } from '../app/app.ts';
import type { AppTemplate } from '../app/template.ts';
import { wrapSteps } from './steps-on-screen.ts';
import { varyApp } from './variation.ts';

/** Ways to draw an app: its data, commands and goals are the same in all of them. */
const looks = [
  { name: 'own', labels: false, order: false },
  { name: 'words', labels: true, order: false },
  { name: 'order', labels: false, order: true },
  { name: 'both', labels: true, order: true },
] as const;
type Look = (typeof looks)[number]['name'];

const member = 'look';
/** Draws labels and orders that an app does not have by itself. */
const variationSeed = 1;
const worldsToLookAt = 4;

/**
 * Every template of the app in each of its looks: as it is, with other words for its labels, in another order, and with both (UI-CUBE).
 * A seed gives the same task in all looks. Looks that change nothing in this app are left out.
 */
export function withLooks<S extends JsonObject>(app: App<S>): App<S> {
  const drawn = new Map<Look, App<S>>(
    looks.map(({ name, labels, order }) => [name, varyApp(app, { seed: variationSeed, labels, order })]),
  );
  const wrapped = wrapSteps(app, {
    member,
    schema: z.strictObject({
      seed: z.int(),
      name: z.enum(looks.map(({ name }) => name)),
    }) as unknown as z.ZodType<Json>,
    start: { seed: 0, name: 'own' },
    around: ({ run }) => run(),
  });
  const known = looksThatDiffer(app, drawn);
  return {
    ...wrapped,
    templates: app.templates.flatMap(template => known.map(look => templateIn(template, look))),
    view: state => (drawn.get(lookIn(state).name) as App<S>).view(state),
    init(random) {
      const state = wrapped.init(random);
      const seed = random.fork('look').between(0, 2 ** 30);
      return { ...state, ui: { ...(state['ui'] as unknown as JsonObject), [member]: { seed, name: 'own' } } };
    },
  };
}

function lookIn(state: JsonObject): { readonly seed: number; readonly name: Look } {
  return (state['ui'] as unknown as Record<typeof member, { readonly seed: number; readonly name: Look }>)[member];
}

/** Labels of an app may stand on any screen of it; an order that differs does so on the first. */
function looksThatDiffer<S extends JsonObject>(app: App<S>, drawn: ReadonlyMap<Look, App<S>>): readonly Look[] {
  const hasWords = Object.keys(app.synonyms).length > 0;
  const hasOrder = Array.from({ length: worldsToLookAt }, (_, at) =>
    app.init(createRandom(`looks ${at}`).fork('data')),
  ).some(state => textOf(app, state) !== textOf(drawn.get('order') as App<S>, state));
  return looks.filter(({ labels, order }) => (!labels || hasWords) && (!order || hasOrder)).map(({ name }) => name);
}

function textOf<S extends JsonObject>(app: App<S>, state: S): string {
  return createScreen(app.view(state)).text;
}

const mark = '@';

function templateIn<S extends JsonObject>(template: AppTemplate<S>, look: Look): AppTemplate<S> {
  return {
    ...template,
    id: `${template.id}${mark}${look}`,
    make(state) {
      const { seed } = lookIn(state);
      const made = template.make(state, createRandom(`${seed} ${template.id}`));
      if (made === null) return null;
      const value = { seed, name: look };
      const before = { seed, name: 'own' };
      return { ...made, patch: [...made.patch, { op: 'replace', path: `/ui/${member}`, before, value }] };
    },
  };
}

/** The template and the look that an id names; null for templates without looks. */
export function readLook(id: string): { readonly template: string; readonly look: string } | null {
  const at = id.lastIndexOf(mark);
  const look = looks.find(({ name }) => name === id.slice(at + 1))?.name;
  return at < 0 || look === undefined ? null : { template: id.slice(0, at), look };
}
