import type { Random } from '../../../core/random.ts';
import type { Check, TerminalTask } from '../world/definition.ts';
import { lines, names, sentence, word, words, type TerminalTemplate } from './template.ts';

export const scriptTemplates: readonly TerminalTemplate[] = [
  { id: 'scripting/sum-column', split: 'train', about: 'Write a program that adds up a column.', draw: sumColumn },
  { id: 'scripting/pick-lines', split: 'train', about: 'Write a program that picks lines.', draw: pickLines },
  { id: 'scripting/mark-words', split: 'test', about: 'Write a program that changes words.', draw: markWords },
];

/** Runs a program on an input that no agent has seen. */
function hidden(
  id: string,
  command: string,
  given: { readonly input: string; readonly output: string; readonly exitCode?: number },
): Check {
  const { input, output, exitCode = 0 } = given;
  return {
    id,
    name: `the program is right: ${id}`,
    kind: 'run',
    command: `${command} < .hidden-input`,
    output,
    exitCode,
    files: [{ path: '.hidden-input', content: input }],
  };
}

/** Writes a program as a shell would. */
function program(path: string, body: string): string[] {
  return [`cat > ${path} <<'END'\n#!/bin/sh\n${body}\nEND`, `chmod +x ${path}`];
}

function sumColumn(random: Random): TerminalTask {
  const [name, separator, column] = [word(random), random.pick([',', ';', ':']), random.between(2, 4)];
  const table = (count: number): { input: string; output: string } => {
    const rows = Array.from({ length: count }, () => [
      random.pick(names(random, 3)),
      ...Array.from({ length: 3 }, () => random.between(0, 99)),
    ]);
    const sum = rows.reduce((total, row) => total + Number(row[column - 1]), 0);
    return { input: count === 0 ? '' : lines(rows.map(row => row.join(separator))), output: String(sum) };
  };
  const right = `awk -F'${separator}' '{ n += $${column} } END { print n + 0 }'`;
  const sample = table(3);
  return {
    instruction: `Write an executable program ${name} that reads rows with ${separator} between the fields from standard input and prints the sum of field ${column}, a whole number; 0 when there are no rows. sample.txt is an example of the input.`,
    files: [{ path: 'sample.txt', content: sample.input }],
    checks: [
      hidden('many', `./${name}`, table(12)),
      hidden('few', `./${name}`, table(5)),
      hidden('none', `./${name}`, table(0)),
    ],
    allow: [name],
    oracle: program(name, right),
    mutants: [
      program(name, `echo ${sample.output}`),
      program(name, right.replace(`$${column}`, `$${column === 2 ? 3 : 2}`)),
      program(name, right.replace('n + 0', 'n')),
    ],
  };
}

function pickLines(random: Random): TerminalTask {
  const [name, least] = [word(random), random.between(3, 4)];
  const texts = (count: number): string[] => Array.from({ length: count }, () => sentence(random));
  const given = (count: number): { input: string; output: string } => {
    const all = texts(count);
    const seen = new Set<string>();
    const kept = all.filter(text => text.split(' ').length > least && !seen.has(text) && seen.add(text));
    return { input: lines(all.concat(all.slice(0, 2))), output: kept.length === 0 ? '' : lines(kept) };
  };
  const right = `awk 'NF > ${least} && !seen[$0]++'`;
  return {
    instruction: `Write an executable program ${name} that reads lines from standard input and prints those that have more than ${least} words, in their order, each only once.`,
    files: [{ path: 'sample.txt', content: given(4).input }],
    checks: [hidden('many', `./${name}`, given(14)), hidden('more', `./${name}`, given(9))],
    allow: [name],
    oracle: program(name, right),
    mutants: [
      program(name, right.replace(`> ${least}`, `>= ${least}`)),
      program(name, `awk 'NF > ${least}'`),
      program(name, `awk 'NF > ${least}' | sort -ru`),
    ],
  };
}

function markWords(random: Random): TerminalTask {
  const name = word(random);
  const [from, to] = words(random, 2) as [string, string];
  const [old, fresh] = [from.slice(from.indexOf('-') + 1), to.slice(to.indexOf('-') + 1)];
  const given = (): { input: string; output: string; exitCode: number } => {
    const all = Array.from({ length: 6 }, (_, at) =>
      at % 2 === 0 ? `${sentence(random)} ${old} ${sentence(random)}` : `${sentence(random)} ${old}s x${old}`,
    );
    const changed = all.map(text =>
      text
        .split(' ')
        .map(each => (each === old ? fresh : each))
        .join(' '),
    );
    return { input: lines(all), output: lines(changed), exitCode: 0 };
  };
  const right = `t=$(mktemp); sed -E 's/(^| )${old}( |$)/\\1${fresh}\\2/g; s/(^| )${old}( |$)/\\1${fresh}\\2/g' > "$t"; cat "$t"; cmp -s "$t" "$t"; grep -qw '${fresh}' "$t"; code=$?; rm "$t"; exit $code`;
  return {
    instruction: `Write an executable program ${name} that copies standard input to standard output and replaces the whole word ${old} by ${fresh} wherever it stands between spaces or the ends of a line; parts of longer words stay. It ends with code 0 when the output has the word ${fresh}, else with 1.`,
    files: [{ path: 'sample.txt', content: given().input }],
    checks: [
      hidden('words', `./${name}`, given()),
      hidden('twice', `./${name}`, { input: `${old} ${old} ${old}\n`, output: `${fresh} ${fresh} ${fresh}\n` }),
      hidden('none', `./${name}`, { input: 'nothing here\n', output: 'nothing here\n', exitCode: 1 }),
    ],
    allow: [name],
    oracle: program(name, right),
    mutants: [
      program(name, `sed 's/${old}/${fresh}/g'`),
      program(name, `sed -E 's/(^| )${old}( |$)/\\1${fresh}\\2/g'`),
      program(name, right.replace('exit $code', 'exit 0')),
    ],
  };
}
