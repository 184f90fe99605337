import MiniSearch from 'minisearch';
import { z } from 'zod';
import { createDigest } from '../core/digest.ts';
import { EspalierError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { describeIssues } from '../core/records.ts';
import type { Gate } from './gate.ts';
import { itemOf, memoryItemSchema, tokensOf, type MemoryItem, type NewItem } from './item.ts';

/** What an agent looks at when it reads its memory. */
export interface MemorySituation {
  readonly environment: string | null;
  readonly instruction: string;
  readonly heading: string;
}

interface ReadBudget {
  /** Items at most. */
  readonly most: number;
  /** Tokens of their texts, all together. */
  readonly tokens: number;
  readonly kinds?: readonly NewItem['kind'][];
}

/** What was learned between episodes. */
export interface Memory {
  /** Counts the times that it was written to. */
  readonly version: number;
  readonly items: readonly MemoryItem[];
  /** Candidates that the gate refused, with the reason. */
  readonly refused: readonly { readonly title: string; readonly reason: string }[];
  /** Takes candidates that the gate accepts, each once. */
  write(candidates: readonly NewItem[], gate: Gate): Memory;
  /** The items that fit a situation best, within the budget; retired ones never. */
  read(situation: MemorySituation, budget: ReadBudget): MemoryItem[];
  /** Counts an episode that used items. An item that fails more often than not is retired. */
  learn(ids: ReadonlySet<string>, passed: boolean): Memory;
  /** The text of its file. */
  save(): string;
}

const fileSchema = z.strictObject({
  kind: z.literal('espalier-memory'),
  format: z.literal(1),
  version: z.int().nonnegative(),
  items: z.array(memoryItemSchema),
  refused: z.array(z.strictObject({ title: z.string(), reason: z.string() })),
  /** Digest of the items: a file that was changed by hand is refused. */
  seal: z.string(),
});

type Contents = Omit<z.infer<typeof fileSchema>, 'kind' | 'format' | 'seal'>;

export function createMemory(contents: Contents = { version: 0, items: [], refused: [] }): Memory {
  const { version, items, refused } = contents;
  let index: MiniSearch | null = null;
  const byId = new Map(items.map(item => [item.id, item]));
  return {
    version,
    items,
    refused,
    write(candidates, gate) {
      const kept = new Map(byId);
      const turnedAway = [...refused];
      for (const candidate of candidates) {
        const item = itemOf(candidate);
        if (kept.has(item.id)) continue;
        const reason = gate(candidate);
        if (reason === null) kept.set(item.id, item);
        else turnedAway.push({ title: candidate.title, reason });
      }
      return createMemory({ version: version + 1, items: [...kept.values()], refused: turnedAway });
    },
    read(situation, budget) {
      index ??= indexOf(items);
      return chosen(index, byId, { situation, budget });
    },
    learn(ids, passed) {
      const learned = items.map(item => (ids.has(item.id) ? used(item, passed) : item));
      return createMemory({ version: version + 1, items: learned, refused });
    },
    save: () =>
      `${JSON.stringify({ kind: 'espalier-memory', format: 1, version, items, refused, seal: sealOf(items) })}\n`,
  };
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
  if (seal !== sealOf(contents.items)) throw damaged('The memory was cut or altered: its seal does not fit.');
  return createMemory(contents);
}

function indexOf(items: readonly MemoryItem[]): MiniSearch {
  const index = new MiniSearch({ fields: ['title', 'text', 'heading'], idField: 'id', processTerm: wordOf });
  const open = items.filter(({ retired }) => retired === null);
  index.addAll(
    open.map(({ id, content }) => ({
      id,
      title: content.title,
      text: content.kind === 'skill' ? `${content.text} ${content.pattern}` : content.text,
      heading: 'heading' in content ? content.heading : '',
    })),
  );
  return index;
}

/** Words of three letters or less say little, and are in most texts. */
function wordOf(term: string): string | null {
  return term.length > 3 ? term.toLowerCase() : null;
}

interface Reading {
  readonly situation: MemorySituation;
  readonly budget: ReadBudget;
}

function chosen(
  index: MiniSearch,
  byId: ReadonlyMap<string, MemoryItem>,
  { situation, budget }: Reading,
): MemoryItem[] {
  const query = `${situation.instruction} ${situation.heading}`;
  const isMeant = ({ content }: MemoryItem): boolean =>
    (budget.kinds?.includes(content.kind) ?? true) &&
    (situation.environment === null || content.provenance.environment === situation.environment);
  const found: MemoryItem[] = [];
  let tokens = 0;
  for (const { id } of index.search(query, { boost: { title: 2, heading: 2 } })) {
    const item = byId.get(id as string);
    if (item === undefined || !isMeant(item)) continue;
    tokens += tokensOf(item.content.text);
    if (tokens > budget.tokens || found.length >= budget.most) break;
    found.push(item);
  }
  return found;
}

/** Uses after which an item that rarely helped is retired. */
const fewestUses = 4;

function used(item: MemoryItem, passed: boolean): MemoryItem {
  const use = { uses: item.use.uses + 1, wins: item.use.wins + Number(passed) };
  const isPoor = use.uses >= fewestUses && use.wins * 2 < use.uses;
  return { ...item, use, retired: item.retired ?? (isPoor ? `${use.wins} of ${use.uses} uses passed` : null) };
}

function sealOf(items: readonly MemoryItem[]): string {
  return createDigest()(JSON.parse(JSON.stringify(items)) as Json);
}

function damaged(message: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'corrupt-record',
    message,
    expected: 'Expected a file as espalier remember wrote it.',
  });
}
