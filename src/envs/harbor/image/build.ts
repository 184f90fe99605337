import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { storedLayer } from '../../terminal/sandbox/layered-sandboxes.ts';
import { usualLimits, type Limits, type Pool } from '../../terminal/sandbox/sandbox.ts';
import { findBase } from './bases.ts';
import { contextPlace, copyScript, documentText, openContext, type Context } from './context.ts';
import { parseDockerfile, readPairs, replaceVariables, splitWords, type Instruction } from './dockerfile.ts';
import { shortHash, supplyVariables, type PackageCache, type Supplies } from './package-cache.ts';
import { packagesPlace } from './shims.ts';
import { wantedPackages } from './wanted-packages.ts';

/** A Dockerfile as frozen layers, and what a shell in it begins with. */
export interface Image {
  /** Ids of layers, the newest first. */
  readonly layers: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly user: string;
  /** Stands for all that it was made from. */
  readonly key: string;
}

export interface Built {
  /** Null when it does not build. */
  readonly image: Image | null;
  /** What could not be done, line by line. */
  readonly problems: readonly string[];
  /** What is not quite what the lines say. */
  readonly remarks: readonly string[];
}

export interface BuildOptions {
  /** Where the context lies. */
  readonly folder: string;
  readonly dockerfile: string;
  /** A folder for layers that stay. */
  readonly store: string;
  readonly packages: PackageCache;
  readonly pool: Pool;
  readonly seconds: number;
  /** Scripts of the task that run later: what they install is fetched as well. */
  readonly scripts: readonly string[];
}

const basePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Limits of a container: those of its tasks are on time and memory. */
export function containerLimits(seconds: number): Limits {
  return {
    ...usualLimits,
    wallSeconds: seconds,
    cpuSeconds: Math.ceil(seconds * 2),
    memoryBytes: 32 * 2 ** 30,
    processes: 1024,
    openFiles: 4096,
    fileBytes: 4 * 2 ** 30,
    outputBytes: 8 * 2 ** 20,
  };
}

export const packageFolders = [['packages', packagesPlace]] as const;

/** Says nothing; changes nothing of a machine that others share. */
const ignored = new Set([
  'LABEL',
  'EXPOSE',
  'CMD',
  'ENTRYPOINT',
  'HEALTHCHECK',
  'MAINTAINER',
  'STOPSIGNAL',
  'VOLUME',
  'ONBUILD',
]);
const known = new Set([...ignored, 'FROM', 'RUN', 'COPY', 'ADD', 'WORKDIR', 'ENV', 'ARG', 'USER', 'SHELL']);

interface Stage {
  readonly name: string | null;
  layers: string[];
  key: string;
  variables: Record<string, string>;
  args: Record<string, string>;
  folder: string;
  user: string;
  shell: readonly string[];
  /** Commands that wait for the next layer, with the lines that they come from. */
  waiting: { readonly line: number; readonly script: string; readonly content: string }[];
}

interface Build extends BuildOptions {
  readonly context: Context;
  readonly stages: Stage[];
  readonly remarks: string[];
  supplies: Supplies;
}

/** Interprets a Dockerfile: every step runs in the sandbox, without a network, over the layers of the steps before. */
export async function buildImage(options: BuildOptions): Promise<Built> {
  const instructions = parseDockerfile(readFileSync(options.dockerfile, 'utf8'));
  const unknown = instructions.filter(({ name }) => !known.has(name));
  const problems = unknown.map(({ line, name }) => `line ${line}: there is no instruction ${name}`);
  if (instructions.find(({ name }) => name !== 'ARG')?.name !== 'FROM') problems.push('line 1: FROM must come first');
  if (problems.length > 0) return { image: null, problems, remarks: [] };
  const context = openContext(options.folder, options.store);
  const supplies = await options.packages.fetch(wantedOf(instructions, options, context));
  const build: Build = {
    ...options,
    context,
    stages: [],
    remarks: supplies.missing.map(each => `not fetched: ${each}`),
    supplies,
  };
  const globals: Record<string, string> = {};
  try {
    for (const instruction of instructions) {
      if (instruction.name === 'ARG' && build.stages.length === 0) addArguments(globals, instruction, globals);
      else await obey(build, instruction, globals);
    }
    const last = build.stages.at(-1) as Stage;
    await flush(build, last);
    return { image: imageOf(build, last), problems: [], remarks: build.remarks };
  } catch (cause) {
    if (!(cause instanceof LineProblem)) throw cause;
    return { image: null, problems: [cause.message], remarks: build.remarks };
  } finally {
    context.close();
  }
}

