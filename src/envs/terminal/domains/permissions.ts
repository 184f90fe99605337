import type { Random } from '../../../core/random.ts';
import type { TerminalTask } from '../world/definition.ts';
import { lines, modeCheck, sentence, textCheck, word, words, type TerminalTemplate } from './template.ts';

export const permissionTemplates: readonly TerminalTemplate[] = [
  {
    id: 'permissions/three-kinds',
    split: 'train',
    about: 'Set modes of programs, secrets and shared files.',
    draw: threeKinds,
  },
  { id: 'permissions/from-table', split: 'train', about: 'Set the modes that a table asks for.', draw: fromTable },
  { id: 'permissions/close-open', split: 'test', about: 'Find what anybody may write, and close it.', draw: closeOpen },
];

const wrongModes = [0o644, 0o600, 0o755, 0o666, 0o640, 0o777];

function other(random: Random, mode: number): number {
  return random.pick(wrongModes.filter(wrong => wrong !== mode));
}

function octal(mode: number): string {
  return mode.toString(8);
}

function threeKinds(random: Random): TerminalTask {
  const kinds = [
    { ending: 'sh', mode: random.pick([0o755, 0o750, 0o700]), what: 'programs' },
    { ending: 'key', mode: random.pick([0o600, 0o400]), what: 'keys' },
    { ending: 'txt', mode: random.pick([0o644, 0o664, 0o640]), what: 'texts' },
  ];
  const files = kinds.flatMap(({ ending, mode }) =>
    words(random, random.between(1, 3)).map(name => ({ path: `${random.pick(['a', 'b/c'])}/${name}.${ending}`, mode })),
  );
  const rules = kinds.map(({ ending, mode, what }) => `${what} (.${ending}) ${octal(mode)}`).join(', ');
  const oracle = kinds.map(({ ending, mode }) => `find a b -name '*.${ending}' -exec chmod ${octal(mode)} {} +`);
  const [first] = kinds as [(typeof kinds)[number]];
  return {
    instruction: `Set the modes of all files in the folders a and b and in their folders: ${rules}. Files that end otherwise keep their mode.`,
    files: [
      ...files.map(({ path, mode }) => ({ path, mode: other(random, mode), content: `${sentence(random)}\n` })),
      { path: 'a/keep.me', mode: 0o666, content: 'keep\n' },
      { path: 'b/c/keep.me', mode: 0o666, content: 'keep\n' },
    ],
    checks: [...files.map(({ path, mode }) => modeCheck(path, mode)), modeCheck('a/keep.me', 0o666)],
    allow: files.map(({ path }) => path),
    oracle,
    mutants: [
      [...oracle, 'chmod 644 a/keep.me'],
      [`chmod -R ${octal(first.mode)} a b`],
      kinds.map(({ ending, mode }) => `find a b -name '*.${ending}' -exec chmod ${octal(mode ^ 0o100)} {} +`),
    ],
  };
}

function fromTable(random: Random): TerminalTask {
  const rows = words(random, random.between(3, 6)).map(name => ({
    path: `site/${name}`,
    mode: random.pick(wrongModes),
  }));
  const oracle = rows.map(({ path, mode }) => `chmod ${octal(mode)} ${path}`);
  return {
    instruction:
      'The file modes.csv has a line with path and mode, such as site/x,640, for some files of the folder site. Set these modes. Files that are not listed keep theirs.',
    files: [
      { path: 'modes.csv', content: lines(['path,mode', ...rows.map(({ path, mode }) => `${path},${octal(mode)}`)]) },
      ...rows.map(({ path, mode }) => ({ path, mode: other(random, mode), content: `${sentence(random)}\n` })),
      { path: 'site/unlisted', mode: 0o604, content: 'x\n' },
    ],
    checks: [...rows.map(({ path, mode }) => modeCheck(path, mode)), modeCheck('site/unlisted', 0o604)],
    allow: rows.map(({ path }) => path),
    oracle,
    mutants: [
      [...oracle, 'chmod 644 site/unlisted'],
      ['chmod 644 site/*'],
      oracle.map(line => line.replace('chmod ', 'chmod u-r,a+')),
    ],
  };
}

function closeOpen(random: Random): TerminalTask {
  const out = word(random);
  const names = words(random, random.between(5, 8)).map((name, at) => ({
    path: `share/${at % 2 === 0 ? 'in' : 'out'}/${name}`,
    mode: random.pick([0o666, 0o646, 0o644, 0o664, 0o622]),
  }));
  const all = [...names, { path: `share/in/${word(random)}.open`, mode: 0o666 }];
  const open = all.filter(({ mode }) => (mode & 0o002) !== 0);
  const list = lines(open.map(({ path }) => path).toSorted());
  return {
    instruction: `Write the paths of all files below share that others (neither the owner nor the group) may write to ${out}.txt, sorted, one a line, as share/…. Then take this right, and no other one, away from them.`,
    files: all.map(({ path, mode }) => ({ path, mode, content: `${sentence(random)}\n` })),
    checks: [textCheck(`${out}.txt`, list), ...all.map(({ path, mode }) => modeCheck(path, mode & ~0o002))],
    allow: [`${out}.txt`, ...open.map(({ path }) => path)],
    oracle: [`find share -type f -perm -o+w | LC_ALL=C sort > ${out}.txt`, `xargs chmod o-w < ${out}.txt`],
    mutants: [
      [`find share -type f -perm -o+w | LC_ALL=C sort > ${out}.txt`, `xargs chmod 644 < ${out}.txt`],
      [`find share -type f -perm /022 | LC_ALL=C sort > ${out}.txt`, `xargs chmod o-w < ${out}.txt`],
      [`find share -perm -o+w -printf "%f\\n" | LC_ALL=C sort > ${out}.txt`, 'chmod -R o-w share'],
    ],
  };
}
