import { z } from 'zod';
import { createDigest } from '../core/digest.ts';
import { EspalierError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { describeIssues } from '../core/records.ts';
import { poisonGate, type Gate } from './gate.ts';
import { createItemIndex, type ItemIndex, type MemorySituation, type ReadBudget } from './item-index.ts';
import { itemOf, memoryItemSchema, type MemoryItem, type NewItem } from './item.ts';

/** An episode that used a memory. */
export interface EpisodeUse {
  /** Names the episode: it is counted once. */
  readonly episode: string;
  readonly used: ReadonlySet<string>;
  /** Items whose step the screen did not offer. */
  readonly broken: ReadonlySet<string>;
  readonly passed: boolean;
}

/** What was learned between episodes. A memory is a value: what changes it returns another one. */
export interface Memory {
  /** Counts the times that it was changed. */
  readonly version: number;
  readonly items: readonly MemoryItem[];
  /** Candidates that a gate refused, with the reason. */
  readonly refused: readonly Refusal[];
  /** Takes candidates that the gate accepts, each once. What it has already is told of further tasks. */
  write(candidates: readonly NewItem[], gate: Gate): Memory;
  /** The items that fit a situation best, within the budget; retired ones never. */
  read(situation: MemorySituation, budget: ReadBudget): MemoryItem[];
  /** Items by what they are for. */
  readonly index: ItemIndex;
  /** Counts episodes that used items. An item that fails more often than not, or no longer replays, is retired. */
  count(uses: readonly EpisodeUse[]): Memory;
  /** The same memory with these items alone, and further refusals. */
  keep(ids: ReadonlySet<string>, refused?: readonly Refusal[]): Memory;
  /** The same memory with this number: however much was written at a time, it is one version. */
  numbered(version: number): Memory;
  /** The text of its file. */
  save(): string;
}

const refusalSchema = z.strictObject({ title: z.string(), reason: z.string() });
export type Refusal = z.infer<typeof refusalSchema>;

const fileSchema = z.strictObject({
  kind: z.literal('espalier-memory'),
  format: z.literal(2),
  version: z.int().nonnegative(),
  items: z.array(memoryItemSchema),
  refused: z.array(refusalSchema),
  /** Episodes whose uses were counted. */
  counted: z.array(z.string()),
  /** Digest of all of it: a file that was changed by hand is refused. */
  seal: z.string(),
});

type Contents = Omit<z.infer<typeof fileSchema>, 'kind' | 'format' | 'seal'>;

export function createMemory(contents: Contents = { version: 0, items: [], refused: [], counted: [] }): Memory {
  const { version, items, refused, counted } = contents;
  let index: ItemIndex | null = null;
  const indexed = (): ItemIndex => (index ??= createItemIndex(items));
  const changed = (change: Partial<Contents>): Memory => createMemory({ ...contents, version: version + 1, ...change });
  return {
    version,
    items,
    refused,
    get index() {
      return indexed();
    },
    write: (candidates, gate) => changed(written(contents, candidates, gate)),
    read: (situation, budget) => indexed().read(situation, budget),
    count(uses) {
      const known = new Set(counted);
      const fresh = uses.filter(({ episode }) => !known.has(episode));
      const learned = items.map(item => fresh.reduce(used, item));
      return fresh.length === 0
        ? createMemory(contents)
        : changed({ items: learned, counted: [...counted, ...fresh.map(({ episode }) => episode)] });
    },
    keep: (ids, more = []) => changed({ items: items.filter(({ id }) => ids.has(id)), refused: [...refused, ...more] }),
    numbered: number =>
      createMemory({ ...contents, version: number, items: items.map(item => ({ since: number, ...item })) }),
    save: () => `${JSON.stringify({ kind: 'espalier-memory', format: 2, ...contents, seal: sealOf(contents) })}\n`,
  };
}

function written({ items, refused }: Contents, candidates: readonly NewItem[], gate: Gate): Partial<Contents> {
  const kept = new Map(items.map(item => [item.id, item]));
  const turnedAway = new Map(refused.map(refusal => [`${refusal.title}\n${refusal.reason}`, refusal]));
  for (const candidate of candidates) {
    const item = itemOf(candidate);
    const known = kept.get(item.id);
    // What takes the place of something that is known may say something else.
    const reason = gate(candidate);
    if (reason !== null) turnedAway.set(`${candidate.title}\n${reason}`, { title: candidate.title, reason });
    else kept.set(item.id, known === undefined ? item : { ...known, content: merged(known.content, candidate) });
  }
  return { items: [...kept.values()], refused: [...turnedAway.values()] };
}

/** The same item from further tasks; what was counted anew takes the place of what was. */
function merged({ provenance }: NewItem, candidate: NewItem): NewItem {
  const tasks = [...new Set([...provenance.tasks, ...candidate.provenance.tasks])];
  return { ...candidate, provenance: { ...provenance, tasks } };
}

export function readMemory(text: string): Memory {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged('The memory is no JSON.');
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw damaged(`The memory is none: ${describeIssues(parsed.error)}.`);
  const { seal, kind: _kind, format: _format, ...contents } = parsed.data;
  if (seal !== sealOf(contents)) throw damaged('The memory was cut or altered: its seal does not fit.');
  // A file of somebody else may never have seen a gate.
  return createMemory({ ...contents, items: contents.items.map(gated) });
}

function gated(item: MemoryItem): MemoryItem {
  const reason = item.retired === null ? poisonGate(item.content) : null;
  return reason === null ? item : { ...item, retired: reason };
}

/** Uses after which an item that rarely helped is retired. */
const fewestUses = 4;
/** Times that a step may be missing where it should be. */
const mostBroken = 1;

function used(item: MemoryItem, { used: ids, broken, passed }: EpisodeUse): MemoryItem {
  const [isUsed, isBroken] = [ids.has(item.id), broken.has(item.id)];
  if (!isUsed && !isBroken) return item;
  const use = {
    uses: item.use.uses + 1,
    wins: item.use.wins + Number(passed && !isBroken),
    broken: item.use.broken + Number(isBroken),
  };
  return { ...item, use, retired: item.retired ?? reasonToRetire(use) };
}

function reasonToRetire({ uses, wins, broken }: MemoryItem['use']): string | null {
  if (broken > mostBroken && broken > wins) return `no longer replays: ${broken} of ${uses} times`;
  return uses >= fewestUses && wins * 2 < uses ? `${wins} of ${uses} uses passed` : null;
}

function sealOf(contents: Contents): string {
  return createDigest()(JSON.parse(JSON.stringify(contents)) as Json);
}

function damaged(message: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'corrupt-record',
    message,
    expected: 'Expected a file as espalier remember wrote it.',
  });
}
