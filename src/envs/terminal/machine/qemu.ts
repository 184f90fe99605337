import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { EspalierError } from '../../../core/errors.ts';

export interface QemuOptions {
  /** Where its sockets lie. */
  readonly folder: string;
  readonly name: string;
  readonly accelerator: 'kvm' | 'tcg';
  readonly megabytes: number;
  /** The image of the root, read-only. */
  readonly root: string;
  readonly memory: { readonly path: string; readonly isShared: boolean };
  /** What to boot; left out, it waits for the state of another. */
  readonly boot?: { readonly kernel: string; readonly initial: string };
}

/** A process of QEMU. */
export interface Qemu {
  readonly pid: number;
  /** The port to the helper in the guest. */
  readonly port: Socket;
  /** Takes the state of the devices of another, over a copy of its memory, and goes on from there. */
  resume(state: Buffer): Promise<void>;
  /** Asks its monitor. */
  ask(command: string, given?: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

const kernelLine =
  'console=ttyS0 quiet panic=-1 reboot=t no_timer_check tsc_early_khz=1000000 lpj=1000000 mitigations=off random.trust_cpu=on';

export async function startQemu(options: QemuOptions): Promise<Qemu> {
  const { folder, name } = options;
  const sockets = { port: join(folder, `${name}.port`), monitor: join(folder, `${name}.monitor`) };
  const [port, monitor] = [listening(sockets.port), listening(sockets.monitor)];
  await Promise.all([port.ready, monitor.ready]);
  const child = spawn('qemu-system-x86_64', argumentsOf(options, sockets), { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-2000)));
  const ended = once(child, 'exit').then(() => {
    throw lost(`it ended: ${said.trim().slice(-500)}`);
  });
  ended.catch(() => undefined);
  try {
    const [talk, { ask: monitorAsk, resumed }] = await Promise.race([
      Promise.all([port.connection, monitor.connection.then(socket => monitorOf(socket, ended))]),
      ended,
    ]);
    await monitorAsk('qmp_capabilities');
    return {
      pid: child.pid as number,
      port: talk,
      ask: monitorAsk,
      async resume(state) {
        const path = join(folder, `${name}.state`);
        await monitorAsk('migrate-incoming', { uri: `unix:${path}` });
        createConnection(path).end(state);
        await Promise.race([resumed, ended]);
        rmSync(path, { force: true });
      },
      close: () => closed(child, [talk], sockets),
    };
  } catch (cause) {
    await closed(child, [], sockets);
    throw cause;
  }
}

/** What every machine has, whatever it runs. */
const common = [
  '-no-user-config -nodefaults -display none -no-reboot -serial stdio -smp 1',
  // The state of devices that another saved has no such section.
  '-global migration.send-configuration=off',
  // The clock of the guest begins at the same time in each, and stands while the machine does.
  '-rtc base=2026-01-01T00:00:00,clock=vm',
  '-M microvm,rtc=on,pit=off,pic=off,x-option-roms=off,memory-backend=memory',
  '-device virtio-blk-device,drive=root -device virtio-serial-device',
].flatMap(line => line.split(' '));

function argumentsOf(options: QemuOptions, sockets: { readonly port: string; readonly monitor: string }): string[] {
  const { accelerator, megabytes, root, memory, boot } = options;
  const share = memory.isShared ? 'on' : 'off';
  const given: readonly (readonly [string, string])[] = [
    ['-accel', accelerator === 'tcg' ? 'tcg,tb-size=32' : accelerator],
    ['-cpu', accelerator === 'kvm' ? 'host' : 'max'],
    ['-m', String(megabytes)],
    ['-object', `memory-backend-file,id=memory,size=${megabytes}M,mem-path=${memory.path},share=${share}`],
    ['-drive', `id=root,file=${root},format=raw,if=none,readonly=on`],
    ['-chardev', `socket,id=port,path=${sockets.port}`],
    ['-device', 'virtserialport,chardev=port,name=espalier'],
    ['-chardev', `socket,id=monitor,path=${sockets.monitor}`],
    ['-mon', 'chardev=monitor,mode=control'],
  ];
  const start =
    boot === undefined
      ? ['-incoming', 'defer']
      : ['-kernel', boot.kernel, '-initrd', boot.initial, '-append', kernelLine];
  return [...common, ...given.flat(), ...start];
}

interface Listening {
  readonly ready: Promise<unknown>;
  readonly connection: Promise<Socket>;
}

/** Who waits for QEMU to call. */
function listening(path: string): Listening {
  const server: Server = createServer();
  const connection = once(server, 'connection').then(([socket]) => {
    server.close();
    (socket as Socket).on('error', () => undefined);
    return socket as Socket;
  });
  server.listen(path);
  server.unref();
  return { ready: once(server, 'listening'), connection };
}

interface Reply {
  readonly return?: unknown;
  readonly error?: { readonly desc: string };
}

interface Monitor {
  readonly ask: Qemu['ask'];
  /** When the machine goes on. */
  readonly resumed: Promise<void>;
}

/** Questions to a monitor, one after another. */
async function monitorOf(socket: Socket, ended: Promise<never>): Promise<Monitor> {
  const waiting: ((reply: Reply) => void)[] = [];
  let text = '';
  const resume = Promise.withResolvers<void>();
  const greeted = new Promise<void>(resolve => {
    socket.on('data', piece => {
      text += piece.toString();
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const message = JSON.parse(text.slice(0, end)) as Reply & { QMP?: unknown; event?: string };
        text = text.slice(end + 1);
        if (message.QMP !== undefined) resolve();
        else if (message.event === 'RESUME') resume.resolve();
        else if ('return' in message || 'error' in message) waiting.shift()?.(message);
      }
    });
  });
  await greeted;
  const ask: Qemu['ask'] = async (command, given) => {
    const reply = new Promise<Reply>(resolve => waiting.push(resolve));
    socket.write(`${JSON.stringify({ execute: command, ...(given === undefined ? {} : { arguments: given }) })}\n`);
    const { error, return: answer } = await Promise.race([reply, ended]);
    if (error !== undefined) throw lost(`${command}: ${error.desc}`);
    return answer;
  };
  return { ask, resumed: resume.promise };
}

async function closed(
  child: ChildProcess,
  sockets: readonly Socket[],
  paths: Readonly<Record<string, string>>,
): Promise<void> {
  for (const socket of sockets) socket.destroy();
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  for (const path of Object.values(paths)) rmSync(path, { force: true });
}

function lost(reason: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `A virtual machine failed: ${reason}.`,
    expected: 'Expected qemu-system-x86_64 and a kernel that it can start.',
  });
}
