import { createRandom, type Random } from '../../../../core/random.ts';
import { domainNames, domains } from '../../domains/domains.ts';
import { readVocabulary } from '../../domains/notation.ts';
import { drawEntities, drawEntity } from '../../generate/synth-spec.ts';
import { drawPage } from '../../generate/layout.ts';
import { drawSettings, drawWords, synonymsOf } from '../../generate/wording.ts';
import { navigations, type Entity, type Field, type Spec } from '../../spec/schema.ts';
import { registers, shells, type Operation, type Wide } from '../../spec/wide-schema.ts';
import { drawList, drawRecord, drawTold } from './draw-look.ts';
import { drawOperations, type SideEntity } from './draw-operations.ts';
import { sidelines, type Sideline } from './sidelines.ts';

function start(seed: number): { random: Random; domain: string } {
  const random = createRandom(`synth wide ${seed}`);
  return { random, domain: random.pick(domainNames) };
}

/** What a wide app is about. */
export function wideDomain(seed: number): string {
  return start(seed).domain;
}

/** What a wide app can be held out by: its domain, how it looks and how people speak there. */
export function wideFamilies(seed: number) {
  const { entities, wide } = wideSpec(seed);
  const main = entities[0]?.id ?? '';
  return {
    app: `synth-wide-${seed}`,
    domain: wideDomain(seed),
    shell: wide?.shell,
    list: wide?.lists[main]?.kind,
    record: wide?.records[main]?.kind,
    place: wide?.records[main]?.place,
    registers: wide?.registers,
    isQuiet: wide?.isQuiet,
  };
}

/** The spec of a wide app, by seed: operations that ask for values, and screens as people write them by hand. */
export function wideSpec(seed: number): Spec {
  const { random, domain } = start(seed);
  const { titles, entities: known } = readVocabulary(domains[domain] ?? '');
  const chosen = drawEntities(known, random.fork('entities')).filter(({ inside }) => inside === null);
  const kept = new Set(chosen.map(({ id }) => id));
  const linked = new Set(
    chosen.flatMap(({ fields }) => fields.flatMap(field => (field.type === 'link' ? [field.target] : []))),
  );
  const own = chosen.map((words, index) => {
    const drawing = { kept, isMain: index === 0, isLinked: linked.has(words.id), longestPart: 24 };
    const entity = withCode(
      drawEntity(words, { ...drawing, random: random.fork(words.id) }),
      random.fork(`code ${words.id}`),
    );
    return withRecords(entity, {
      isMain: index === 0,
      random: random.fork(`records ${words.id}`),
    });
  });
  const sides = drawSides(own, random.fork('sides'));
  const operations = own.flatMap((entity, index) =>
    drawOperations({
      entity,
      sides: sides.filter(side => parentOf(side.entity) === entity.id),
      isMain: index === 0,
      random: random.fork(`operations ${entity.id}`),
    }),
  );
  const targets = new Map(own.map(({ id, records }) => [id, records]));
  const pages = own.map(entity =>
    drawPage(entity, { random: random.fork(`page ${entity.id}`), isLinked: linked.has(entity.id), targets }),
  );
  const words = drawWords(random.fork('words'));
  const entities = [...own, ...sides.map(({ entity }) => entity)];
  const wide = drawWide({ own, entities, operations, random: random.fork('look') });
  return {
    id: `synth-wide-${seed}`,
    title: random.pick(titles),
    about: `A made-up app: ${entities.map(({ plural }) => plural).join(', ')}.`,
    entities,
    pages,
    navigation: random.pick(navigations),
    start: drawStart(own, wide, random),
    settings: drawSettings(random.fork('settings')),
    words,
    synonyms: synonymsOf(words),
    wide,
  };
}

function parentOf({ inside, fields }: Entity): string {
  const link = fields.find(({ id }) => id === inside);
  return link?.type === 'link' ? link.target : '';
}

const codeLabels = ['Number', 'Ref', 'Code', 'Key', 'File', 'Ticket'];

