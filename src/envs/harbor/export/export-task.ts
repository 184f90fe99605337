import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TerminalTemplate } from '../../terminal/domains/template.ts';
import { drawTask } from '../../terminal/environment.ts';
import type { InitialFile, Sandboxes } from '../../terminal/sandbox/sandbox.ts';
import type { Check, TerminalTask } from '../../terminal/world/definition.ts';
import { alwaysIncidental, createWorld, environmentOf } from '../../terminal/world/world.ts';
import { patternSource } from '../../terminal/world/tree.ts';
import { verifierSource } from './verifier-source.ts';

export interface ExportOptions {
  readonly sandboxes: Sandboxes;
  readonly template: TerminalTemplate;
  readonly seed: number;
  /** The folder of the task. */
  readonly folder: string;
}

const answerFile = 'answer.txt';
const listing = `cd && find . -mindepth 1 -printf '%y %m %p\\0%l\\0' && echo && find . -type f -exec sha256sum -z {} +`;

/** Writes a task of a terminal world as a task folder of Harbor: a Dockerfile, tests and the solution. */
export async function exportTask({ sandboxes, template, seed, folder }: ExportOptions): Promise<void> {
  const task = drawTask(template, seed);
  const start = await startOf(sandboxes, task);
  const { home } = sandboxes;
  const files: Record<string, string | Uint8Array> = {
    'task.toml': configOf(template, seed),
    'instruction.md': `${instructionOf(task)}\n`,
    'environment/Dockerfile': dockerfileOf(task, template, home),
    'solution/solve.sh': solutionOf(task, home),
    'tests/test.sh': '#!/bin/bash\npython3 /tests/verify.py\n',
    'tests/verify.py': verifierSource,
    'tests/checks.json': JSON.stringify(checksOf(task, home, start), null, 1),
  };
  for (const { path, content } of task.files)
    if (content !== undefined) files[`environment/files/${path}`] = content as string;
  for (const [path, content] of Object.entries(files)) {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
  }
}

function instructionOf({ instruction, answer }: TerminalTask): string {
  const where = 'You work in /home/user, as the user "user".';
  return answer === undefined
    ? `${instruction}\n\n${where}`
    : `${instruction}\n\n${where} Write the answer to /home/user/${answerFile}.`;
}

function configOf({ id, about }: TerminalTemplate, seed: number): string {
  const name = `espalier/${id.replaceAll(/[^\w-]/g, '-')}-${seed}`;
  return [
    'schema_version = "1.1"',
    '',
    '[task]',
    `name = ${JSON.stringify(name)}`,
    `description = ${JSON.stringify(about)}`,
    '',
    '[metadata]',
    `category = ${JSON.stringify(id.split('/')[0])}`,
    '',
    '[verifier]',
    'timeout_sec = 300.0',
    // The verifier runs commands of the agent's as its user, and itself as root.
    'user = "root"',
    '',
    '[agent]',
    'timeout_sec = 600.0',
    'user = "user"',
    '',
  ].join('\n');
}