class LineProblem extends Error {
  constructor(line: number, text: string) {
    super(`line ${line}: ${text}`);
  }
}

function wantedOf(instructions: readonly Instruction[], { scripts }: BuildOptions, context: Context) {
  const runs = instructions.filter(({ name }) => name === 'RUN').map(scriptOf);
  const bases = instructions
    .filter(({ name }) => name === 'FROM')
    .map(({ text }) => findBase(text.split(/\s+/)[0] ?? ''));
  const all = [...runs, ...scripts].map(script => wantedPackages(script, context.readNamed));
  return {
    debian: [...bases.map(base => base?.packages ?? []), ...all.flatMap(({ debian }) => debian)],
    python: all.flatMap(({ python }) => python),
    uv: all.some(({ uv }) => uv) || instructions.some(({ flags }) => isUv(flags['from'] ?? '')),
  };
}

function imageOf({ supplies }: Build, { layers, variables, folder, user, key }: Stage): Image {
  const path = `${packagesPlace}/bin:${variables['PATH'] ?? basePath}`;
  return { layers, folder, user, key, variables: { ...supplyVariables(supplies), ...variables, PATH: path } };
}

async function obey(build: Build, instruction: Instruction, globals: Record<string, string>): Promise<void> {
  const { name, line, text } = instruction;
  if (ignored.has(name)) return;
  if (name === 'FROM') return beginStage(build, instruction, globals);
  const stage = build.stages.at(-1) as Stage;
  const variables = { ...stage.args, ...stage.variables };
  const put = (value: string): string => replaceVariables(value, variables);
  switch (name) {
    case 'ARG':
      return addArguments(stage.args, instruction, { ...globals, ...variables });
    case 'ENV':
      for (const [key, value] of readPairs(text, variables)) stage.variables[key] = value;
      return;
    case 'WORKDIR': {
      const folder = splitWords(put(text))[0] ?? text;
      stage.folder = folder.startsWith('/') ? folder : join(stage.folder, folder);
      stage.waiting.push({ line, script: `mkdir -p ${quoted(stage.folder)}`, content: '' });
      return;
    }
    case 'USER':
      stage.user = put(text).split(':')[0] ?? 'root';
      return;
    case 'SHELL':
      if (instruction.list === null) throw new LineProblem(line, 'SHELL takes a JSON list');
      stage.shell = instruction.list;
      return;
    case 'RUN':
      return runStep(build, stage, instruction);
    default:
      return copyStep(build, stage, instruction);
  }
}

function addArguments(into: Record<string, string>, { text }: Instruction, variables: Record<string, string>): void {
  for (const word of splitWords(text)) {
    const at = word.indexOf('=');
    if (at > 0) into[word.slice(0, at)] = replaceVariables(word.slice(at + 1), variables);
    else into[word] = variables[word] ?? '';
  }
}

async function beginStage(build: Build, { line, text }: Instruction, globals: Record<string, string>): Promise<void> {
  const previous = build.stages.at(-1);
  if (previous !== undefined) await flush(build, previous);
  const [image = '', , name = null] = splitWords(replaceVariables(text, globals));
  const from = build.stages.find(stage => stage.name === image);
  if (from !== undefined) {
    const copy = { layers: [...from.layers], variables: { ...from.variables }, args: {}, waiting: [] };
    build.stages.push({ ...from, ...copy, name });
    return;
  }
  const base = findBase(image);
  if (base === null) throw new LineProblem(line, `FROM ${image}: this machine has nothing like it`);
  if (base.remark !== null) build.remarks.push(`line ${line}: ${base.remark}`);
  const stage: Stage = {
    name,
    layers: [],
    key: shortHash(JSON.stringify(['image 1', build.packages.machine, base])),
    variables: { PATH: basePath, ...base.variables },
    args: {},
    folder: base.folder,
    user: 'root',
    shell: ['/bin/sh', '-c'],
    waiting: [],
  };
  build.stages.push(stage);
  const script = [baseScript, `apt-get install -y ${base.packages.join(' ')}`, ...base.commands].join('\n');
  await layer(build, stage, { line, script, content: '' });
}

