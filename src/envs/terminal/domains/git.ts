import type { Random } from '../../../core/random.ts';
import type { Check, TerminalTask } from '../world/definition.ts';
import { lines, sentence, textCheck, word, words, type TerminalTemplate } from './template.ts';

export const gitTemplates: readonly TerminalTemplate[] = [
  {
    id: 'git/restore-file',
    split: 'train',
    about: 'Bring back a file that a commit removed.',
    needs: ['git'],
    draw: restoreFile,
  },
  {
    id: 'git/pick-fix',
    split: 'train',
    about: 'Take one commit of another branch over.',
    needs: ['git'],
    draw: pickFix,
  },
  {
    id: 'git/tag-release',
    split: 'test',
    about: 'Tag the commit that set a version.',
    needs: ['git'],
    draw: tagRelease,
  },
];

const inRepository = (command: string): string => `git -C project ${command}`;

function gitCheck(id: string, command: string, output: string): Check {
  return { id, name: `git ${command}`, kind: 'run', command: inRepository(command), output };
}

function commit(files: Readonly<Record<string, string>>, message: string): string {
  const writes = Object.entries(files).map(([path, text]) => `printf '%s\\n' '${text}' > ${path}`);
  return ['cd project', ...writes, 'git add -A', `git commit -q -m '${message}'`].join(' && ');
}

/** Several files were removed at different times; one of them is wanted as it last was. */
function restoreFile(random: Random): TerminalTask {
  const names = words(random, 4).map(name => `${name}.txt`) as [string, string, string, string];
  const [wanted, other, ...rest] = names;
  const [first, last] = [sentence(random), sentence(random)] as const;
  const setup = [
    'git init -q project',
    commit(
      Object.fromEntries([wanted, ...rest].map(name => [name, name === wanted ? first : sentence(random)])),
      `add ${rest[0]}`,
    ),
    commit({ [wanted]: last, [other]: sentence(random) }, `change ${wanted}`),
    `cd project && git rm -q ${wanted} && git commit -q -m 'tidy up'`,
    `cd project && git rm -q ${other} && git commit -q -m 'tidy up again'`,
    commit({ [rest[0]]: sentence(random) }, `change ${rest[0]}`),
  ];
  const message = `restore ${wanted}`;
  const find = `$(git -C project rev-list -n 1 HEAD -- ${wanted})`;
  return {
    instruction: `In the git repository project the file ${wanted} was removed by some commit. Bring it back as it was just before that commit, and commit it to the current branch with the message "${message}". The other files and commits stay as they are.`,
    files: [],
    setup,
    checks: [
      textCheck(`project/${wanted}`, last),
      gitCheck('message', 'log -1 --format=%s', message),
      gitCheck('parent', 'log -1 --skip=1 --format=%s', `change ${rest[0]}`),
      gitCheck('files', 'show --name-status --format= HEAD', `A\t${wanted}`),
      gitCheck('clean', 'status --porcelain', ''),
    ],
    allow: ['project/**'],
    oracle: [`git -C project checkout -q ${find}~1 -- ${wanted}`, `git -C project commit -q -m '${message}'`],
    mutants: [
      [`git -C project checkout -q ${find}~2 -- ${wanted}`, `git -C project commit -q -m '${message}'`],
      [`git -C project checkout -q ${find}~1 -- ${wanted}`, `git -C project commit -q -m 'restore'`],
      [`git -C project reset -q --hard ${find}~1`, `git -C project commit -q --allow-empty -m '${message}'`],
    ],
  };
}

function pickFix(random: Random): TerminalTask {
  const [main, ...others] = words(random, 4).map(name => `${name}.txt`) as [string, string, string, string];
  const branch = word(random);
  const fixed = sentence(random);
  const at = random.between(0, others.length);
  const own = others.map(name => commit({ [name]: sentence(random) }, `add ${name}`));
  const message = `fix the text of ${main}`;
  const setup = [
    'git init -q project',
    commit({ [main]: sentence(random), 'notes.md': sentence(random) }, 'begin'),
    `cd project && git switch -q -c ${branch}`,
    ...own.slice(0, at),
    commit({ [main]: fixed }, message),
    ...own.slice(at),
    'cd project && git switch -q main',
    commit({ 'notes.md': sentence(random) }, 'more notes'),
  ];
  const find = `$(git -C project log ${branch} --grep='^fix the text' --format=%H)`;
  return {
    instruction: `The branch ${branch} of the git repository project has one commit that fixes the text of ${main}. Take only this commit over to the branch main, with its message, and then delete the branch ${branch}.`,
    files: [],
    setup,
    checks: [
      textCheck(`project/${main}`, fixed),
      gitCheck('subjects', 'log main --format=%s', lines([message, 'more notes', 'begin'])),
      gitCheck('branches', 'branch --format=%(refname:short)'.replace('%(', "'%(").concat("'"), 'main'),
      gitCheck('clean', 'status --porcelain', ''),
    ],
    allow: ['project/**'],
    oracle: [`git -C project cherry-pick ${find} > /dev/null`, `git -C project branch -q -D ${branch}`],
    mutants: [
      [`git -C project merge -q ${branch} -m merge`, `git -C project branch -q -D ${branch}`],
      [`git -C project cherry-pick -n ${find}`, `git -C project branch -q -D ${branch}`],
      [`git -C project switch -q ${branch}`, 'git -C project branch -q -D main'],
    ],
  };
}

function tagRelease(random: Random): TerminalTask {
  const count = random.between(4, 7);
  const versions = Array.from({ length: count }, (_, at) => `1.${at}.${random.between(0, 9)}`);
  const at = random.between(0, count - 2);
  const version = versions[at] as string;
  const notes = `release ${version}`;
  const setup = [
    'git init -q project',
    ...versions.flatMap(each => [
      commit({ VERSION: each }, 'set the version'),
      commit({ [`${word(random)}.txt`]: sentence(random) }, 'work'),
    ]),
  ];
  const find = `$(git -C project log --format=%H -S${version} --reverse -- VERSION | head -1)`;
  return {
    instruction: `In the git repository project the file VERSION holds the version. Find the commit that set it to ${version}, and put the annotated tag v${version} on it with the message "${notes}". Then write the subject and the number of files of that commit's tree, as in "set the version 3", to the file release.txt.`,
    files: [],
    setup,
    checks: [
      gitCheck('tag', `show v${version}:VERSION`, version),
      gitCheck('annotated', `cat-file -t v${version}`, 'tag'),
      gitCheck('message', `tag -l --format='%(contents:subject)' v${version}`, notes),
      gitCheck('place', `log -1 --format=%s v${version}^{commit}`, 'set the version'),
      textCheck('release.txt', `set the version ${at + 1}`),
      gitCheck('clean', 'status --porcelain', ''),
    ],
    allow: ['project/**', 'release.txt'],
    oracle: [
      `git -C project tag -a v${version} -m '${notes}' ${find}`,
      `echo "set the version $(git -C project ls-tree -r --name-only v${version} | wc -l)" > release.txt`,
    ],
    mutants: [
      [`git -C project tag -a v${version} -m '${notes}'`, `echo "set the version ${at + 1}" > release.txt`],
      [`git -C project tag v${version} ${find}`, `echo "set the version ${at + 1}" > release.txt`],
      [`git -C project tag -a v${version} -m '${notes}' ${find}`, `echo "set the version ${at + 2}" > release.txt`],
    ],
  };
}