function dockerfileOf(task: TerminalTask, { needs = [] }: TerminalTemplate, home: string): string {
  const packages = ['python3', ...needs.map(name => packageOf[name] ?? name)];
  const variables = Object.entries(environmentOf(home)).filter(([name]) => name !== 'PATH' && name !== 'HOME');
  const special = task.files.filter(({ content }) => content === undefined);
  const modes = task.files.filter(({ mode, link }) => mode !== undefined && link === undefined);
  const inHome = (path: string): string => quoted(`${home}/${path}`);
  const commands = [
    ...special.map(({ path, link }) =>
      link === undefined ? `mkdir -p ${inHome(path)}` : makeLink(inHome(path), link),
    ),
    ...modes.toReversed().map(({ path, mode }) => `chmod ${(mode ?? 0).toString(8)} ${inHome(path)}`),
    ...(task.setup ?? []).map(command => `(cd ${home} && ${command}\n)`),
  ];
  return [
    'FROM debian:bookworm-slim',
    `RUN apt-get update && apt-get install -y --no-install-recommends ${[...new Set(packages)].join(' ')} && rm -rf /var/lib/apt/lists/*`,
    'RUN useradd --uid 1000 --user-group --create-home --skel /dev/null --shell /bin/bash user && chmod 755 /home/user',
    "RUN printf '[init]\\n\\tdefaultBranch = main\\n[gc]\\n\\tauto = 0\\n[core]\\n\\tpager = cat\\n' > /etc/gitconfig",
    ...variables.map(([name, value]) => `ENV ${name}=${JSON.stringify(value)}`),
    `WORKDIR ${home}`,
    ...(task.files.some(({ content }) => content !== undefined) ? [`COPY --chown=1000:1000 files/ ${home}/`] : []),
    'USER user',
    `ENV HOME=${home}`,
    ...(commands.length === 0 ? [] : [`RUN bash -e <<'END_OF_SETUP'\n${commands.join('\n')}\nEND_OF_SETUP`]),
    '',
  ].join('\n');
}

const packageOf: Readonly<Record<string, string>> = {
  gcc: 'gcc',
  sqlite3: 'sqlite3',
  make: 'make',
  git: 'git',
  xxd: 'xxd',
  nc: 'netcat-openbsd',
};

function makeLink(path: string, target: string): string {
  return `mkdir -p "$(dirname ${path})" && ln -s ${quoted(target)} ${path}`;
}

function solutionOf({ oracle, answer }: TerminalTask, home: string): string {
  const answered = answer === undefined ? [] : [`printf '%s\\n' ${quoted(answer)} > ${home}/${answerFile}`];
  return ['#!/bin/bash', `cd ${home}`, ...oracle, ...answered, ''].join('\n');
}

type Start = Readonly<Record<string, readonly (string | number)[]>>;

function checksOf(task: TerminalTask, home: string, start: Start): unknown {
  const answered: Check[] =
    task.answer === undefined
      ? []
      : [{ id: 'answer', name: 'the answer is right', kind: 'text', path: answerFile, text: task.answer }];
  return {
    home,
    environment: { ...environmentOf(home) },
    start,
    allow: [...task.allow, ...(task.answer === undefined ? [] : [answerFile])].map(patternSource),
    incidental: [...alwaysIncidental, ...(task.incidental ?? [])].map(patternSource),
    checks: [...task.checks, ...answered].map(check =>
      check.kind === 'run' && check.files !== undefined ? { ...check, files: check.files.map(plainFile) } : check,
    ),
  };
}

function plainFile({ path, content, link, mode = 0o644 }: InitialFile): unknown {
  if (link !== undefined) return { path, link };
  return content === undefined ? { path } : { path, mode, content: Buffer.from(content as string).toString('hex') };
}

/** Every file of the home at the start, as the verifier sees files. */
async function startOf(sandboxes: Sandboxes, task: TerminalTask): Promise<Start> {
  const world = await createWorld(sandboxes, task);
  try {
    const { ran } = await world.run(world.start, { kind: 'run', command: listing });
    const [listed = '', hashed = ''] = ran.output.toString().split('\0\n');
    const hashes = new Map(hashed.split('\0').map(line => [line.slice(66), line.slice(0, 64)]));
    const parts = `${listed}\0`.split('\0');
    const found: Record<string, (string | number)[]> = {};
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const [, type = '', mode = '', path = ''] = /^(.) (\d+) (.*)$/s.exec(parts[at] as string) ?? [];
      const bits = Number.parseInt(mode, 8);
      if (type === 'd') found[path.slice(2)] = ['folder', bits];
      else if (type === 'l') found[path.slice(2)] = ['link', parts[at + 1] as string];
      else if (type === 'f') found[path.slice(2)] = ['file', bits, hashes.get(path) ?? ''];
    }
    return found;
  } finally {
    await world.close();
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
