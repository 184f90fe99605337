import { EspalierError } from '../../core/errors.ts';
import type { Entity } from './graph.ts';
import { fillers, relations, type Relation } from './relations.ts';

/** A fact as a text says it, with names. */
export interface ReadFact {
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
  readonly from: number | null;
  readonly to: number | null;
}

interface Grammar {
  readonly pattern: RegExp;
  /** Null for sentences that say nothing. */
  readonly relation: Relation | null;
}

const grammars: readonly Grammar[] = [
  ...relations.flatMap(relation => relation.sentences.map(text => ({ pattern: patternOf(text), relation }))),
  ...relations.map(({ denial }) => ({ pattern: patternOf(denial), relation: null })),
  ...fillers.map(text => ({ pattern: patternOf(text), relation: null })),
];

/**
 * Reads the facts that sentences say, knowing the names in the world and nothing of how the text was made. A sentence
 * that nobody understands, or that can be read in two ways, is an error.
 */
export function createFactReader(entities: readonly Entity[]): (sentence: string) => ReadFact | null {
  const kinds = new Map(entities.map(({ name, kind }) => [name, kind]));
  return sentence => {
    const readings = grammars.flatMap(({ pattern, relation }) => {
      const parts = pattern.exec(sentence)?.groups;
      if (parts === undefined) return [];
      const { s = '', o, from, to = from } = parts;
      if (!kinds.has(s) || (o !== undefined && !kinds.has(o))) return [];
      if (relation === null) return [null];
      if (kinds.get(s) !== relation.subject || kinds.get(o as string) !== relation.object) return [];
      return [{ subject: s, relation: relation.name, object: o as string, from: yearOf(from), to: yearOf(to) }];
    });
    if (readings.length === 1) return readings[0] as ReadFact | null;
    throw new EspalierError({
      boundary: 'environment',
      code: 'invalid-state',
      message: `The sentence ${JSON.stringify(sentence)} has ${readings.length} readings.`,
      expected: 'Expected exactly one.',
    });
  };
}

function yearOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

function patternOf(text: string): RegExp {
  const escaped = text.replaceAll(/[.?*+^$()|[\]\\]/g, String.raw`\$&`);
  const pattern = escaped
    .replace('{s}', '(?<s>.+)')
    .replace('{o}', '(?<o>.+)')
    .replace('{from}', String.raw`(?<from>\d{4})`)
    .replace('{to}', String.raw`(?<to>\d{4})`);
  return new RegExp(`^${pattern}$`);
}
