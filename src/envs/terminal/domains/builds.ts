import type { Random } from '../../../core/random.ts';
import type { TerminalTask } from '../world/definition.ts';
import { lines, sentence, textCheck, word, words, type TerminalTemplate } from './template.ts';

export const buildTemplates: readonly TerminalTemplate[] = [
  {
    id: 'builds/mend-makefile',
    split: 'train',
    about: 'Mend a Makefile that misses a part.',
    needs: ['make'],
    draw: mendMakefile,
  },
  { id: 'builds/add-target', split: 'train', about: 'Add a target to a Makefile.', needs: ['make'], draw: addTarget },
  { id: 'builds/configure', split: 'test', about: 'Build with the right options.', needs: ['make'], draw: configure },
];

function partsOf(random: Random, count: number): { readonly name: string; readonly text: string }[] {
  return words(random, count).map(name => ({ name, text: sentence(random) }));
}

const spaces = '        ';

/** One part is missing among the prerequisites, and a recipe has spaces instead of a tab. */
function mendMakefile(random: Random): TerminalTask {
  const parts = partsOf(random, random.between(3, 5));
  const missing = random.pick(parts);
  const listed = parts.filter(part => part !== missing).map(({ name }) => `parts/${name}.txt`);
  const rule = (names: readonly string[], indent: string): string =>
    `PARTS = ${names.join(' ')}\n\nbook.txt: $(PARTS)\n${indent}cat $(sort $(PARTS)) > book.txt\n\nclean:\n\trm -f book.txt\n`;
  const sorted = parts.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const oracle = [
    `sed -i 's|^PARTS =|PARTS = parts/${missing.name}.txt|' Makefile`,
    `sed -i 's/^${spaces}cat/\\tcat/' Makefile`,
    'make -s book.txt',
  ];
  return {
    instruction:
      'make book.txt should put all files of the folder parts together into book.txt, sorted by name, but the Makefile is broken: make stops with an error, and one of the parts is not listed in PARTS. Mend the Makefile, and build book.txt with it.',
    files: [
      { path: 'Makefile', content: rule(listed, spaces) },
      ...parts.map(({ name, text }) => ({ path: `parts/${name}.txt`, content: `${text}\n` })),
    ],
    checks: [
      textCheck('book.txt', lines(sorted.map(({ text }) => text))),
      {
        id: 'rebuilds',
        name: 'make follows a change of the missing part',
        kind: 'run',
        command: `rm -f book.txt && echo changed > parts/${missing.name}.txt && make -s book.txt && cat book.txt`,
        output: lines(sorted.map(part => (part === missing ? 'changed' : part.text))),
      },
    ],
    allow: ['Makefile', 'book.txt'],
    oracle,
    mutants: [
      ['cat parts/*.txt > book.txt'],
      [`sed -i 's/^${spaces}cat/\\tcat/' Makefile`, 'cat parts/*.txt > book.txt'],
      [...oracle.slice(0, 2), 'make -s book.txt', 'rm parts/*'],
    ],
  };
}

function addTarget(random: Random): TerminalTask {
  const parts = partsOf(random, random.between(2, 4));
  const target = word(random);
  const sorted = parts.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const text = lines(sorted.map(part => part.text.toUpperCase()));
  const recipe = `${target}.out: $(wildcard src/*.txt)`;
  return {
    instruction: `Add a target ${target}.out to the Makefile that depends on all files src/*.txt and writes them, sorted by name, in capital letters to ${target}.out. The target all must build it as well as info.out. Then run make.`,
    files: [
      { path: 'Makefile', content: 'all: info.out\n\ninfo.out:\n\techo built > info.out\n' },
      ...parts.map(part => ({ path: `src/${part.name}.txt`, content: `${part.text}\n` })),
    ],
    checks: [
      textCheck(`${target}.out`, text),
      textCheck('info.out', 'built'),
      {
        id: 'follows',
        name: 'make builds it anew when a source changes',
        kind: 'run',
        command: `make -s && sleep 0.05 && echo zzz > src/zzz.txt && make -s && tail -1 ${target}.out`,
        output: 'ZZZ',
      },
    ],
    allow: ['Makefile', '*.out'],
    oracle: [
      `sed -i 's/^all:.*/all: info.out ${target}.out/' Makefile`,
      `printf '\\n${recipe}\\n\\tcat $(sort $^) | tr a-z A-Z > $@\\n' >> Makefile`,
      'make -s',
    ],
    mutants: [
      [`cat src/*.txt | tr a-z A-Z > ${target}.out`, 'make -s'],
      [
        `printf '\\n${target}.out:\\n\\tcat src/*.txt | tr a-z A-Z > $@\\n' >> Makefile`,
        `sed -i 's/^all:.*/all: info.out ${target}.out/' Makefile`,
        'make -s',
      ],
      [
        `printf '\\n${recipe}\\n\\tcat $(sort $^) > $@\\n' >> Makefile`,
        `sed -i 's/^all:.*/all: info.out ${target}.out/' Makefile`,
        'make -s',
      ],
    ],
  };
}

function configure(random: Random): TerminalTask {
  const [first, second, third] = words(random, 3) as [string, string, string];
  const [speed, mode] = [random.between(10, 99), random.pick(['fast', 'safe', 'small'])];
  const wanted = random.sample([first, second, third], 2).toSorted();
  const makefile = `include config.mk\n\napp: $(FEATURES:%=features/%.txt)\n\t@echo "mode $(MODE) speed $(SPEED)" > app\n\t@cat $(sort $^) >> app\n`;
  const texts = Object.fromEntries([first, second, third].map(name => [name, sentence(random)]));
  return {
    instruction: `The Makefile reads config.mk, which is not there yet. Write it so that make builds the file app with the features ${wanted.join(' and ')}, the mode ${mode} and the speed ${speed}: it sets FEATURES, MODE and SPEED. Then build app, and write the number of its lines to app.lines.`,
    files: [
      { path: 'Makefile', content: makefile },
      ...Object.entries(texts).map(([name, text]) => ({ path: `features/${name}.txt`, content: `${text}\n` })),
    ],
    checks: [
      textCheck('app', lines([`mode ${mode} speed ${speed}`, ...wanted.map(name => texts[name] as string)])),
      textCheck('app.lines', '3'),
      {
        id: 'builds',
        name: 'make builds it again',
        kind: 'run',
        command: 'rm app && make -s app && head -1 app',
        output: `mode ${mode} speed ${speed}`,
      },
    ],
    allow: ['config.mk', 'app', 'app.lines'],
    oracle: [
      `printf 'FEATURES = ${wanted.join(' ')}\\nMODE = ${mode}\\nSPEED = ${speed}\\n' > config.mk`,
      'make -s app',
      'wc -l < app > app.lines',
    ],
    mutants: [
      [
        `printf 'FEATURES = ${wanted[0]}\\nMODE = ${mode}\\nSPEED = ${speed}\\n' > config.mk`,
        'make -s app',
        'echo 3 > app.lines',
      ],
      [
        `printf 'FEATURES = ${wanted.join(' ')}\\nMODE = ${mode}\\n' > config.mk`,
        'make -s app',
        'wc -l < app > app.lines',
      ],
      [
        `printf 'FEATURES = ${wanted.join(' ')}\\nMODE = ${mode}\\nSPEED = ${speed}\\n' > config.mk`,
        'make -s app',
        'rm config.mk',
        'echo 3 > app.lines',
      ],
    ],
  };
}