/** Many apps give their records a number, such as SO-4711. */
function withCode(entity: Entity, random: Random): Entity {
  const label = random.pick(codeLabels);
  const id = label.toLowerCase();
  if (!random.chance(0.4) || entity.fields.some(field => field.id === id || field.label === label)) return entity;
  const prefix = random.pick(['SO', 'K', 'REF', 'A', 'T', 'INV', 'X']);
  const codes = Array.from({ length: 90 }, () => `${prefix}-${random.between(1000, 99_999)}`);
  const code: Field = { id, label, type: 'text', required: false, values: [codes] };
  return { ...entity, fields: [...entity.fields, code].slice(0, 12) };
}

/** Lists that people write are longer than a screen, and some are short. */
function withRecords(entity: Entity, { isMain, random }: { isMain: boolean; random: Random }): Entity {
  const [title] = entity.fields;
  const variety = title?.type === 'text' ? title.values.reduce((product, part) => product * part.length, 1) : 1;
  const many = isMain ? random.pick([12, 24, 24, 40, 56]) : random.pick([5, 8, 12, 20]);
  return { ...entity, records: Math.max(4, Math.min(many, Math.floor(variety / 1.4))) };
}

/** One or two things that can be added to records of the main entity, perhaps one for another. */
function drawSides(own: readonly Entity[], random: Random): SideEntity[] {
  const taken = new Set(own.map(({ id }) => id));
  return own.flatMap((entity, index) => {
    const count = index === 0 ? random.pick([0, 1, 1, 2]) : random.pick([0, 0, 0, 1]);
    return random.sample(sidelines, count).flatMap(sideline => sideEntity(sideline, entity, taken));
  });
}

const sideRecords = 7;

function sideEntity(sideline: Sideline, parent: Entity, taken: Set<string>): SideEntity[] {
  const text = `\n${sideline.words.replace('{parent}', parent.id)}`;
  const [words] = readVocabulary(`x${text}`).entities;
  if (words === undefined || taken.has(words.id) || words.fields.filter(({ id }) => id === parent.id).length > 1)
    return [];
  taken.add(words.id);
  return [{ sideline, entity: { ...plainEntity(words), records: sideRecords } }];
}

type EntityWords = ReturnType<typeof readVocabulary>['entities'][number];

function plainEntity({ id, table, singular, plural, inside, fields }: EntityWords): Omit<Entity, 'records'> {
  return { id, table, singular, plural, title: fields[0]?.id ?? '', fields: [...fields], workflow: null, inside };
}

interface Drawn {
  readonly own: readonly Entity[];
  readonly entities: readonly Entity[];
  readonly operations: Operation[];
  readonly random: Random;
}

function drawWide({ own, entities, operations, random }: Drawn): Wide {
  const shell = random.pick([...shells, 'side', 'side', 'banner', 'banner', 'dashboard'] as const);
  const looks = own.map(entity => {
    const ofEntity = operations.filter(operation => operation.entity === entity.id);
    const looked = { entity, operations: ofEntity, random: random.fork(entity.id) };
    const list = drawList(looked);
    return [entity.id, { list, record: drawRecord(looked, { list, shell }) }] as const;
  });
  const told = entities.flatMap(entity =>
    entity.fields.map(field => [`${entity.id}.${field.id}`, drawTold(field, random)] as const),
  );
  const asking = operations.filter(({ asks, entity }) => asks.length > 0 && entity === own[0]?.id);
  return {
    operations,
    shell,
    desks: random.chance(0.25) ? random.sample(asking, 1).map(({ id, entity }) => `${entity}.${id}`) : [],
    lists: Object.fromEntries(looks.map(([id, { list }]) => [id, list])),
    records: Object.fromEntries(looks.map(([id, { record }]) => [id, record])),
    told: Object.fromEntries(told),
    registers: random.sample(registers, random.between(1, 3)),
    isQuiet: random.fork('quiet').chance(0.5),
  };
}

/** Mostly the list of what the app is about is the first screen. */
function drawStart(own: readonly Entity[], { shell }: Wide, random: Random): string {
  const [main, ...others] = own;
  if (shell === 'none' || (shell !== 'dashboard' && random.chance(0.6))) return main?.id ?? 'home';
  return shell === 'dashboard' || others.length === 0 || random.chance(0.5) ? 'home' : random.pick(others).id;
}