/** What every image has beside the system folders. */
const baseScript = [
  `cp -r --preserve=mode,links ${packagesPlace}/etc/. /etc/ 2>/dev/null`,
  'chmod 755 / /etc /home /opt /srv /mnt /run /var /var/lib /var/log',
  'chmod 700 /root',
  'chmod 644 /etc/passwd /etc/group',
  'rm -rf /home/user; sed -i /^user:/d /etc/passwd /etc/group; rm -f /etc/gitconfig',
  "printf 'root:*:19000:0:99999:7:::\\n' > /etc/shadow; chmod 640 /etc/shadow; printf 'root:*::\\n' > /etc/gshadow",
  'for pair in daemon:1 bin:2 sys:3 adm:4 tty:5 disk:6 mail:8 sudo:27 www-data:33 staff:50 users:100; do grep -q "^${pair%:*}:" /etc/group || echo "${pair%:*}:x:${pair#*:}:" >> /etc/group; done',
  'for pair in daemon:1 bin:2 mail:8 www-data:33; do grep -q "^${pair%:*}:" /etc/passwd || echo "${pair%:*}:x:${pair#*:}:${pair#*:}::/var:/usr/sbin/nologin" >> /etc/passwd; done',
  "sed -i 's#^root:.*#root:x:0:0:root:/root:/bin/bash#' /etc/passwd",
  'mkdir -p /var/cache/apt /var/lib/apt/lists /var/run /run/lock /var/spool /logs/agent /logs/verifier',
].join('\n');

