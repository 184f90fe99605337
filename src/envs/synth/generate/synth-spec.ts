import { createRandom, type Random } from '../../../core/random.ts';
import { domainNames, domains } from '../domains/domains.ts';
import { capitalised, fieldId, readVocabulary, type EntityWords, type TransitionWords } from '../domains/notation.ts';
import {
  navigations,
  type Entity,
  type Field,
  type Page,
  type Spec,
  type Transition,
  type Workflow,
} from '../spec/schema.ts';
import { drawPage } from './layout.ts';
import { drawLabel, drawSettings, drawStatusLabel, drawWords, freeStatusLabel, synonymsOf } from './wording.ts';

/** What an app is about, such as a clinic. */
export function synthDomain(seed: number): string {
  return createRandom(`synth ${seed}`).pick(domainNames);
}

/** The spec of an app, by seed: a domain, some of its entities and fields, a wording, and a layout for every page. */
export function synthSpec(seed: number): Spec {
  const random = createRandom(`synth ${seed}`);
  const domain = random.pick(domainNames);
  const { titles, entities: known } = readVocabulary(domains[domain] ?? '');
  const chosen = drawEntities(known, random.fork('entities'));
  const kept = new Set(chosen.map(({ id }) => id));
  const linked = new Set(
    chosen.flatMap(({ fields }) => fields.flatMap(field => (field.type === 'link' ? [field.target] : []))),
  );
  const entities = chosen.map((words, index) =>
    drawEntity(words, {
      kept,
      isMain: index === 0,
      isLinked: linked.has(words.id),
      longestPart: 9,
      random: random.fork(words.id),
    }),
  );
  const targets = new Map(entities.map(({ id, records }) => [id, records]));
  const pages = entities
    .filter(({ inside }) => inside === null)
    .map(entity =>
      drawPage(entity, { random: random.fork(`page ${entity.id}`), isLinked: linked.has(entity.id), targets }),
    );
  const words = drawWords(random.fork('words'));
  const navigation = random.pick(navigations);
  return {
    id: `synth-${seed}`,
    title: random.pick(titles),
    about: `A made-up app: ${entities.map(({ plural }) => plural).join(', ')}.`,
    entities,
    pages: random.shuffle(pages),
    navigation,
    start: drawStart(navigation, pages, random),
    settings: drawSettings(random.fork('settings')),
    words,
    synonyms: synonymsOf(words),
  };
}

/** Apps begin at home, or at the list of something that is not what they are mainly about. */
function drawStart(navigation: Spec['navigation'], pages: readonly Page[], random: Random): string {
  const others = pages.slice(1);
  return navigation === 'home' || others.length === 0 || random.chance(0.6) ? 'home' : random.pick(others).entity;
}

/** What the app is about, what that is linked to, and perhaps more. */
export function drawEntities(known: readonly EntityWords[], random: Random): EntityWords[] {
  const withFlow = known.filter(({ transitions, inside }) => transitions.length > 1 && inside === null);
  const main = random.chance(0.6) ? withFlow[0] : random.pick(withFlow);
  if (main === undefined) return [...known];
  const others = known.filter(entity => entity !== main && entity.inside === null);
  const needed = new Set(requiredTargets([main], known));
  const extra = random.sample(others, random.between(1, 3)).map(({ id }) => id);
  const wanted = new Set([...needed, ...extra]);
  for (const target of requiredTargets(
    others.filter(({ id }) => wanted.has(id)),
    known,
  ))
    wanted.add(target);
  const chosen = [main, ...others.filter(({ id }) => wanted.has(id))];
  const inside = known.filter(entity => chosen.some(({ id }) => id === entity.inside) && random.chance(0.6));
  return [...chosen, ...inside];
}

/** Entities that cannot be done without: their links are required. */
function requiredTargets(from: readonly EntityWords[], known: readonly EntityWords[]): string[] {
  return from.flatMap(({ fields }) =>
    fields.flatMap(field => {
      if (field.type !== 'link' || !field.required) return [];
      const target = known.filter(({ id }) => id === field.target);
      return [field.target, ...requiredTargets(target, known)];
    }),
  );
}

