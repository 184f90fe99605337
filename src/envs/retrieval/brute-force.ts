import type { Hop, Question, Time } from './question.ts';
import type { ReadFact } from './read-facts.ts';

/**
 * Every answer that a list of facts gives to a question, by going through the whole list at each hop. It shares no code
 * with the sampler of questions, and knows names only.
 */
export function answersFrom(facts: readonly ReadFact[], { start, hops }: Question): string[] {
  let current = new Set([start]);
  for (const hop of hops) {
    const next = new Set<string>();
    for (const entity of current) for (const found of oneHop(facts, entity, hop)) next.add(found);
    current = next;
  }
  return [...current].toSorted();
}

function oneHop(facts: readonly ReadFact[], entity: string, { relation, backward, time }: Hop): string[] {
  const fitting: ReadFact[] = [];
  for (const fact of facts) {
    const here = backward ? fact.object : fact.subject;
    if (fact.relation === relation && here === entity && holdsAt(facts, fact, time)) fitting.push(fact);
  }
  const sorted = fitting.toSorted((one, other) => (one.from ?? 0) - (other.from ?? 0));
  const edge = time?.kind === 'first' ? sorted[0] : time?.kind === 'last' ? sorted.at(-1) : undefined;
  const kept = edge === undefined ? sorted : sorted.filter(({ from }) => from === edge.from);
  return kept.map(({ subject, object }) => (backward ? subject : object));
}

function holdsAt(facts: readonly ReadFact[], { from, to }: ReadFact, time: Time | null): boolean {
  if (time === null || time.kind === 'first' || time.kind === 'last') return true;
  if (from === null || to === null) return false;
  if (time.kind === 'year') return from <= time.year && time.year <= to;
  return facts.some(
    event =>
      event.subject === time.subject &&
      event.relation === time.relation &&
      event.from !== null &&
      from <= event.from &&
      event.from <= to,
  );
}
