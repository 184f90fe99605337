import { invalidApp, unknownEnvironment } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { suggestion } from '../../core/naming/closest.ts';
import { createRandom } from '../../core/random.ts';
import type { App } from '../../worlds/app/app.ts';
import { placeIn, type FamilyHost, type Source } from '../../worlds/family.ts';
import { createWorld } from '../../worlds/world.ts';
import { withUser } from '../../worlds/wrappers/user.ts';
import { personas, type Persona } from './personas.ts';
import { playedUser } from './played-user.ts';
import { userTemplate } from './user-template.ts';

interface UserName {
  /** The app, with options of its own. */
  readonly place: string;
  readonly personas: readonly Persona[];
  /** Whether the role `user` of a team plays the user. */
  readonly played: boolean;
}

const ownOptions: ReadonlySet<string> = new Set(['persona', 'patience', 'slips', 'played']);
const persona = personas.map(({ name }) => name).join(', ');
const expected = `Expected persona=<of ${persona}, with + between them>, patience=<messages to spare, 0 to 99>, slips=<0 to 1> or played=yes.`;

/** `users:mail`, `users:./library.ts,persona=terse+careless,patience=2,slips=0.2,played=yes`. Other options are the app's. */
export function readUserName(name: string): UserName {
  const [app = '', ...options] = placeIn(name).split(',');
  if (app === '') throw unknownEnvironment(`"${name}" names no app.`, 'Expected users:<app>, such as users:mail.');
  const isOwn = (option: string): boolean => ownOptions.has(option.split('=')[0] ?? '');
  let chosen = personas;
  let played = false;
  for (const option of options.filter(isOwn)) {
    const [key, value = ''] = option.split('=', 2);
    if (key === 'persona') chosen = value.split('+').map(personaNamed);
    else if (key === 'patience' && /^\d{1,2}$/.test(value))
      chosen = chosen.map(one => ({ ...one, patience: Number(value) }));
    else if (key === 'slips' && /^(?:0(?:\.\d+)?|1)$/.test(value))
      chosen = chosen.map(one => ({ ...one, slips: Number(value) }));
    else if (key === 'played' && value === 'yes') played = true;
    else throw unknownEnvironment(`"${option}" in "${name}" is no option of users.`, expected);
  }
  return { place: [app, ...options.filter(option => !isOwn(option))].join(','), personas: chosen, played };
}

function personaNamed(name: string): Persona {
  const found = personas.find(known => known.name === name);
  if (found !== undefined) return found;
  const names = personas.map(known => known.name);
  throw unknownEnvironment(`There is no persona "${name}".${suggestion(name, names)}`, expected);
}

/** The app with a user beside it, who gives its tasks. */
export async function userSource(name: string, host: FamilyHost): Promise<Source> {
  const { place, ...options } = readUserName(name);
  const source = await host.find(place);
  if (!('app' in source))
    throw unknownEnvironment(
      `"${place}" is no app, so no user can be put beside it.`,
      'Expected a built-in app, or a module that exports `app` from defineApp.',
    );
  const app = appWithUser(source.app, options);
  return options.played ? { environment: playedUser(createWorld(app), app) } : { app };
}

export function appWithUser<S extends JsonObject>(
  app: App<S>,
  { personas: chosen, played }: Omit<UserName, 'place'>,
): App<S> {
  const peopled = withUser(app);
  const probes = [1, 2, 3].map(seed => peopled.init(createRandom(`users ${seed}`).fork('data')));
  const templates = app.templates
    .filter(({ kind }) => kind === 'feasible')
    .flatMap(own => chosen.map(one => userTemplate({ own, persona: one, played })))
    // Not every task names a value, or has another one in the same data.
    .filter(template => probes.some(state => template.make(state, createRandom(0)) !== null));
  if (templates.length === 0)
    throw invalidApp(
      `App "${app.id}" has no task that a user could leave something out of.`,
      'Expected a feasible template without an answer whose instruction names a value of its parameters.',
    );
  const id = ['users', app.id, ...(played ? ['played'] : [])].join('-');
  return { ...peopled, id, title: `${app.title} with a user`, templates };
}