export interface Drawing {
  readonly kept: ReadonlySet<string>;
  readonly isMain: boolean;
  readonly isLinked: boolean;
  /** How many words of each list make up titles and texts. */
  readonly longestPart: number;
  readonly random: Random;
}

export function drawEntity(words: EntityWords, drawing: Drawing): Entity {
  const { random } = drawing;
  const workflow = drawWorkflow(words, random.fork('workflow'));
  const needed = new Set((workflow?.transitions ?? []).flatMap(({ needs }) => needs.map(({ field }) => field)));
  const fields = drawFields(words, { ...drawing, needed });
  const [title] = fields;
  const variety = title?.type === 'text' ? title.values.reduce((product, part) => product * part.length, 1) : 1;
  const many = drawing.isMain
    ? random.between(14, 24)
    : drawing.isLinked
      ? random.between(6, 10)
      : random.between(8, 16);
  return {
    id: words.id,
    table: words.table,
    singular: words.singular,
    plural: words.plural,
    title: title?.id ?? '',
    fields,
    workflow: workflow === null ? null : withFields(workflow, fields),
    inside: words.inside,
    records: Math.max(4, Math.min(many, Math.floor(variety / 1.4))),
  };
}

/** What a transition needs or changes has to be there, and no field may have the label of the state. */
function withFields(workflow: Workflow, fields: readonly Field[]): Workflow {
  const has = (id: string): boolean => fields.some(field => field.id === id);
  const transitions = workflow.transitions.map(transition => ({
    ...transition,
    needs: transition.needs.filter(({ field }) => has(field)),
    effects: transition.effects.filter(({ field }) => has(field)),
  }));
  return { ...workflow, label: freeStatusLabel(workflow.label, fields), transitions };
}

const fewestFields = 2;

/** The title, the links that can be kept, and most of the rest, some under another label. */
function drawFields(words: EntityWords, drawing: Drawing & { needed: ReadonlySet<string> }): Field[] {
  const { kept, random, needed, longestPart } = drawing;
  const [title, ...rest] = words.fields;
  const possible = rest.filter(field => field.type !== 'link' || kept.has(field.target));
  const isKept = (field: Field): boolean =>
    needed.has(field.id) ||
    field.id === words.inside ||
    (field.type === 'link' && field.required) ||
    random.chance(0.75);
  const chosen = possible.filter(isKept);
  const others = chosen.length < fewestFields ? possible.slice(0, fewestFields) : chosen;
  const used = new Set<string>();
  return [...(title === undefined ? [] : [title]), ...others].map(field => {
    const label = drawLabel(field.label, random);
    const own = used.has(label) ? field.label : label;
    used.add(own);
    const shown = { ...field, label: own };
    if (shown.type !== 'text') return shown;
    return { ...shown, values: shown.values.map(part => random.sample(part, longestPart)) };
  });
}

function drawWorkflow({ transitions }: EntityWords, random: Random): Workflow | null {
  if (transitions.length === 0) return null;
  const states = [...new Set(transitions.flatMap(({ from, to }) => [...from, to]))];
  const drawn: Transition[] = [];
  for (const words of transitions) drawn.push(drawTransition(words, drawn, random));
  return { label: drawStatusLabel(random), initial: transitions[0]?.from[0] ?? '', states, transitions: drawn };
}

function drawTransition(words: TransitionWords, others: readonly Transition[], random: Random): Transition {
  const labels = new Set(others.map(({ label }) => label));
  const verbs = random.shuffle(words.verbs);
  const verb = verbs.find(candidate => !labels.has(buttonLabel(candidate))) ?? `${words.verbs[0] ?? ''} to ${words.to}`;
  const label = buttonLabel(verb);
  return {
    id: fieldId(label),
    label,
    phrases: verbs,
    from: [...words.from],
    to: words.to,
    needs: [...words.needs],
    effects: [...words.effects],
    confirm: words.isFinal || random.chance(0.15),
  };
}

/** `send ~ home` is the button "Send home". */
function buttonLabel(verb: string): string {
  return capitalised(verb.replace(/~ ?/, '').trim());
}
