import MiniSearch from 'minisearch';
import { tokensOf, utilityOf, type ContentOf, type ItemKind, type MemoryItem } from './item.ts';

/** What an agent looks at when it reads its memory. */
export interface MemorySituation {
  readonly environment: string | null;
  readonly instruction: string;
  readonly heading: string;
}

export interface ReadBudget {
  /** Items at most. */
  readonly most: number;
  /** Tokens of their texts, all together. */
  readonly tokens: number;
  readonly kinds?: readonly ItemKind[];
}

/** Finds items that are not retired: by the words of a situation, by the heading of a screen, by the pattern of a task. */
export interface ItemIndex {
  read(situation: MemorySituation, budget: ReadBudget): MemoryItem[];
  /** Items of a kind that were made on screens with this heading, in the order in which they were written. */
  onHeading<K extends 'exemplar' | 'guardrail' | 'transition'>(kind: K, heading: string): readonly Found<K>[];
  /** Items of a kind for tasks of this pattern. */
  forPattern<K extends 'skill' | 'program'>(kind: K, pattern: string): readonly Found<K>[];
  ofKind<K extends ItemKind>(kind: K): readonly Found<K>[];
}

type Found<K extends ItemKind> = MemoryItem<ContentOf<K>>;

/** A query asks for its rarest words: what most items say finds nothing, and takes the longest. */
const mostWords = 6;
/** Entries of the index that a query looks at, beside those of its rarest word; fewer where a word is in very many items. */
const mostEntries = { usual: 1500, many: 400 };
const manyItems = 20_000;

export function createItemIndex(items: readonly MemoryItem[]): ItemIndex {
  const open = items.filter(({ retired }) => retired === null);
  const byKind = Map.groupBy(open, ({ content }) => content.kind);
  const byHeading = Map.groupBy(open, ({ content }) =>
    'heading' in content ? `${content.kind}\n${content.heading}` : '',
  );
  const byPattern = Map.groupBy(open, ({ content }) =>
    'pattern' in content ? `${content.kind}\n${content.pattern}` : '',
  );
  const searches = new Map<string, WordSearch>();
  const searchIn = (kinds: readonly ItemKind[] | undefined): WordSearch => {
    const key = kinds?.join(' ') ?? '';
    const made = searches.get(key) ?? createWordSearch(kinds?.flatMap(kind => byKind.get(kind) ?? []) ?? open);
    searches.set(key, made);
    return made;
  };
  return {
    read: (situation, budget) => chosen(searchIn(budget.kinds), situation, budget),
    onHeading: <K extends ItemKind>(kind: K, heading: string) =>
      (byHeading.get(`${kind}\n${heading}`) ?? []) as unknown as Found<K>[],
    forPattern: <K extends ItemKind>(kind: K, pattern: string) =>
      (byPattern.get(`${kind}\n${pattern}`) ?? []) as unknown as Found<K>[],
    ofKind: <K extends ItemKind>(kind: K) => (byKind.get(kind) ?? []) as unknown as Found<K>[],
  };
}

interface Match {
  readonly item: MemoryItem;
  readonly score: number;
}

interface WordSearch {
  /** The best first. */
  find(query: string): readonly Match[];
}

function createWordSearch(items: readonly MemoryItem[]): WordSearch {
  const index = new MiniSearch({ fields: ['title', 'text', 'heading'], idField: 'at', processTerm: wordOf });
  const counts = new Map<string, number>();
  index.addAll(
    items.map(({ content }, at) => {
      const entry = {
        at,
        title: content.title,
        text: content.text,
        heading: 'heading' in content ? content.heading : '',
      };
      for (const word of wordsOf(`${entry.title} ${entry.text} ${entry.heading}`))
        counts.set(word, (counts.get(word) ?? 0) + 1);
      return entry;
    }),
  );
  return {
    find(query) {
      const known = [...wordsOf(query)].filter(word => counts.has(word));
      const rare = known.toSorted((a, b) => (counts.get(a) as number) - (counts.get(b) as number)).slice(0, mostWords);
      let entries = 0;
      const most = items.length > manyItems ? mostEntries.many : mostEntries.usual;
      const asked = rare.filter((word, at) => (entries += counts.get(word) as number) <= most || at === 0);
      const found = index.search(asked.join(' '), { boost: { title: 2, heading: 2 } });
      return found.map(({ id, score }) => {
        const item = items[id as number] as MemoryItem;
        return { item, score: score * utilityOf(item) };
      });
    },
  };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.split(/[\s\p{P}]+/u).flatMap(term => wordOf(term) ?? []));
}

/** Words of three letters or less say little, and are in most texts. */
function wordOf(term: string): string | null {
  return term.length > 3 ? term.toLowerCase() : null;
}

function chosen(search: WordSearch, situation: MemorySituation, budget: ReadBudget): MemoryItem[] {
  const { environment } = situation;
  const found: MemoryItem[] = [];
  let tokens = 0;
  const matches = search.find(`${situation.instruction} ${situation.heading}`);
  for (const { item } of matches.toSorted((a, b) => b.score - a.score)) {
    if (environment !== null && item.content.provenance.environment !== environment) continue;
    tokens += tokensOf(item.content.text);
    if (tokens > budget.tokens || found.length >= budget.most) break;
    found.push(item);
  }
  return found;
}
