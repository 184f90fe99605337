import { allSettings } from '../../src/cli/settings/show-settings.ts';
import { readProgramHelp } from './program-help.ts';

interface Entry {
  readonly term: string;
  readonly about: string;
}

interface VerbHelp {
  readonly usage: string;
  readonly about: string;
  readonly parts: ReadonlyMap<string, readonly Entry[]>;
}

/** The page `docs/reference.md`, from what the program prints for `--help`. */
export async function renderReference(): Promise<string> {
  const help = await readProgramHelp();
  const verbs = [...help.verbs.keys()];
  const pages = [...help.verbs].map(([verb, text]) => renderVerb(verb, readHelp(text), help.examples.get(verb) ?? []));
  return [
    '# Reference',
    '',
    '<!-- Written by `npm run docs` from the help of the program. Do not edit. -->',
    '',
    'Every verb of `espalier`. Run them with `npx espalier <verb>`.',
    '',
    'Exit codes: 0, the verb did what you asked for; 1, it ran and the result is negative (a check failed, an episode did not pass);',
    '2, the input was wrong, and the message says what was expected.',
    '',
    'Every verb takes `--help`, and `--debug`, which shows the stack of an error. `espalier --version` prints the version.',
    '`--set name=value` gives any of the [settings](#settings).',
    '',
    ...verbs.map(verb => `- [${verb}](#${verb})`),
    '',
    ...pages,
    ...renderSettings(),
  ].join('\n');
}

function renderSettings(): string[] {
  const rows = allSettings().map(({ path, type, usual, about, kinds, verbs }) => [
    `\`${path}\``,
    type,
    usual,
    `${about}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`,
    verbs.join(', '),
  ]);
  return [
    '## Settings',
    '',
    'What has no option of its own: `--set strategy.width=4`, which may be repeated, or a file of JSON or TOML with `--config`,',
    'such as `{ "strategy": { "width": 4 } }`. `espalier help settings` prints this table.',
    '',
    '| Setting | Value | Default | | Verbs |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(row => `| ${row.map(escaped).join(' | ')} |`),
    '',
  ];
}

function readHelp(text: string): VerbHelp {
  const [usage = '', about = '', ...rest] = text.trim().split('\n\n');
  const parts = new Map<string, readonly Entry[]>();
  for (const part of rest) {
    const [head = '', ...lines] = part.split('\n');
    if (!head.startsWith('Example: ')) parts.set(head.replace(':', ''), readEntries(lines));
  }
  return { usage: joined(usage).replace('Usage: ', ''), about: joined(about), parts };
}

/** Two columns; a line that is indented as far as the second column goes on with the entry above. */
function readEntries(lines: readonly string[]): Entry[] {
  const entries: { term: string; about: string }[] = [];
  for (const line of lines) {
    const match = /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(line);
    if (match !== null) entries.push({ term: match[1] as string, about: match[2] ?? '' });
    else {
      const last = entries.at(-1);
      if (last !== undefined) last.about = `${last.about} ${line.trim()}`.trim();
    }
  }
  return entries;
}

function renderVerb(verb: string, { usage, about, parts }: VerbHelp, examples: readonly string[]): string {
  const options = [...parts].filter(([head]) => head !== 'Arguments');
  return [
    `## ${verb}`,
    '',
    escaped(about),
    '',
    '```text',
    usage,
    '```',
    '',
    ...renderEntries('Argument', parts.get('Arguments') ?? []),
    ...options.flatMap(([head, entries]) =>
      renderEntries(
        head === 'Options' ? 'Option' : head,
        entries.filter(({ term }) => term !== '-h, --help'),
      ),
    ),
    'Examples:',
    '',
    '```text',
    ...examples,
    '```',
    '',
  ].join('\n');
}

function renderEntries(head: string, entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [];
  return [
    `| ${head} | |`,
    '| --- | --- |',
    ...entries.map(({ term, about }) => `| \`${term.replaceAll('|', '\\|')}\` | ${escaped(about)} |`),
    '',
  ];
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function joined(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
