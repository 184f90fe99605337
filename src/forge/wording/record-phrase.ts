import type { Random } from '../../core/random.ts';
import { pluralOf } from '../../core/text.ts';
import { nameRecord, type RecordName } from '../data/record-names.ts';
import type { RecordPlace, Tables } from '../data/tables.ts';

/** Records as an instruction names them, and the texts that were used for it. */
export interface RecordPhrase {
  readonly noun: string;
  readonly words: string;
  readonly names: readonly string[];
}

/** Null when one of the records has no name of its own. */
export function phraseRecords(tables: Tables, places: readonly RecordPlace[], random: Random): RecordPhrase | null {
  const names = places.map(place => nameRecord(tables, place));
  if (names.length === 0 || names.some(name => name === null)) return null;
  const known = names as readonly RecordName[];
  const noun = (known[0] as RecordName).noun;
  const said = known.map(name => shortName(name, random));
  const used = known.flatMap((name, index) => [
    said[index]?.includes(name.text) === true ? name.text : (name.code ?? name.text),
    ...(name.of === null ? [] : [name.of.text]),
  ]);
  const [only] = known;
  if (known.length > 1) return { noun, words: `the ${pluralOf(noun)} ${said.join(' and ')}`, names: used };
  const belongs = only?.of === null || only === undefined ? '' : ` of the ${only.of.noun} ${only.of.text}`;
  const isNamed = only?.isBorrowed === true || belongs !== '' || random.chance(0.75);
  const article = isNamed ? `the ${noun} ${only?.isBorrowed === true && only.code === null ? 'for ' : ''}` : '';
  return { noun, words: `${article}${said[0]}${belongs}`, names: used };
}

function shortName({ text, code }: RecordName, random: Random): string {
  if (code !== null && (code === text || random.chance(0.6))) return code;
  return `"${text}"`;
}
