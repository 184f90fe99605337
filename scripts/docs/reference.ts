import { readProgramHelp } from './program-help.ts';

interface Entry {
  readonly term: string;
  readonly about: string;
}

interface VerbHelp {
  readonly usage: string;
  readonly about: string;
  readonly parts: ReadonlyMap<string, readonly Entry[]>;
  readonly examples: readonly string[];
}

/** The page `docs/reference.md`, from what the program prints for `--help`. */
export async function renderReference(): Promise<string> {
  const help = await readProgramHelp();
  const top = readHelp(help.program);
  const verbs = [...help.verbs.keys()];
  const pages = [...help.verbs].map(([verb, text]) => renderVerb(verb, readHelp(text)));
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
    ...renderEntries('Options of every verb', top.parts.get('Options') ?? []),
    ...verbs.map(verb => `- [${verb}](#${verb})`),
    '',
    ...pages,
  ].join('\n');
}

function readHelp(text: string): VerbHelp {
  const [usage = '', about = '', ...rest] = text.trim().split('\n\n');
  const parts = new Map<string, readonly Entry[]>();
  let examples: string[] = [];
  for (const part of rest) {
    const [head = '', ...lines] = part.split('\n');
    if (head === 'Examples:') examples = lines.map(line => line.trim());
    else parts.set(head.replace(':', ''), readEntries(lines));
  }
  return { usage: joined(usage).replace('Usage: ', ''), about: joined(about), parts, examples };
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

function renderVerb(verb: string, { usage, about, parts, examples }: VerbHelp): string {
  return [
    `## ${verb}`,
    '',
    about,
    '',
    '```text',
    usage,
    '```',
    '',
    ...renderEntries('Argument', parts.get('Arguments') ?? []),
    ...renderEntries(
      'Option',
      (parts.get('Options') ?? []).filter(({ term }) => term !== '-h, --help'),
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
