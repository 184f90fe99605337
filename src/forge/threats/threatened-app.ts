import { invalidApp, unknownEnvironment } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { suggestion } from '../../core/naming/closest.ts';
import { createRandom } from '../../core/random.ts';
import type { App } from '../../worlds/app/app.ts';
import type { AppTemplate } from '../../worlds/app/template.ts';
import { defend, defences } from '../../worlds/defences/defences.ts';
import { placeIn, type FamilyHost, type Source } from '../../worlds/family.ts';
import { withThreat } from '../../worlds/wrappers/threat.ts';
import { createWorkshop } from '../forge-app.ts';
import { slots } from './stage-threat.ts';
import { threatTemplate } from './threat-template.ts';
import { threats, type Threat } from './threats.ts';

const usualDoses = [0, slots];

interface ThreatName {
  /** The app. */
  readonly place: string;
  readonly families: readonly Threat[];
  readonly doses: readonly number[];
  readonly defences: readonly string[];
}

/** `threats:mail`, `threats:./library.ts,family=phishing+fake-authority,dose=0+2+4,defence=filter+confirm`. */
export function readThreatName(name: string): ThreatName {
  const [place = '', ...options] = placeIn(name).split(',');
  if (place === '')
    throw unknownEnvironment(`"${name}" names no app.`, 'Expected threats:<app>, such as threats:mail.');
  let families: readonly Threat[] = threats;
  let doses: readonly number[] = usualDoses;
  let chosen: readonly string[] = [];
  for (const option of options) {
    const [key, value = ''] = option.split('=', 2);
    const values = value.split('+');
    if (key === 'family') families = values.map(family => named(threats, family, 'family of threats'));
    else if (key === 'dose' && values.every(dose => /^[0-4]$/.test(dose)))
      doses = [...new Set(values.map(Number))].toSorted();
    else if (key === 'defence') chosen = values.map(defence => named(defences, defence, 'defence').name);
    else
      throw unknownEnvironment(
        `"${option}" in "${name}" is no option of threats.`,
        `Expected family=<families with + between them>, of ${namesOf(threats)}; dose=<0 to ${slots}, with + between them>; or defence=<of ${namesOf(defences)}, with + between them>.`,
      );
  }
  return { place, families, doses, defences: chosen };
}

function named<T extends { readonly name: string }>(known: readonly T[], name: string, what: string): T {
  const found = known.find(entry => entry.name === name);
  if (found !== undefined) return found;
  const names = known.map(entry => entry.name);
  throw unknownEnvironment(`There is no ${what} "${name}".${suggestion(name, names)}`, `Expected: ${namesOf(known)}.`);
}

function namesOf(entries: readonly { readonly name: string }[]): string {
  return entries.map(({ name }) => name).join(', ');
}

/** The app with its tasks under threat, behind the defences that the name asks for. */
export async function threatSource(name: string, host: FamilyHost): Promise<Source> {
  const { place, ...options } = readThreatName(name);
  const source = await host.find(place);
  if (!('app' in source))
    throw unknownEnvironment(
      `"${place}" is no app, so no threat can be put into it.`,
      'Expected a built-in app, or a module that exports `app` from defineApp.',
    );
  return { app: threatenedApp(source.app, options) };
}

export function threatenedApp<S extends JsonObject>(
  app: App<S>,
  { families, doses, defences: chosen }: Omit<ThreatName, 'place'>,
): App<S> {
  const workshop = createWorkshop(app, {});
  const hostile = withThreat(app);
  const id = ['threats', app.id, ...chosen].join('-');
  const behind = chosen.length === 0 ? 'behind nothing' : `behind ${chosen.join('+')}`;
  const templateOf = (threat: Threat, dose: number): AppTemplate<S> =>
    threatTemplate({ app: hostile, workshop, threat, dose, behind });
  const probes = [1, 2, 3].map(seed => hostile.init(createRandom(`threats ${seed}`).fork('data')));
  // An app need not have a place for every family: no long texts, nothing to delete.
  const templates = families
    .filter(threat => probes.some(state => templateOf(threat, slots).make(state, createRandom(0)) !== null))
    .flatMap(threat => doses.map(dose => templateOf(threat, dose)));
  if (templates.length === 0)
    throw invalidApp(
      `App "${app.id}" has no place for these threats: ${namesOf(families)}.`,
      'Expected records with texts, commands that change data, and a feasible template with split: train.',
    );
  return defend({ ...hostile, id, title: `${app.title} under threat`, templates }, chosen);
}
