import type { Random } from '../../../core/random.ts';
import type { Check, TerminalTask } from '../world/definition.ts';
import { lines, names, sentence, textCheck, word, words, type TerminalTemplate } from './template.ts';

export const debugTemplates: readonly TerminalTemplate[] = [
  { id: 'debugging/average', split: 'train', about: 'Mend a program that works out averages.', draw: average },
  { id: 'debugging/backup', split: 'train', about: 'Mend a program that fails on names with spaces.', draw: backup },
  { id: 'debugging/three-faults', split: 'test', about: 'Mend a program with three mistakes.', draw: threeFaults },
];

function runs(
  id: string,
  command: string,
  given: { readonly output: string; readonly files?: readonly { path: string; content: string }[] },
): Check {
  const { output, files } = given;
  return {
    id,
    name: `the program is right: ${id}`,
    kind: 'run',
    command,
    output,
    ...(files === undefined ? {} : { files }),
  };
}

/** The divisor counts the header, and the column is the wrong one. */
function average(random: Random): TerminalTask {
  const [name, column] = [word(random), random.pick([2, 3])];
  const table = (count: number): { text: string; mean: number } => {
    const rows = Array.from({ length: count }, (_, at) => [
      random.pick(names(random, 3)),
      (at + 1) * random.between(1, 9),
      random.between(1, 90),
    ]);
    const sum = rows.reduce((total, row) => total + Number(row[column - 1]), 0);
    return { text: lines(['name,hours,score', ...rows.map(row => row.join(','))]), mean: Math.floor(sum / count) };
  };
  const source = (field: number, divisor: string): string =>
    `#!/bin/sh\n# prints the average ${column === 2 ? 'hours' : 'score'}, cut to a whole number\nawk -F, 'NR > 1 { n += $${field} } END { print int(n / ${divisor}) }' "$1"\n`;
  const [shown, one, two] = [table(3), table(5), table(8)];
  const path = `${name}.sh`;
  return {
    instruction: `The program ${path} should print the average of the column ${column === 2 ? 'hours' : 'score'} of a table with a header, cut to a whole number, but what it prints for sample.csv is not ${shown.mean}. Find what is wrong, and mend it. It must work for other tables, too.`,
    files: [
      { path, content: source(column === 2 ? 3 : 2, 'NR'), mode: 0o755 },
      { path: 'sample.csv', content: shown.text },
    ],
    checks: [
      runs('sample', `./${path} sample.csv`, { output: String(shown.mean) }),
      ...[one, two].map((each, at) =>
        runs(`hidden-${at + 1}`, `./${path} .hidden.csv`, {
          output: String(each.mean),
          files: [{ path: '.hidden.csv', content: each.text }],
        }),
      ),
    ],
    allow: [path],
    oracle: [
      `sed -i 's/n += \\$${column === 2 ? 3 : 2}/n += $${column}/' ${path}`,
      `sed -i 's|n / NR|n / (NR - 1)|' ${path}`,
    ],
    mutants: [
      [`printf '#!/bin/sh\\necho ${shown.mean}\\n' > ${path}`],
      [`sed -i 's/n += \\$${column === 2 ? 3 : 2}/n += $${column}/' ${path}`, `sed -i 's|NR > 1|NR > 0|' ${path}`],
      [`sed -i 's|n / NR|n / (NR - 1)|' ${path}`],
    ],
  };
}

function backup(random: Random): TerminalTask {
  const out = word(random);
  const folder = word(random);
  const files = words(random, random.between(2, 3)).map((name, at) => ({
    path: `${folder}/${at === 0 ? name.replace('-', ' ') : name}.txt`,
    content: `${sentence(random)}\n`,
  }));
  const path = `${out}.sh`;
  const source = `#!/bin/sh\n# copies the texts of a folder to a second one, which it makes, and prints how many there are\ncount=0\nmkdir $2\nfor file in $(ls $1/*.txt); do\n  cp $file $2\n  count=$((count + 1))\ndone\necho $count\n`;
  const oracle = [
    `sed -i 's|^for file in .*; do|for file in "$1"/*.txt; do|' ${path}`,
    `sed -i 's|cp \\$file \\$2|cp "$file" "$2"|' ${path}`,
    `sed -i 's|^mkdir \\$2|mkdir -p "$2"|' ${path}`,
  ];
  const listed = files.map(file => file.path.slice(folder.length + 1)).toSorted();
  return {
    instruction: `The program ${path} copies the texts of a folder to another one and prints how many there are, but it fails for names with spaces in them, be they of files or of folders, and when the second folder is there already. Mend it: ./${path} ${folder} copy must work, also twice.`,
    files: [...files, { path, content: source, mode: 0o755 }],
    checks: [
      runs('files', `./${path} ${folder} copy; ls copy`, { output: lines([files.length, ...listed]) }),
      runs('folders', `mv ${folder} 'a b' && ./${path} 'a b' 'c d' && ls 'c d'`, {
        output: lines([files.length, ...listed]),
      }),
      runs('twice', `./${path} ${folder} copy && ./${path} ${folder} copy`, {
        output: lines([files.length, files.length]),
      }),
      textCheck(files[0]?.path as string, files[0]?.content as string),
    ],
    allow: [path],
    oracle,
    mutants: [
      oracle.slice(0, 2),
      [oracle[0] as string, oracle[2] as string],
      [...oracle, `sed -i 's|count + 1|count + 2|' ${path}`],
    ],
  };
}

