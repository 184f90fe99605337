import { createDigest } from '../../core/digest.ts';
import { causeText } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { describeIssues } from '../../core/records.ts';
import { itemOf, memoryItemSchema, type NewItem } from '../item.ts';
import { literalsOf } from '../reading/slots.ts';
import type { Experience, MemoryMethod } from '../writers/writer.ts';

export interface MemoryLawResult {
  /** The rule that this is, of the SPEC.md of memories. */
  readonly law: string;
  readonly title: string;
  readonly pass: boolean;
  /** How much was tried, or what went wrong and where. */
  readonly detail: string;
}

interface Law {
  readonly law: string;
  readonly title: string;
  /** Null when it holds, else what went wrong. */
  breach(method: MemoryMethod, episodes: readonly Experience[]): string | null;
}

/** Shorter texts of a task stand in too many others. */
const shortestLiteral = 4;

const laws: readonly Law[] = [
  {
    law: 'MEM-1',
    title: 'writes valid items, which name tasks of the episodes',
    breach({ write }, episodes) {
      const known = new Set(episodes.map(({ head }) => head.task.id));
      for (const item of write(episodes)) {
        const parsed = memoryItemSchema.safeParse(itemOf(item));
        if (!parsed.success) return `${nameOf(item)}: ${describeIssues(parsed.error)}`;
        const unknown = item.provenance.tasks.find(task => !known.has(task));
        if (unknown !== undefined) return `${nameOf(item)} comes from ${unknown}, which is no task of these episodes`;
      }
      return null;
    },
  },
  {
    law: 'MEM-3',
    title: 'keeps no text of a task: texts are slots',
    breach({ write }, episodes) {
      for (const episode of episodes) {
        const literals = literalsOf(episode.head.task.instruction).filter(text => text.length >= shortestLiteral);
        for (const item of beside(episode).flatMap(write)) {
          const { provenance: _from, ...content } = item;
          const told = JSON.stringify(content);
          const kept = literals.find(literal => told.includes(JSON.stringify(literal).slice(1, -1)));
          if (kept !== undefined) return `${nameOf(item)} has "${kept}", a text of ${episode.head.task.id}`;
        }
      }
      return null;
    },
  },
  {
    law: 'MEM-26',
    title: 'writes the same again',
    breach({ write }, episodes) {
      const [first, second] = [write(episodes), write(episodes)].map(items => items.map(digestOf));
      const at = first?.findIndex((item, index) => item !== second?.[index]) ?? -1;
      return at < 0 && first?.length === second?.length ? null : `item ${Math.max(0, at) + 1} differs the second time`;
    },
  },
];

/** An episode alone, twice as of two tasks, and beside its like that ended otherwise: some memories keep what several have, or compare. */
function beside(episode: Experience): Experience[][] {
  const { head, end } = episode;
  const twin = { ...episode, head: { ...head, task: { ...head.task, id: `${head.task.id}/twin` } } };
  const passed = !episode.passed;
  const other = { ...twin, passed, end: { ...end, outcome: passed ? ('passed' as const) : ('failed' as const) } };
  return [[episode], [episode, twin], [episode, other]];
}

/** Holds a memory against the laws that every memory obeys, ours and a user's. */
export function checkMemoryLaws(method: MemoryMethod, episodes: readonly Experience[]): MemoryLawResult[] {
  return laws.map(({ law, title, breach }) => {
    try {
      const problem = episodes.length === 0 ? 'there was nothing to try: no episode' : breach(method, episodes);
      // A memory of passes keeps nothing of a student that never passes: then little was tried.
      const detail = problem ?? `${episodes.length} episodes, ${method.write(episodes).length} items`;
      return { law, title, pass: problem === null, detail };
    } catch (cause) {
      return { law, title, pass: false, detail: causeText(cause) };
    }
  });
}

const digest = createDigest();

function digestOf(item: NewItem): string {
  return digest(JSON.parse(JSON.stringify(item)) as Json);
}

function nameOf({ kind, title }: NewItem): string {
  return `the ${kind} "${title}"`;
}
