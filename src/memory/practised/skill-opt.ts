import { itemOf, type MemoryItem, type NewItem } from '../item.ts';
import type { Memory, Refusal } from '../memory.ts';
import { shareOf, type PracticeOptions } from '../practice.ts';
import { matts } from '../writers/matts.ts';
import { reconAct } from '../writers/recon-act.ts';
import { skillsOf } from '../writers/web-x-skill.ts';
import type { MemoryMethod } from '../writers/writer.ts';

const rounds = 4;
const [mostEdits, fewestEdits] = [4, 2];

/** Edits of a round at most: from four to two along a cosine, whose first part is over before the first round. */
export function editBudget(round: number, of: number): number {
  const along = of < 2 ? 0 : (round + 1) / of;
  return Math.round(fewestEdits + (mostEdits - fewestEdits) * 0.5 * (1 + Math.cos(Math.PI * along)));
}

/** A change of what the memory has: an item comes, goes, or takes the place of another. */
interface Edit {
  readonly kind: 'append' | 'replace' | 'delete';
  readonly add: NewItem | null;
  /** Id of the item that goes. */
  readonly remove: string | null;
  /** Tasks that speak for it. */
  readonly support: number;
}

/**
 * A document of skills that is edited in small steps (SkillOpt): a few edits at a time, kept only if the student passes strictly more
 * practice tasks with them. Edits that were refused are remembered with what they cost, and are not tried again.
 */
export const skillOpt: MemoryMethod = {
  name: 'skill-opt',
  about: 'Skills and notes by bounded edits, each kept only if more practice tasks pass than before (SkillOpt).',
  write: episodes =>
    [...skillsOf('skill-opt', episodes, 1), ...reconAct.write(episodes), ...matts.write(episodes)].map(signed),
  async practise({ before, candidates, gate, practice }: PracticeOptions) {
    let memory = before;
    let score = shareOf(await practice(memory));
    const rejected: Refusal[] = [];
    const tried = new Set(memory.refused.map(({ title }) => title));
    for (let round = 0; round < rounds; round++) {
      const open = editsOf(memory, candidates).filter(edit => !tried.has(nameOf(edit)));
      const edits = open.toSorted((a, b) => b.support - a.support).slice(0, editBudget(round, rounds));
      if (edits.length === 0) break;
      const edited = applied(memory, edits, gate);
      const found = shareOf(await practice(edited));
      if (found > score) [memory, score] = [edited, found];
      else
        for (const edit of edits) {
          tried.add(nameOf(edit));
          rejected.push({ title: nameOf(edit), reason: `${(found - score).toFixed(3)} on practice tasks` });
        }
    }
    return rejected.length === 0 ? memory : memory.keep(new Set(memory.items.map(({ id }) => id)), rejected);
  },
};

function signed(item: NewItem): NewItem {
  return { ...item, provenance: { ...item.provenance, writer: 'skill-opt' } };
}

/** What could be changed: candidates that are not there, in the place of one for the same pattern; items that rarely helped. */
function editsOf(memory: Memory, candidates: readonly NewItem[]): Edit[] {
  const own = memory.items.filter(({ content }) => content.provenance.writer === 'skill-opt');
  const known = new Set(own.map(({ id }) => id));
  const coming = candidates
    .filter(candidate => !known.has(itemOf(candidate).id))
    .map((add): Edit => {
      const old = add.kind === 'skill' ? own.find(({ content }) => isForSame(content, add)) : undefined;
      const support = add.provenance.tasks.length;
      return { kind: old === undefined ? 'append' : 'replace', add, remove: old?.id ?? null, support };
    });
  const going = own
    .filter(({ use }) => use.uses > 0 && use.wins * 2 < use.uses)
    .map(({ id, use }): Edit => ({ kind: 'delete', add: null, remove: id, support: use.uses }));
  return [...coming, ...going];
}

function isForSame(content: MemoryItem['content'], other: NewItem): boolean {
  return content.kind === 'skill' && other.kind === 'skill' && content.pattern === other.pattern;
}

function nameOf({ kind, add, remove }: Edit): string {
  return `${kind} ${add === null ? remove : `${add.title}: ${add.text}`}`;
}

function applied(memory: Memory, edits: readonly Edit[], gate: PracticeOptions['gate']): Memory {
  const gone = new Set(edits.flatMap(({ remove }) => remove ?? []));
  const kept = memory.keep(new Set(memory.items.flatMap(({ id }) => (gone.has(id) ? [] : [id]))));
  return kept.write(
    edits.flatMap(({ add }) => add ?? []),
    gate,
  );
}
