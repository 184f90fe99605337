import { chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import thisProcess from 'node:process';
import { randomUUID } from 'node:crypto';
import { createSemaphore } from '../../../core/semaphore.ts';
import { openControlGroups } from './control-groups.ts';
import { entriesOf, entryOf, fieldsOf, orderOf, ranAs, root } from './orders.ts';
import type { LiveSandbox, Pool, Sandboxes } from './sandbox.ts';
import { skeletonFiles, systemFolders, userHome } from './skeleton.ts';
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
  /** Folders of this machine that worlds see, read-only, where they have a folder: from, to. */
  readonly folders?: readonly (readonly [from: string, to: string])[];
}

const usualDisk = { bytes: 256 * 2 ** 20, files: 50_000 };
const usualUser = 1000;
const sharedFolderMode = 0o755;
/** Below every layer. */
const rootLayer = '../skeleton';

/** Sandboxes of overlay layers over the read-only root of this machine, made by one helper process. */
export async function createLayeredSandboxes(options: LayeredOptions = {}): Promise<Sandboxes> {
  const { startAs, disk = usualDisk, store = '', folders = [] } = options;
  sweepFolders();
  const ownName = `${folderPrefix}${thisProcess.pid}-${randomUUID()}`;
  const folder = join(tmpdir(), ownName);
  mkdirSync(folder, { mode: sharedFolderMode });
  if (startAs !== undefined) chownSync(folder, startAs.uid, startAs.gid);
  const user = store === '' ? usualUser : root;
  const files = skeletonFiles();
  const skeleton = fieldsOf(files);
  const groups =
    startAs === undefined ? openControlGroups({ name: ownName, owner: isRoot() ? mappedRoot : undefined }) : null;
  const setting = { folder, user, store, system: systemFolders, groups, folders, skeleton, startAs };
  const supervisor = await startSupervisor(setting).catch(cause => {
    groups?.remove();
    rmSync(folder, { recursive: true, force: true });
    throw cause;
  });
  const inTurn = createSemaphore(2 * availableParallelism()).run;
  let pools = 0;
  return {
    home: store === '' ? userHome : '/root',
    root: files.map(entryOf),
    limitsTogether: groups !== null,
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

/** The root of a namespace, as in many containers, is none: ids of the machine are not its own. */
const isRoot = (): boolean =>
  thisProcess.getuid?.() === 0 && /^\s*0\s+0\s+4294967295$/m.test(readFileSync('/proc/self/uid_map', 'utf8'));
/** Who the root of the namespaces is outside. */
const mappedRoot = 3_000_000_000;

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

interface PoolHost {
  readonly supervisor: Pick<Supervisor, 'ask'>;
  readonly inTurn: InTurn;
  readonly user: number;
}

export function createPool(name: string, { supervisor, inTurn, user }: PoolHost): Pool {
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
        return ranAs(id, await supervisor.ask(['run', lowerOf(below), id, ...orderOf({ user, ...request })]));
      }),
    async openLive(below, request) {
      const id = nextLayer();
      const order = orderOf({ user, ...request, command: { kind: 'run', command: '' } });
      await supervisor.ask(['live', id, lowerOf(below), id, ...order]);
      return createLive(id, { supervisor, user, nextLayer });
    },
    remove: async layer => void (await supervisor.ask(['remove', layer])),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await supervisor.ask(['drop', name]);
    },
  };
}

interface LiveHost extends Pick<PoolHost, 'supervisor' | 'user'> {
  nextLayer(): string;
}

export function createLive(id: string, { supervisor, user, nextLayer }: LiveHost): LiveSandbox {
  const hasEnded = ([said]: readonly Buffer[]): boolean => String(said) === 'ended';
  return {
    async run(request) {
      const said = await supervisor.ask(['ask', id, 'do', ...orderOf({ user, ...request })]);
      return hasEnded(said) ? null : ranAs(id, said);
    },
    async type({ keys, rows, columns, seconds, ...request }) {
      const order = orderOf({ user, ...request, command: { kind: 'run', command: '' } });
      const said = await supervisor.ask(['ask', id, 'keys', keys, `${rows} ${columns}`, seconds, ...order]);
      return hasEnded(said) ? null : { isOpen: String(said[1]) === '1', output: Buffer.from(said[2] ?? '') };
    },
    async look() {
      const [, , ...fields] = await supervisor.ask(['tell', id, '']);
      const [, busy, ...processes] = await supervisor.ask(['ask', id, 'processes']);
      return { entries: entriesOf(fields), processes: processes.map(String), isRunning: String(busy) !== '0' };
    },
    async freeze() {
      const copy = nextLayer();
      const [how, why, ...fields] = await supervisor.ask(['tell', id, copy]);
      if (String(how) === 'ok' && String(why) !== 'disk') return { id: copy, entries: entriesOf(fields) };
      await supervisor.ask(['remove', copy]);
      return null;
    },
    close: async () => void (await supervisor.ask(['end', id])),
  };
}

export function lowerOf(layers: readonly string[]): string {
  return [...layers.map(layer => `${layer}/u`), rootLayer].join(':');
}

/** How a layer of the store is named among layers. */
export function storedLayer(name: string): string {
  return `../store/layers/${name}`;
}
