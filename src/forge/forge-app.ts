import { invalidApp, type EspalierError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { createRandom, type Random } from '../core/random.ts';
import type { Split } from '../core/records.ts';
import type { App } from '../worlds/app/app.ts';
import type { AppTemplate } from '../worlds/app/template.ts';
import { withDays } from '../worlds/wrappers/days.ts';
import { withEvents } from '../worlds/wrappers/events.ts';
import { createInputSampler, type InputSampler } from './inputs/input-sampler.ts';
import { chains, chainTemplate } from './tasks/chain-template.ts';
import { questionTemplates } from './tasks/questions/question-templates.ts';
import { findShownFields, type ShownFields } from './shown/shown-fields.ts';
import { dayTemplate } from './tasks/days/day-template.ts';
import { eventTemplate } from './tasks/events/event-template.ts';
import { requestTemplate } from './tasks/requests/request-template.ts';
import { walkTemplates } from './tasks/walks/walk-templates.ts';
import { commandTemplate, type ForgeWorkshop } from './tasks/command-template.ts';
import { conflictTemplates } from './tasks/conflicts/conflicts.ts';
import { findShownOptions } from './shown/shown-options.ts';
import type { ForgeKind } from './tasks/forge-kinds.ts';
import { showsItsChanges } from './tasks/shown-changes.ts';

/** The others are forged when asked for: walks mostly find what commands give as well, and not every app has records that ask. */
const defaultKinds: readonly ForgeKind[] = ['commands', 'chains', 'conflicts', 'questions'];

export interface ForgeOptions {
  /** What tasks are forged from; those that fit every app when left out. */
  readonly kinds?: readonly ForgeKind[];
  /** The id of the forged app; that of the app when left out. */
  readonly id?: string;
  /** Keeps the templates of the app beside the forged ones. */
  readonly keepOwn?: boolean;
  /** The split of forged templates: training, unless said otherwise. */
  readonly split?: Split;
  /** Names of commands that no task asks for, such as those of held-out templates. */
  readonly leaveOut?: readonly string[];
  /** Names of commands that no task asks for by themselves; together with others they may be used. */
  readonly notAlone?: readonly string[];
  /** Sentences for commands, with `{member}` where a value of the input goes; instead of those that are made. */
  readonly phrases?: Readonly<Record<string, readonly string[]>>;
}

const worldsToLearnFrom = 4;
const mostEarlierCalls = 10;

/** The same app with tasks that are forged from its commands: nothing has to be written by hand. */
export function forgeApp<S extends JsonObject>(app: App<S>, options: ForgeOptions = {}): App<S> {
  const workshop = createWorkshop(app, options);
  const kinds = options.kinds ?? defaultKinds;
  if (workshop.samplers.length === 0) throw nothingToForge(app, options.leaveOut);
  const forged = kinds.flatMap(kind => makers[kind](workshop));
  const templates: readonly AppTemplate<S>[] = options.keepOwn === true ? [...app.templates, ...forged] : forged;
  if (forged.length === 0) throw nothingOnOffer(app.id, kinds);
  // Templates know the app without its events: what they plan to happen is no part of their goals.
  const eventful = kinds.includes('events') ? withEvents(app) : app;
  const lively = kinds.includes('days') ? withDays(eventful) : eventful;
  return { ...lively, id: options.id ?? app.id, templates };
}

type Maker = <S extends JsonObject>(workshop: ForgeWorkshop<S>) => readonly AppTemplate<S>[];

const makers: Readonly<Record<ForgeKind, Maker>> = {
  commands: workshop => workshop.soloSamplers.map(sampler => commandTemplate(workshop, sampler)),
  chains: workshop =>
    onOffer(
      workshop,
      chains.map(options => chainTemplate(workshop, options)),
    ),
  conflicts: workshop => (hasSolo(workshop) ? onOffer(workshop, conflictTemplates(workshop)) : []),
  questions: workshop => onOffer(workshop, questionTemplates(workshop)),
  walks: workshop => onOffer(workshop, walkTemplates(workshop)),
  requests: workshop => (hasSolo(workshop) ? onOffer(workshop, [requestTemplate(workshop)]) : []),
  events: workshop => (hasSolo(workshop) ? onOffer(workshop, [eventTemplate(workshop)]) : []),
  days: workshop => (hasSolo(workshop) ? onOffer(workshop, [dayTemplate(workshop)]) : []),
};

/** Whether a command may be asked for by itself. */
function hasSolo<S extends JsonObject>({ soloSamplers }: ForgeWorkshop<S>): boolean {
  return soloSamplers.length > 0;
}

/** The templates that make a task in most of the fixed worlds: an app need not offer questions, or conflicts. */
function onOffer<S extends JsonObject>(
  { worlds }: ForgeWorkshop<S>,
  templates: readonly AppTemplate<S>[],
): readonly AppTemplate<S>[] {
  return templates.filter(({ id, make }) => {
    const made = worlds().filter((world, index) => make(world, createRandom(`offer ${index}`).fork(id)) !== null);
    return made.length > worlds().length / 2;
  });
}

export function createWorkshop<S extends JsonObject>(app: App<S>, options: ForgeOptions): ForgeWorkshop<S> {
  let worlds: readonly S[] | null = null;
  let shown: ShownFields | null = null;
  let shownOptions: readonly (readonly string[])[] | null = null;
  const learning = (): readonly S[] =>
    (worlds ??= Array.from({ length: worldsToLearnFrom }, (_, index) =>
      app.init(createRandom(`forge ${index}`).fork('data')),
    ));
  const samplers = app.commands
    .filter(({ kind }) => kind === 'command')
    .flatMap(command => createInputSampler(app, command, learning) ?? []);
  const offered = samplers.filter(({ command }) => options.leaveOut?.includes(command.name) !== true);
  const known = new Map<string, readonly InputSampler<S>[]>();
  const enablingOf = (sampler: InputSampler<S>): readonly InputSampler<S>[] => {
    const { name } = sampler.command;
    const found = known.get(name) ?? findEnabling(sampler, samplers, learning());
    known.set(name, found);
    return found;
  };
  const shownCommands = new Map<string, boolean>();
  return {
    app,
    split: options.split ?? 'train',
    samplers: offered,
    soloSamplers: offered.filter(({ command }) => options.notAlone?.includes(command.name) !== true),
    isShown(sampler) {
      const { name } = sampler.command;
      const found = shownCommands.get(name) ?? showsItsChanges(app, sampler, learning());
      shownCommands.set(name, found);
      return found;
    },
    worlds: learning,
    shownFields: () => (shown ??= findShownFields(app, learning())),
    shownOptions: () => (shownOptions ??= findShownOptions(app, learning())),
    phrasesFor: command => options.phrases?.[command] ?? app.phrases[command] ?? [],
    aged: (state, sampler, random) => aged(state, { samplers, enabling: enablingOf(sampler) }, random),
  };
}

/** Commands after which another one becomes possible in worlds where it was not. */
function findEnabling<S extends JsonObject>(
  sampler: InputSampler<S>,
  samplers: readonly InputSampler<S>[],
  worlds: readonly S[],
): readonly InputSampler<S>[] {
  const random = createRandom(`before ${sampler.command.name}`);
  const closed = worlds.filter(world => sampler.sample(world, random) === null);
  return samplers.filter(other =>
    closed.some(world => {
      const after = other.sample(world, random)?.after;
      return after !== undefined && sampler.sample(after, random) !== null;
    }),
  );
}

/** Some commands were used before the task starts; the screen is as it was. */
function aged<S extends JsonObject>(
  state: S,
  { samplers, enabling }: { samplers: readonly InputSampler<S>[]; enabling: readonly InputSampler<S>[] },
  random: Random,
): S {
  let now = state;
  const calls = random.between(1, mostEarlierCalls);
  for (let call = 0; call < calls; call++) {
    const isLast = call === calls - 1 && enabling.length > 0;
    now = random.pick(isLast ? enabling : samplers).sample(now, random.fork(`${call}`))?.after ?? now;
  }
  return state['ui'] === undefined ? now : ({ ...now, ui: state['ui'] } as S);
}

function nothingOnOffer(app: string, kinds: readonly ForgeKind[]): EspalierError {
  return invalidApp(
    `App "${app}" offers no tasks of the kinds ${kinds.join(', ')}.`,
    `Expected kinds that its data and screens allow${kinds.includes('days') ? ' (days: a command that sets a value, which another call of the app can undo, so that it can be called again)' : ''}; commands works for every app with commands.`,
  );
}

function nothingToForge<S extends JsonObject>(
  { id, commands }: App<S>,
  leaveOut: readonly string[] = [],
): EspalierError {
  const left = commands.filter(({ kind, name }) => kind === 'command' && leaveOut.includes(name));
  if (left.length > 0)
    return invalidApp(
      `No task can be forged from app "${id}": all its commands are left out (${left.map(({ name }) => name).join(', ')}).`,
      "Forging asks for no command that only held-out templates use. Expected a template with split: 'train', or forge:<app>,held-out=yes.",
    );
  return invalidApp(
    `No task can be forged from app "${id}": it has no commands with an object as input.`,
    'Expected commands made with `command` of appKit, whose input is z.object({ … }).',
  );
}
