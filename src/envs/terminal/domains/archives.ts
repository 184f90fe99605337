import type { Random } from '../../../core/random.ts';
import type { TerminalTask } from '../world/definition.ts';
import { absentCheck, lines, sentence, textCheck, word, words, type TerminalTemplate } from './template.ts';

export const archiveTemplates: readonly TerminalTemplate[] = [
  { id: 'archives/take-out', split: 'train', about: 'Take listed files out of an archive.', draw: takeOut },
  { id: 'archives/pack-logs', split: 'train', about: 'Pack some files and remove them.', draw: packLogs },
  { id: 'archives/mend-copy', split: 'test', about: 'Mend a folder from its archive.', draw: mendCopy },
];

/** The same bytes whenever it is made. */
const pack = 'tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner';

function someFiles(random: Random, count: number): { readonly path: string; readonly content: string }[] {
  return words(random, count).map((name, at) => ({
    path: `${at % 2 === 0 ? 'docs' : 'data'}/${name}.txt`,
    content: `${sentence(random)}\n`,
  }));
}

function takeOut(random: Random): TerminalTask {
  const files = someFiles(random, random.between(5, 8));
  const wanted = random.sample(files, random.between(2, 3));
  const kept = files.map(({ path }) => path).join(' ');
  const folder = word(random);
  const list = lines(wanted.map(({ path }) => path));
  return {
    instruction: `Take the files that wanted.txt lists out of the archive backup.tar.gz, into the folder ${folder} with their folders as in the archive, and nothing else. Then write their number to ${folder}/COUNT.`,
    files: [...files, { path: 'wanted.txt', content: list }],
    setup: [`${pack} -cf backup.tar ${kept} && gzip -n backup.tar && rm -r docs data`],
    checks: [
      ...wanted.map(({ path, content }) => textCheck(`${folder}/${path}`, content)),
      ...files.filter(file => !wanted.includes(file)).map(({ path }) => absentCheck(`${folder}/${path}`)),
      textCheck(`${folder}/COUNT`, String(wanted.length)),
    ],
    allow: [folder, `${folder}/**`],
    oracle: [
      `mkdir ${folder}`,
      `tar -xzf backup.tar.gz -C ${folder} -T wanted.txt`,
      `wc -l < wanted.txt > ${folder}/COUNT`,
    ],
    mutants: [
      [`mkdir ${folder}`, `tar -xzf backup.tar.gz -C ${folder}`, `wc -l < wanted.txt > ${folder}/COUNT`],
      ['tar -xzf backup.tar.gz -T wanted.txt', `mkdir ${folder}`, `wc -l < wanted.txt > ${folder}/COUNT`],
      [
        `mkdir ${folder}`,
        `tar -xzf backup.tar.gz -C ${folder} -T wanted.txt`,
        `tar -tzf backup.tar.gz | wc -l > ${folder}/COUNT`,
      ],
    ],
  };
}

function packLogs(random: Random): TerminalTask {
  const name = word(random);
  const logs = words(random, random.between(2, 5)).map(each => ({
    path: `app/${each}.log`,
    content: `${sentence(random)}\n`,
  }));
  const others = words(random, 2).map(each => ({ path: `app/${each}.conf`, content: `${sentence(random)}\n` }));
  const listed = lines(logs.map(({ path }) => path.slice('app/'.length)).toSorted());
  const archive = `${name}.tar.gz`;
  return {
    instruction: `Pack the files of the folder app that end in .log into the archive ${archive}, without a folder in their names, and then remove them from app. The other files stay.`,
    files: [...logs, ...others],
    checks: [
      {
        id: 'names',
        name: `${archive} has the logs`,
        kind: 'run',
        command: `tar -tzf ${archive} | sed 's|^\\./||' | sort`,
        output: listed,
      },
      {
        id: 'contents',
        name: `${archive} has their texts`,
        kind: 'run',
        command: `mkdir -p /tmp/out && tar -xzf ${archive} -C /tmp/out && cd /tmp/out && cat $(ls | sort)`,
        output: logs
          .toSorted((one, other) => (one.path < other.path ? -1 : 1))
          .map(({ content }) => content)
          .join(''),
      },
      ...logs.map(({ path }) => absentCheck(path)),
    ],
    allow: [archive, 'app/*.log'],
    incidental: ['**/*.tar.gz'],
    oracle: [`(cd app && ${pack} -czf ../${archive} *.log)`, 'rm app/*.log'],
    mutants: [
      [`tar -czf ${archive} app/*.log`, 'rm app/*.log'],
      [`(cd app && tar -czf ../${archive} *)`, 'rm app/*.log'],
      [`(cd app && tar -czf ../${archive} *.log)`, 'rm -r app'],
    ],
  };
}

/** Some files of a folder were changed, one was removed and one was added since it was packed. */
function mendCopy(random: Random): TerminalTask {
  const out = word(random);
  const files = someFiles(random, random.between(5, 7));
  const [changed, gone, ...rest] = random.shuffle(files) as [(typeof files)[number], (typeof files)[number]];
  const added = `docs/${word(random)}.new`;
  const names = files.map(({ path }) => path).join(' ');
  const report = lines([changed.path, gone.path].toSorted());
  const differing =
    "tar -df backup.tar 2>&1 | grep -E 'Size differs|Contents differ|Cannot stat' | grep -o '\\(docs\\|data\\)/[^: ]*\\.txt' | LC_ALL=C sort -u";
  return {
    instruction: `The archive backup.tar holds the files of the folders docs and data as they should be. Some of them were changed or removed since. Write the names of the files that differ from the archive or are missing, sorted, one a line, to ${out}.list. Then bring exactly those back from the archive. Files that the archive does not have stay.`,
    files,
    setup: [
      `${pack} -cf backup.tar ${names} && rm -r docs data && tar -xf backup.tar && rm ${gone.path} && echo spoiled > ${changed.path} && echo new > ${added}`,
    ],
    checks: [
      textCheck(`${out}.list`, report),
      textCheck(changed.path, changed.content),
      textCheck(gone.path, gone.content),
      textCheck(added, 'new\n'),
      ...rest.map(({ path, content }) => textCheck(path, content)),
    ],
    allow: [`${out}.list`, changed.path, gone.path],
    oracle: [`${differing} > ${out}.list`, `tar -xf backup.tar -T ${out}.list`],
    mutants: [
      ['tar -xf backup.tar', `${differing} > ${out}.list`],
      [`${differing} > ${out}.list`, 'tar -xf backup.tar', 'rm docs/*.new'],
      [`echo ${changed.path} > ${out}.list`, 'tar -xf backup.tar'],
    ],
  };
}
