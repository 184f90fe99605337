import type { AttackResult } from './attack.ts';

const [begin, end] = ['<!-- attacks:begin -->', '<!-- attacks:end -->'];

/** The outcome of every attack, as a table of Markdown. */
export function attackTable(results: readonly AttackResult[]): string {
  const out = results.filter(({ escape }) => escape !== null).length;
  const rows = results.map(
    ({ area, name, how, needs, escape }) =>
      `| ${area} | ${name} | ${how.replaceAll(/<[^>]+>/g, '`$&`')} | ${escape === null ? 'held' : 'out'}${needs === undefined ? '' : ' *'} |`,
  );
  const idle = results.filter(({ needs }) => needs !== undefined);
  return [
    `${results.length} attacks, ${out} got out.`,
    '',
    '| area | attack | what the attacker does | outcome |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    ...(idle.length === 0 ? [] : ['\\* This Chromium does not get out this way even without containment:', '']),
    ...idle.map(({ name, needs }) => `- ${name}: ${needs}`),
  ].join('\n');
}

/** What stands between the marks of a document. */
export function tableIn(document: string): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`Expected ${begin} and ${end} in the document; one of them is missing.`);
  return document.slice(from + begin.length, to).trim();
}

/** The document with another table between its marks. */
export function withTable(document: string, table: string): string {
  return document.replace(`${begin}\n${tableIn(document)}`, () => `${begin}\n${table}`);
}