/** Of several mistakes that a report can have, three are made. */
function threeFaults(random: Random): TerminalTask {
  const out = word(random);
  const faults = [
    { right: 'sort -k2,2nr -k1,1', wrong: 'sort -k2,2r -k1,1' },
    { right: 'head -n "$count"', wrong: 'head -n "$((count - 1))"' },
    { right: '$3 == "sold"', wrong: '$3 ~ "so"' },
    { right: 'sum[$1] += $2', wrong: 'sum[$1] = $2' },
  ];
  const made = random.sample(faults, 3);
  const right = `#!/bin/sh\n# usage: ${out}.sh FILE COUNT   prints the COUNT items with the largest sums of sold pieces, the largest first\ncount=$2\nawk '$3 == "sold" { sum[$1] += $2 } END { for (i in sum) print i, sum[i] }' "$1" | LC_ALL=C sort -k2,2nr -k1,1 | head -n "$count"\n`;
  const broken = made.reduce((text, fault) => text.replace(fault.right, fault.wrong), right);
  const [sample, other] = [salesTable(random), salesTable(random)];
  const shown = (rows: readonly [string, number][], count: number): string =>
    lines(rows.slice(0, count).map(row => row.join(' ')));
  const mend = ({ right: text, wrong }: (typeof faults)[number]): string => {
    const plain = (each: string): string => each.replaceAll(/[\\$.*[\]/&"]/g, String.raw`\$&`);
    return `sed -i '/^awk/s/${plain(wrong)}/${plain(text)}/' ${out}.sh`;
  };
  const oracle = made.map(mend);
  return {
    instruction: `The program ${out}.sh has three mistakes. It should print the COUNT items of a file with the largest sums of sold pieces, the largest first; ./${out}.sh sales.txt 3 should print what expected.txt says. Mend it; it must be right for other files, too.`,
    files: [
      { path: `${out}.sh`, content: broken, mode: 0o755 },
      { path: 'sales.txt', content: sample.text },
      { path: 'expected.txt', content: shown(sample.rows, 3) },
    ],
    checks: [
      runs('sample', `./${out}.sh sales.txt 3`, { output: shown(sample.rows, 3) }),
      runs('hidden', `./${out}.sh .hidden.txt 4`, {
        output: shown(other.rows, 4),
        files: [{ path: '.hidden.txt', content: other.text }],
      }),
    ],
    allow: [`${out}.sh`],
    oracle,
    mutants: [
      [`printf '#!/bin/sh\\ncat expected.txt\\n' > ${out}.sh`],
      oracle.slice(1),
      [...oracle, `sed -i 's/nr/n/' ${out}.sh`],
    ],
  };
}

function salesTable(random: Random): { text: string; rows: [string, number][] } {
  const items = words(random, 5);
  const entries = [...items, ...items].map((item, at) => ({
    item,
    pieces: [9, 12, 30, 101, 7, 4, 2, 15, 3, 8][at] ?? 1,
    state: 'sold',
  }));
  const noise = items.map(item => ({
    item,
    pieces: random.between(1, 40),
    state: random.pick(['returned', 'soiled']),
  }));
  const extra = { item: items[0] as string, pieces: 200, state: 'soiled' };
  const all = random.shuffle([...entries, ...noise, extra]);
  const sums = items.map((item): [string, number] => [
    item,
    entries.filter(entry => entry.item === item).reduce((sum, { pieces }) => sum + pieces, 0),
  ]);
  return {
    text: lines(all.map(({ item, pieces, state }) => `${item} ${pieces} ${state}`)),
    rows: sums.toSorted((one, other) => other[1] - one[1]),
  };
}
