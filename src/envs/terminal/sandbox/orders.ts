import { packFields, textOf, type Field } from './frames.ts';
import type { Command, InitialFile, Layer, LayerEntry, Ran, RunRequest } from './sandbox.ts';
import { shellProgram, shellWrapper } from './shell.ts';

export const root = 0;
/** What root may do in a container of Docker, as far as it can be had here. */
const containerPowers = ',0,1,3,4,5,6,7,10,';
const sharedFolderMode = 0o755;
const fieldsOfEntry = 5;

/** Files as the helper writes them: type, path, mode, content. */
export function fieldsOf(files: readonly InitialFile[]): Field[] {
  return files.flatMap(file => {
    const { kind, path, mode, content } = entryOf(file);
    return [codes[kind] ?? 'f', path, mode, content];
  });
}

const fileMode = 0o644;
const codes: Readonly<Partial<Record<LayerEntry['kind'], string>>> = { folder: 'd', 'new-folder': 'r', link: 'l' };

export function entryOf({ path, mode, content, link, isFresh = false }: InitialFile): LayerEntry {
  if (link !== undefined) return { kind: 'link', path, mode: 0, content: Buffer.from(link) };
  const kind = isFresh ? 'new-folder' : 'folder';
  if (content === undefined) return { kind, path, mode: mode ?? sharedFolderMode, content: Buffer.alloc(0) };
  return { kind: 'file', path, mode: mode ?? fileMode, content: Buffer.from(content as string) };
}

/** A request as the helper reads it. */
export function orderOf(request: RunRequest & { readonly user: number }): Field[] {
  const { command, place, environment, limits, folders = [], user, keepAs, stamp } = request;
  const { wallSeconds, cpuSeconds, memoryBytes, processes, openFiles, fileBytes, outputBytes } = limits;
  const numbers = [wallSeconds, cpuSeconds, memoryBytes, processes, openFiles, fileBytes, outputBytes].join(' ');
  const [path, text] = partsOf(command);
  return [
    numbers,
    packFields(Object.entries(environment).flat()),
    packFields(folders.flatMap(([from, to]) => [from, to.slice(1)])),
    command.kind,
    path,
    place.folder,
    place.exports,
    text,
    shellProgram(),
    shellWrapper,
    user,
    user === root ? containerPowers : ',',
    keepAs === undefined ? '' : 1,
    stamp ?? '',
  ];
}

function partsOf(command: Command): [path: string, text: string] {
  if (command.kind === 'run') return ['', command.command];
  return [command.path, command.kind === 'write' ? command.content : ''];
}

const kinds: Readonly<Record<string, LayerEntry['kind']>> = {
  d: 'folder',
  r: 'new-folder',
  o: 'hiding-folder',
  f: 'file',
  l: 'link',
  w: 'removed',
  x: 'gone',
  s: 'special',
};
const limits = ['time', 'output', 'disk'] as const;
const signalBits = 0x7f;
const signalBase = 128;

/** What the helper says of a command. */
export function ranAs(id: string, [heard, why, status, output, place, cpu, ...fields]: readonly Buffer[]): Ran {
  if (String(heard) === 'killed' || output === undefined)
    return { ended: 'killed', exitCode: null, output: Buffer.alloc(0), place: null, cpuSeconds: 0, layer: null };
  const entries = entriesOf(fields);
  const number = Number(status);
  const isEnded = String(status) !== '';
  const signal = number & signalBits;
  return {
    ended: limits.find(limit => limit === String(why)) ?? (isEnded ? 'itself' : 'killed'),
    exitCode: isEnded ? (signal === 0 ? number >> 8 : signalBase + signal) : null,
    output: Buffer.from(output),
    place: readPlace(textOf(place as Buffer)),
    cpuSeconds: Number(cpu),
    layer: entries.length === 0 ? null : ({ id, entries } satisfies Layer),
  };
}

export function entriesOf(fields: readonly Buffer[]): LayerEntry[] {
  const entries: LayerEntry[] = [];
  for (let at = 0; at < fields.length; at += fieldsOfEntry) {
    const [kind, path, mode, content, about] = fields.slice(at, at + fieldsOfEntry) as [
      Buffer,
      Buffer,
      Buffer,
      Buffer,
      Buffer,
    ];
    // A view would keep the whole answer in memory.
    const kept = Buffer.from(content);
    entries.push({
      kind: kinds[String(kind)] ?? 'special',
      path: textOf(path),
      mode: Number(mode),
      content: kept,
      ...(about.length === 0 ? {} : { about: Buffer.from(about) }),
    });
  }
  return entries;
}

/** Variables that say nothing of what a user exported. */
const volatile = /^(?:declare -\w*x\w*|export) (?:_|PWD|OLDPWD|SHLVL|FAKETIME_SHARED)(?:=|$)/;

function readPlace(said: string): Ran['place'] {
  const at = said.indexOf('\0');
  const end = said.indexOf('\0', at + 1);
  // Half of what a shell exports is none.
  if (at <= 0 || end < 0) return null;
  const exports = said.slice(at + 1, end);
  // A value may go on over several lines: only whole lines that begin one are left out.
  const kept = exports.split('\n').filter(line => !volatile.test(line));
  return { folder: said.slice(0, at), exports: kept.join('\n') };
}