function scriptOf({ text, list, documents }: Instruction): string {
  if (list !== null) return list.map(quoted).join(' ');
  const [only] = documents;
  if (only !== undefined && /^<<-?\s*["']?[\w.]+["']?$/.test(text)) return only.content;
  return [text, ...documents.map(({ name, content }) => `${content}${name}`)].join('\n');
}

async function runStep(build: Build, stage: Stage, instruction: Instruction): Promise<void> {
  const { line, flags } = instruction;
  const mount = flags['mount'] ?? '';
  if (/type=(?:secret|ssh|bind)/.test(mount))
    throw new LineProblem(line, `RUN --mount=${mount}: nothing is mounted here`);
  await flush(build, stage);
  const script = scriptOf(instruction);
  const shell = /^#!\s*(\S+)/.exec(script)?.[1];
  const command = [...(shell === undefined ? stage.shell : [shell, '-c']), script].map(quoted).join(' ');
  const user = quoted(stage.user);
  const asUser =
    stage.user === 'root' || stage.user === '0'
      ? command
      : `exec setpriv --reuid ${user} --regid "$(id -g ${user})" --clear-groups ${command}`;
  await layer(build, stage, { line, script: `cd ${quoted(stage.folder)} || exit 1\n${asUser}`, content: '' });
}

const isUv = (image: string): boolean => /astral-sh\/uv(?::|@|$)/.test(image);

async function copyStep(build: Build, stage: Stage, instruction: Instruction): Promise<void> {
  const { line, name, flags, text, list, documents } = instruction;
  const variables = { ...stage.args, ...stage.variables };
  const words = (list ?? splitWords(text)).map(word => replaceVariables(word, variables));
  const target = words.at(-1);
  if (target === undefined || words.length < 2) throw new LineProblem(line, `${name} needs a source and a target`);
  const to = target.startsWith('/') ? target : `${stage.folder.replace(/\/$/, '')}/${target}`;
  const options = { to, owner: flags['chown'] ?? null, mode: flags['chmod'] ?? null };
  const from = flags['from'];
  if (from !== undefined) return copyFrom(build, stage, { instruction, from, words, options });
  const urls = words.slice(0, -1).filter(word => /^(?:https?|git|ssh):/.test(word));
  if (urls.length > 0) throw new LineProblem(line, `${name} ${urls[0] ?? ''}: there is no network`);
  const sources = words.slice(0, -1).filter(word => !word.startsWith('<<'));
  const written = documents.map(each => ({ ...each, content: documentText(each, variables) }));
  const copied = copyScript(build.context, { sources, documents: written, unpack: name === 'ADD', ...options });
  if (typeof copied === 'string') throw new LineProblem(line, `${name}: ${copied}`);
  stage.waiting.push({ line, ...copied });
}

interface CopyFrom {
  readonly instruction: Instruction;
  readonly from: string;
  readonly words: readonly string[];
  readonly options: { readonly to: string; readonly owner: string | null; readonly mode: string | null };
}

const stagePlace = '/opt/espalier-stage';

/** Copies out of another stage: a layer over that stage takes the files, and is there while they are copied on. */
async function copyFrom(build: Build, stage: Stage, { instruction, from, words, options }: CopyFrom): Promise<void> {
  const { line } = instruction;
  await flush(build, stage);
  const source = build.stages.find((each, at) => each !== stage && (each.name === from || String(at) === from));
  const finish = options.owner === null ? '' : `\nchown -R ${quoted(options.owner)} ${quoted(options.to)}`;
  const into = words.length > 2 || options.to.endsWith('/');
  const place = (files: string): string =>
    `mkdir -p ${quoted(into ? options.to : join(options.to, '..'))}\nfor one in ${files}; do if [ -d "$one" ]; then mkdir -p ${quoted(options.to)}; cp -a "$one/." ${quoted(options.to)}; else cp -a "$one" ${quoted(options.to)}; fi || exit 1; done${finish}`;
  if (source === undefined) {
    if (!isUv(from)) throw new LineProblem(line, `COPY --from=${from}: this machine has nothing like it`);
    return layer(build, stage, {
      line,
      script: place(`${packagesPlace}/bin/uv ${packagesPlace}/bin/uvx`),
      content: '',
    });
  }
  const taken: Stage = { ...source, layers: [...source.layers], waiting: [] };
  const sources = words.slice(0, -1);
  const take = sources.map((word, at) => `mkdir -p ${stagePlace}/${at}; cp -a ${word} ${stagePlace}/${at}/ || exit 1`);
  await layer(build, taken, { line, script: `cd /\n${take.join('\n')}`, content: stage.key });
  const own = stage.layers;
  stage.layers = [taken.layers[0] as string, ...own];
  await layer(build, stage, { line, script: place(`${stagePlace}/*/*`), content: taken.key });
  stage.layers = [stage.layers[0] as string, ...own];
}

/** Makes the layer that commands wait for. */
async function flush(build: Build, stage: Stage): Promise<void> {
  if (stage.waiting.length === 0) return;
  const waiting = stage.waiting.splice(0);
  const script = waiting.map(each => `${each.script} || exit $?`).join('\n');
  const content = waiting.map(each => each.content).join(' ');
  await layer(build, stage, { line: waiting[0]?.line ?? 1, script, content });
}

interface Step {
  readonly line: number;
  readonly script: string;
  /** Stands for the files that it reads. */
  readonly content: string;
}

const mostSaid = 400;

async function layer(build: Build, stage: Stage, { line, script, content }: Step): Promise<void> {
  const { pool, store, seconds, supplies, context } = build;
  const supplied = /\b(?:apt|apt-get|pip|uvx?)\b/.test(script)
    ? JSON.stringify([supplies.debian, supplies.python])
    : '';
  const environment: Record<string, string> = {
    HOME: '/root',
    DEBIAN_FRONTEND: 'noninteractive',
    ...supplyVariables(supplies),
    ...stage.args,
    ...stage.variables,
    PATH: `${packagesPlace}/bin:${stage.variables['PATH'] ?? basePath}`,
  };
  const given = JSON.stringify([stage.args, stage.variables]);
  stage.key = shortHash(JSON.stringify([stage.key, given, script, content, supplied]));
  const folder = join(store, 'layers', stage.key);
  if (!existsSync(folder)) {
    // Another process may make the same one: the first that is whole counts.
    const making = `${stage.key}.${randomUUID().slice(0, 8)}`;
    const made = join(store, 'layers', making);
    const ran = await pool.run(stage.layers, {
      command: { kind: 'run', command: script },
      place: { folder: '/', exports: '' },
      environment,
      limits: containerLimits(seconds),
      folders: [...packageFolders, [context.place, contextPlace]],
      keepAs: making,
    });
    if (ran.ended !== 'itself' || ran.exitCode !== 0) {
      rmSync(made, { recursive: true, force: true });
      const how =
        ran.ended === 'itself'
          ? `ended with ${ran.exitCode ?? 'a signal'}`
          : `was stopped by the limit on ${ran.ended}`;
      const said = ran.output.toString().trim().slice(-mostSaid);
      throw new LineProblem(line, `${how}: ${said}`);
    }
    if (existsSync(folder)) rmSync(made, { recursive: true, force: true });
    else renameSync(made, folder);
  }
  stage.layers = [storedLayer(stage.key), ...stage.layers];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
