import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * The only way from a browser context to the network: a SOCKS proxy that connects to allowed origins, and refuses the rest.
 * The browser sends everything through it, requests and sockets alike; names are never looked up by the browser.
 */
export interface Gate {
  /** As the browser takes it. */
  readonly address: string;
  /** Lets connections to this origin through, as well; to a port of this machine in its place, where one is given. */
  allow(origin: string, port?: number): void;
  /** Told of every connection that was refused, as `host:port`. */
  onRefused(hear: (place: string) => void): void;
  close(): void;
}

/** A handshake of SOCKS 5 is shorter; whoever sends more does not speak it. */
const longestHandshake = 300;
const handshakeMilliseconds = 10_000;
const [version, noPassword, connecting, byName] = [5, 0, 1, 3];
const replies = { connected: 0, refused: 2, unreachable: 4, unsupported: 7 };

export async function openGate(): Promise<Gate> {
  const sockets = new Set<Socket>();
  const hearers = new Set<(place: string) => void>();
  const open = new Map<string, Place>();
  const server = createServer({ noDelay: true }, socket => {
    track(sockets, socket);
    readTarget(socket, target => {
      if (!target.isKnown) return void socket.end(reply(replies.unsupported));
      const place = `${target.host}:${target.port}`;
      const to = open.get(place);
      if (to !== undefined) return pass(socket, to, sockets);
      for (const hear of hearers) hear(place);
      socket.end(reply(replies.refused));
    });
  });
  const port = await listen(server);
  return {
    address: `socks5://127.0.0.1:${port}`,
    allow(origin, own) {
      const { protocol, hostname, port: written } = new URL(origin);
      const usual = protocol === 'https:' ? '443' : '80';
      const [host, asked] = [bare(hostname), Number(written === '' ? usual : written)];
      open.set(`${host}:${asked}`, own === undefined ? { host, port: asked } : { host: '127.0.0.1', port: own });
    },
    onRefused: hear => void hearers.add(hear),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface Place {
  readonly host: string;
  readonly port: number;
}

interface Target extends Place {
  /** False when the browser asked for something else than a connection. */
  readonly isKnown: boolean;
}

/** Reads the greeting and the request; what is not SOCKS 5 is cut off. */
function readTarget(socket: Socket, found: (target: Target) => void): void {
  let held: Buffer = Buffer.alloc(0);
  let isGreeted = false;
  const cut = (): void => void socket.destroy();
  socket.setTimeout(handshakeMilliseconds, cut);
  const read = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    if (held.length > longestHandshake || held[0] !== version) return cut();
    if (!isGreeted) {
      const length = 2 + (held[1] ?? longestHandshake);
      if (held.length < length) return;
      isGreeted = true;
      held = held.subarray(length);
      socket.write(Buffer.from([version, noPassword]));
      if (held.length === 0) return;
    }
    const target = targetIn(held);
    if (target === null) return;
    socket.off('data', read);
    socket.setTimeout(0);
    socket.pause();
    found(target);
  };
  socket.on('data', read);
}

/** The request of a connection; null while a part of it is missing. */
function targetIn(request: Buffer): Target | null {
  const [, command, , kind, length = 0] = request;
  if (request.length < 5) return null;
  const [start, size] = kind === byName ? [5, length] : [4, kind === 1 ? 4 : 16];
  const end = start + size;
  if (request.length < end + 2) return null;
  const address = request.subarray(start, end);
  const host = kind === byName ? bare(address.toString('latin1')) : numbered(address);
  return { host, port: request.readUInt16BE(end), isKnown: command === connecting };
}

function numbered(address: Buffer): string {
  if (address.length === 4) return address.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => address.readUInt16BE(index * 2).toString(16));
  return bare(new URL(`http://[${groups.join(':')}]/`).hostname);
}

/** An IPv6 address without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function pass(socket: Socket, { host, port }: Place, sockets: Set<Socket>): void {
  const far = connect({ host, port, noDelay: true });
  track(sockets, far);
  far.once('connect', () => {
    far.off('error', unreachable);
    socket.write(reply(replies.connected));
    socket.pipe(far);
    far.pipe(socket);
  });
  const unreachable = (): void => void socket.end(reply(replies.unreachable));
  far.once('error', unreachable);
  far.once('close', () => socket.destroySoon());
  socket.once('close', () => far.destroySoon());
}

function reply(code: number): Buffer {
  return Buffer.from([version, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}

function track(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  // A connection that breaks is over; both its ends close.
  socket.on('error', () => socket.destroy());
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      // It keeps no process running by itself.
      server.unref();
      resolve((server.address() as AddressInfo).port);
    });
  });
}
