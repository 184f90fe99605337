import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import thisProcess from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { EspalierError } from '../../../core/errors.ts';
import { isAlive } from '../../code/sandbox/memory-group.ts';
import { systemCallFilter } from '../../code/sandbox/system-call-filter.ts';
import { createLine, type HelperLine } from '../sandbox/line.ts';
import { fieldsOf } from '../sandbox/orders.ts';
import { skeletonFiles, systemFolders } from '../sandbox/skeleton.ts';
import { prepareGuest, type GuestOptions } from './guest.ts';
import { saveMemory } from './memory-file.ts';
import { startQemu, type Qemu } from './qemu.ts';

/** A machine at a moment: its memory as a file, and the state of its devices. Nothing changes it. */
export interface MachineSnapshot {
  readonly memory: string;
  readonly devices: Buffer;
}

/** A running machine. */
export interface Machine extends Pick<HelperLine, 'ask'> {
  /** The machine as it is now; it goes on afterwards. Nobody may be asking it anything. */
  snapshot(): Promise<MachineSnapshot>;
  close(): Promise<void>;
}

export interface Machines {
  readonly accelerator: 'kvm' | 'tcg';
  /** A machine in which nothing has happened yet. */
  readonly base: MachineSnapshot;
  /** A machine that goes on from a snapshot: pages are shared until it writes to them. */
  fork(snapshot: MachineSnapshot): Promise<Machine>;
  remove(snapshot: MachineSnapshot): void;
  close(): Promise<void>;
}

interface MachineOptions extends GuestOptions {
  readonly megabytes?: number;
}

const usualMegabytes = 192;
const folderPrefix = 'espalier-machines-';
const helperFolder = '/tmp/espalier';
const user = 1000;

/** Boots a machine, or takes one that was booted before, and forks it. */
export async function createMachines({ megabytes = usualMegabytes, ...options }: MachineOptions): Promise<Machines> {
  const guest = prepareGuest(options);
  const accelerator = findAccelerator();
  sweepMachines();
  const folder = mkdtempSync(join(memoryFolder, `${folderPrefix}${thisProcess.pid}-`));
  const common = { folder, accelerator, megabytes, root: guest.root } as const;
  const running = new Set<Machine>();
  const fork: Machines['fork'] = async ({ memory, devices }) => {
    const qemu = await startQemu({ ...common, name: randomUUID(), memory: { path: memory, isShared: false } });
    await qemu.resume(devices);
    const machine = createMachine(qemu, memory, folder);
    running.add(machine);
    return { ...machine, close: async () => (running.delete(machine), machine.close()) };
  };
  const booted = join(options.cache, guest.key, `booted-${accelerator}-${megabytes}`);
  if (!existsSync(booted)) {
    const memory = join(folder, 'booting');
    const start = (): Promise<Qemu> =>
      startQemu({ ...common, name: 'boot', memory: { path: memory, isShared: true }, boot: guest });
    // An emulated machine that is starting has been seen to stand still.
    const qemu = (await greeted(await start())) ?? (await greeted(await start())) ?? neverBooted();
    const devices = await savedDevices(qemu, folder);
    await qemu.close();
    keepBooted(booted, { memory, devices });
  }
  return {
    accelerator,
    base: { memory: join(booted, 'memory'), devices: readFileSync(join(booted, 'devices')) },
    fork,
    remove: ({ memory }) => rmSync(memory, { force: true }),
    async close() {
      await Promise.all([...running].map(machine => machine.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Memory of machines lies in memory. */
const memoryFolder = '/dev/shm';

/** KVM where the processor helps; a kernel that runs without its help would be emulated there, instruction by instruction. */
function findAccelerator(): Machines['accelerator'] {
  const isHelped = /^flags\s*:.*\b(?:vmx|svm)\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
  try {
    accessSync('/dev/kvm', constants.R_OK | constants.W_OK);
    return isHelped ? 'kvm' : 'tcg';
  } catch {
    return 'tcg';
  }
}

function lineTo(qemu: Qemu): HelperLine {
  const line = createLine({
    write: bytes => void qemu.port.write(bytes),
    hold: () => undefined,
    lost: reason => new Error(`The helper in a virtual machine failed: ${reason}`),
  });
  qemu.port.on('data', line.read);
  qemu.port.once('close', () => line.end('The machine ended.'));
  return line;
}

/** The machine when its helper answers; null, and closed, when it does not. */
async function greeted(qemu: Qemu): Promise<Qemu | null> {
  const isUp = await Promise.race([greet(qemu).then(() => true), setTimeout(bootMilliseconds, false, { ref: false })]);
  if (!isUp) await qemu.close();
  return isUp ? qemu : null;
}

const bootMilliseconds = 100_000;

function neverBooted(): never {
  throw new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `A virtual machine did not start in ${bootMilliseconds / 1000} seconds, twice.`,
    expected: 'Try again when this machine has less to do.',
  });
}

async function greet(qemu: Qemu): Promise<void> {
  const skeleton = fieldsOf(skeletonFiles());
  await lineTo(qemu).greet([
    'x64',
    helperFolder,
    user,
    systemCallFilter('x64') ?? '',
    '',
    systemFolders.join(' '),
    '',
    '',
    ...skeleton,
  ]);
}

async function savedDevices(qemu: Qemu, folder: string): Promise<Buffer> {
  const path = join(folder, `${randomUUID()}.devices`);
  await qemu.ask('stop');
  await qemu.ask('xen-save-devices-state', { filename: path, live: false });
  const devices = readFileSync(path);
  rmSync(path);
  return devices;
}

function createMachine(qemu: Qemu, base: string, folder: string): Machine {
  const { ask } = lineTo(qemu);
  return {
    ask,
    async snapshot() {
      const devices = await savedDevices(qemu, folder);
      const memory = join(folder, `${randomUUID()}.memory`);
      await saveMemory(qemu.pid, base, memory);
      await qemu.ask('cont');
      return { memory, devices };
    },
    close: () => qemu.close(),
  };
}

function keepBooted(folder: string, { memory, devices }: MachineSnapshot): void {
  const fresh = `${folder}-${randomUUID()}`;
  mkdirSync(fresh);
  writeFileSync(join(fresh, 'memory'), readFileSync(memory));
  writeFileSync(join(fresh, 'devices'), devices);
  rmSync(memory);
  if (existsSync(folder)) rmSync(fresh, { recursive: true });
  else renameSync(fresh, folder);
}

/** Removes what processes that were killed left. Their machines ended with them. */
function sweepMachines(): void {
  for (const name of readdirSync(memoryFolder)) {
    const [, owner] = /^espalier-machines-(\d+)-/.exec(name) ?? [];
    if (owner !== undefined && !isAlive(Number(owner)))
      rmSync(join(memoryFolder, name), { recursive: true, force: true });
  }
}
