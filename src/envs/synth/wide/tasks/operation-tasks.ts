import type { Random } from '../../../../core/random.ts';
import type { AppTemplate } from '../../../../worlds/app/template.ts';
import { kit, snake } from '../../app/commands.ts';
import { article, rowOf, rowsOf, type Row, type SynthState } from '../../app/model.ts';
import type { Operation } from '../../spec/wide-schema.ts';
import { checksOf, editing, pathsOf } from '../../tasks/effects.ts';
import { flagOff, flagOn } from '../draw/field-verbs.ts';
import { isPlain, operationsOf, wideOf } from '../app/wide-commands.ts';
import { listLook } from '../app/wide-listing.ts';
import { capital, speak } from '../speech/registers.ts';
import { changesBy, drawAct, operationOf, sayAct, type Act, type Acting } from './acts.ts';
import { drawLeftovers, leave } from './leftovers.ts';
import { drawMention, mentioned } from './mentions.ts';

type Template = AppTemplate<SynthState>;

/** One operation on one record. */
export function operationTemplate({ model, entity }: Acting, operation: Operation): Template {
  return kit.template(`do-${snake(operation.label).replaceAll('_', '-')}-${entity.table}`, {
    about: `${operation.label}: ${article(entity.singular)}.`,
    split: 'train',
    sample(state, random) {
      const act = drawAct({ model, entity }, { state, operation, random });
      const row = act === null ? undefined : rowOf(state, entity, act.row);
      if (act === null || row === undefined) return null;
      const mention = drawMention(model, state, { entity, row, without: operation.asks, random });
      const left = drawLeftovers({ model, entity }, { state, row, random });
      return {
        left,
        mention,
        act: { ...act, searchOrFind: mention.searchOrFind },
        ...changesBy({ model, entity }, state, [act]),
      };
    },
    setup: (draft, { left }) => leave(draft, left),
    instruction: ({ act, mention }, random) =>
      requestFor({ model, entity }, { act, x: mentioned(entity, mention, random) }, random),
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

/** An act in the words of a register. */
export function requestFor({ model, entity }: Acting, { act, x }: { act: Act; x: string }, random: Random): string {
  const { orders, facts } = operationOf(model, entity, act.operation);
  const isQuoted = random.chance(0.5);
  const say = (way: string): string => sayAct({ model, entity }, { act, way, x, isQuoted });
  const said = {
    order: say(random.pick(orders)),
    fact: facts.length === 0 ? null : say(random.pick(facts)),
    kept: [x, act.searchOrFind, ...Object.values(act.fields), ...(entity.workflow?.states ?? [])],
  };
  return speak(said, { registers: wideOf(model).registers, random });
}

export function orderFor({ model, entity }: Acting, act: Act, { x, random }: { x: string; random: Random }): string {
  const way = random.pick(operationOf(model, entity, act.operation).orders);
  return sayAct({ model, entity }, { act, way, x, isQuoted: random.chance(0.5) });
}

/** Two operations on one record, in the order in which they are asked for. */
export function sequenceTemplate({ model, entity }: Acting): Template | null {
  const operations = operationsOf(model, entity.id).filter(({ confirm }) => !confirm);
  if (operations.length < 2) return null;
  return kit.template(`two-steps-of-${entity.table}`, {
    about: `Do two things with ${article(entity.singular)}.`,
    split: 'train',
    sample(state, random) {
      const [one, other] = random.sample(operations, 2) as [Operation, Operation];
      const first = drawAct({ model, entity }, { state, operation: one, random });
      if (first === null || (one.transition !== null && other.transition !== null)) return null;
      if (one.asks.some(id => other.asks.includes(id) && one.adds === other.adds)) return null;
      const second = drawAct(
        { model, entity },
        { state, operation: other, random, isFitting: ({ id }) => id === first.row },
      );
      if (second === null) return null;
      return { acts: [first, second], ...changesBy({ model, entity }, state, [first, second]) };
    },
    instruction({ acts }, random) {
      const [first, second] = acts as [Act, Act];
      const x = mentioned(entity, { searchOrFind: first.searchOrFind, by: null }, random);
      const one = orderFor({ model, entity }, first, { x, random });
      const then = orderFor({ model, entity }, second, {
        x: random.pick(['it', `"${first.searchOrFind}"`, x]),
        random,
      });
      const both = random.pick([`${one}, then ${then}`, `${one} and ${then}`, `${one}; after that ${then}`]);
      return speak({ order: both, fact: null, kept: keptOf(acts, x) }, { registers: wideOf(model).registers, random });
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

function keptOf(acts: readonly Act[], ...more: readonly string[]): string[] {
  return [...more, ...acts.flatMap(({ searchOrFind, fields }) => [searchOrFind, ...Object.values(fields)])];
}

/** Operations on two different records. */
export function severalTemplate({ model, entity }: Acting): Template | null {
  const { tools } = listLook(model, entity.id);
  const operations = operationsOf(model, entity.id).filter(({ id, confirm }) => !confirm && tools.includes(id));
  if (operations.length < 2) return null;
  return kit.template(`several-${entity.table}`, {
    about: `Do different things with different ${entity.plural}.`,
    split: 'train',
    sample(state, random) {
      const acts: Act[] = [];
      for (const operation of random.sample(operations, 2)) {
        const isFitting = ({ id }: Row): boolean => acts.every(({ row }) => row !== id);
        const act = drawAct({ model, entity }, { state, operation, random, isFitting });
        if (act !== null) acts.push(act);
      }
      return acts.length < 2 ? null : { acts, ...changesBy({ model, entity }, state, acts) };
    },
    instruction({ acts }, random) {
      const quoted = random.chance(0.5);
      const parts = acts.map(act =>
        orderFor({ model, entity }, act, { x: quoted ? `"${act.searchOrFind}"` : act.searchOrFind, random }),
      );
      const sentences = parts.map(part => `${capital(part)}.`).join(' ');
      const listed = parts.map((part, index) => `${index + 1}. ${part}`).join(' ');
      const joined = `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
      return random.pick([
        sentences,
        `${capital(joined)}.`,
        `There are ${parts.length} things to do: ${joined}.`,
        `Please: ${listed}`,
      ]);
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

/** A flag of a record, on or off. */
export function flagTemplate({ model, entity }: Acting): Template | null {
  const flags = entity.fields.filter(({ type }) => type === 'flag');
  if (flags.length === 0) return null;
  return kit.template(`switch-${entity.table}`, {
    about: `Switch something on or off for ${article(entity.singular)}.`,
    split: 'train',
    sample(state, random) {
      const field = random.pick(flags);
      const row = random.pick(rowsOf(state, entity));
      const isOn = row[field.id] !== true;
      const mention = drawMention(model, state, { entity, row, random });
      const edits = [{ table: entity.table, id: row.id, member: field.id, value: isOn }];
      return { mention, flag: { label: field.label, isOn }, ...editing(edits) };
    },
    instruction({ mention, flag }, random) {
      const x = mentioned(entity, mention, random);
      const way = random.pick(flag.isOn ? flagOn : flagOff);
      const order = way.replace('{x}', x).replace('{L}', flag.label).replace('{l}', flag.label.toLowerCase());
      return speak({ order, fact: null, kept: [x, flag.label] }, { registers: wideOf(model).registers, random });
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

const fewest = 2;
const most = 4;

/** The same step for every record in a state. */
export function allTemplate({ model, entity }: Acting): Template | null {
  const { isSelectable, tools, aside, name, group, kind } = listLook(model, entity.id);
  const isAtHand = isSelectable || tools.length > 0;
  // Who does it has to see which records are meant.
  const isTold = aside.includes('state') || (kind !== 'table' && name.includes('{state}'));
  const isFound = isTold || (group === 'state' && (kind === 'folders' || kind === 'board'));
  const operations = operationsOf(model, entity.id).filter(
    one => isPlain(one) && one.transition !== null && (isSelectable || tools.includes(one.id)),
  );
  if (!isAtHand || !isFound || operations.length === 0) return null;
  return kit.template(`all-${entity.table}`, {
    about: `Do the same with every one of some ${entity.plural}.`,
    split: 'train',
    sample(state, random) {
      const operation = random.pick(operations);
      const transition = entity.workflow?.transitions.find(({ id }) => id === operation.transition);
      const from = random.pick(transition?.from ?? ['']);
      const rows = rowsOf(state, entity).filter(row => row['state'] === from);
      if (rows.length < fewest || rows.length > most) return null;
      const acts = rows.map(row =>
        drawAct({ model, entity }, { state, operation, random, isFitting: ({ id }) => id === row.id }),
      );
      const known = acts.filter(act => act !== null);
      if (known.length < acts.length) return null;
      return { wanted: { from, operation: operation.id }, ...changesBy({ model, entity }, state, known) };
    },
    instruction({ wanted }, random) {
      const x = random.pick([
        `all ${entity.plural} that are ${wanted.from}`,
        `every ${entity.singular} that is ${wanted.from}`,
        `each of the ${entity.plural} with the ${entity.workflow?.label.toLowerCase() ?? 'state'} ${wanted.from}`,
        `everything that is ${wanted.from} among the ${entity.plural}`,
      ]);
      const order = random.pick(operationOf(model, entity, wanted.operation).orders).replace('{x}', x);
      return speak({ order, fact: null, kept: [wanted.from] }, { registers: wideOf(model).registers, random });
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}
