import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import thisProcess from 'node:process';
import { randomUUID } from 'node:crypto';
import { createSemaphore } from '../../../core/semaphore.ts';
import { packFields, type Field } from './frames.ts';
import type { Command, InitialFile, Layer, LayerEntry, Pool, Ran, RunRequest, Sandboxes } from './sandbox.ts';
import { skeletonFiles, systemFolders, userHome } from './skeleton.ts';
import { shellProgram, shellWrapper } from './shell.ts';
import { startSupervisor, type Supervisor } from './supervisor.ts';
import { folderPrefix, sweepFolders } from './sweep.ts';

export interface LayeredOptions {
  /** The user to run as; this process's own when left out. Root can start sandboxes as somebody else. */
  readonly startAs?: { readonly uid: number; readonly gid: number };
  /** Bytes and files that the layers of a world and of its forks may hold together. */
  readonly disk?: { readonly bytes: number; readonly files: number };
  /**
   * A folder of layers that stay after this process, for worlds that are machines of their own: commands run as root of a namespace,
   * `/usr` can be changed in layers, and worlds begin with layers of the store.
   */
  readonly store?: string;
}

const usualDisk = { bytes: 256 * 2 ** 20, files: 50_000 };
const usualUser = 1000;
const root = 0;
/** What root may do in a container of Docker, as far as it can be had here. */
const containerPowers = ',0,1,3,4,5,6,7,10,';
const sharedFolderMode = 0o755;
/** Below every layer. */
const rootLayer = '../skeleton';
const fieldsOfEntry = 4;

/** Sandboxes of overlay layers over the read-only root of this machine, made by one helper process. */
export async function createLayeredSandboxes(options: LayeredOptions = {}): Promise<Sandboxes> {
  const { startAs, disk = usualDisk, store = '' } = options;
  sweepFolders();
  const folder = join(tmpdir(), `${folderPrefix}${thisProcess.pid}-${randomUUID()}`);
  mkdirSync(folder, { mode: sharedFolderMode });
  if (startAs !== undefined) chownSync(folder, startAs.uid, startAs.gid);
  const user = store === '' ? usualUser : root;
  const files = skeletonFiles();
  const skeleton = fieldsOf(files);
  const supervisor = await startSupervisor({ folder, user, store, system: systemFolders, skeleton, startAs }).catch(
    cause => {
      rmSync(folder, { recursive: true, force: true });
      throw cause;
    },
  );
  const inTurn = createSemaphore(2 * availableParallelism()).run;
  let pools = 0;
  return {
    home: store === '' ? userHome : '/root',
    root: files.map(entryOf),
    async openPool() {
      const name = String(++pools);
      await supervisor.ask(['pool', name, disk.bytes, disk.files]);
      return createPool(name, { supervisor, inTurn, user });
    },
    async close() {
      await supervisor.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

interface PoolHost {
  readonly supervisor: Supervisor;
  readonly inTurn: InTurn;
  readonly user: number;
}

function createPool(name: string, { supervisor, inTurn, user }: PoolHost): Pool {
  let [layers, isClosed] = [0, false];
  const nextLayer = (): string => `${name}/${++layers}`;
  return {
    async lay(files) {
      const id = nextLayer();
      await supervisor.ask(['lay', id, user, ...fieldsOf(files)]);
      return { id, entries: files.map(entryOf) };
    },
    run: (below, request) =>
      inTurn(async () => {
        const id = request.keepAs === undefined ? nextLayer() : storedLayer(request.keepAs);
        const lower = [...below.map(layer => `${layer}/u`), rootLayer].join(':');
        return ranAs(id, await supervisor.ask(['run', lower, id, ...orderOf({ user, ...request })]));
      }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await supervisor.ask(['drop', name]);
    },
  };
}

/** How a layer of the store is named among layers. */
export function storedLayer(name: string): string {
  return `../store/layers/${name}`;
}

/** Files as the helper writes them: type, path, mode, content. */
function fieldsOf(files: readonly InitialFile[]): Field[] {
  return files.flatMap(file => {
    const { kind, path, mode, content } = entryOf(file);
    return [codes[kind] ?? 'f', path, mode, content];
  });
}

const fileMode = 0o644;
const codes: Readonly<Partial<Record<LayerEntry['kind'], string>>> = { folder: 'd', 'new-folder': 'r', link: 'l' };

function entryOf({ path, mode, content, link, isFresh = false }: InitialFile): LayerEntry {
  if (link !== undefined) return { kind: 'link', path, mode: 0, content: Buffer.from(link) };
  const kind = isFresh ? 'new-folder' : 'folder';
  if (content === undefined) return { kind, path, mode: mode ?? sharedFolderMode, content: Buffer.alloc(0) };
  return { kind: 'file', path, mode: mode ?? fileMode, content: Buffer.from(content as string) };
}

function orderOf(request: RunRequest & { readonly user: number }): Field[] {
  const { command, place, environment, limits, folders = [], user, keepAs } = request;
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

function ranAs(id: string, [heard, why, status, output, place, cpu, ...fields]: readonly Buffer[]): Ran {
  if (String(heard) === 'killed' || output === undefined)
    return { ended: 'killed', exitCode: null, output: Buffer.alloc(0), place: null, cpuSeconds: 0, layer: null };
  const entries: LayerEntry[] = [];
  for (let at = 0; at < fields.length; at += fieldsOfEntry) {
    const [kind, path, mode, content] = fields.slice(at, at + fieldsOfEntry) as [Buffer, Buffer, Buffer, Buffer];
    // A view would keep the whole answer in memory.
    const kept = Buffer.from(content);
    entries.push({ kind: kinds[String(kind)] ?? 'special', path: String(path), mode: Number(mode), content: kept });
  }
  const number = Number(status);
  const isEnded = String(status) !== '';
  const signal = number & signalBits;
  return {
    ended: limits.find(limit => limit === String(why)) ?? (isEnded ? 'itself' : 'killed'),
    exitCode: isEnded ? (signal === 0 ? number >> 8 : signalBase + signal) : null,
    output: Buffer.from(output),
    place: readPlace(String(place)),
    cpuSeconds: Number(cpu),
    layer: entries.length === 0 ? null : ({ id, entries } satisfies Layer),
  };
}

/** Variables that say nothing of what a user exported. */
const volatile = /^(?:declare -x|export) (?:_|PWD|OLDPWD|SHLVL)(?:=|$)/;

function readPlace(said: string): Ran['place'] {
  const at = said.indexOf('\0');
  if (at <= 0) return null;
  const exports = said.slice(at + 1);
  // A value may go on over several lines: only whole lines that begin one are left out.
  const kept = exports.split('\n').filter(line => !volatile.test(line));
  return { folder: said.slice(0, at), exports: kept.join('\n') };
}
