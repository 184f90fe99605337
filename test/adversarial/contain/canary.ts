import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';

/** Listens where no page may go, and notes whoever comes. */
export interface Canary {
  /** The same on every address it listens on. */
  readonly port: number;
  /** What came: a connection or a datagram each, and where. */
  seen(): readonly string[];
  close(): Promise<void>;
}

/** Addresses of this machine that are not 127.0.0.1; a machine without IPv6 has no ::1. */
const others = ['127.0.0.2', '::1'];
const attempts = 20;

/** Listens on a free port of every loopback address. */
export async function openCanary(): Promise<Canary> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const canary = await listenOn(['127.0.0.1', ...others], 0);
    if (canary !== null) return canary;
  }
  throw new Error(`No port was free on all of 127.0.0.1, ${others.join(', ')} in ${attempts} attempts.`);
}

/** Listens on the other loopback addresses, on the port of somebody's server on 127.0.0.1. */
export async function openCanaryBeside(port: number): Promise<Canary | null> {
  return listenOn(others, port);
}

async function listenOn(addresses: readonly string[], wanted: number): Promise<Canary | null> {
  const seen: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => void (await Promise.all(closers.map(end => end())));
  let port = wanted;
  for (const address of addresses) {
    const tcp = await listenTcp(address, port, () => seen.push(`tcp ${address}`));
    if (tcp === 'no such address') continue;
    if (tcp === 'in use') {
      await close();
      return null;
    }
    closers.push(tcp.close);
    port = tcp.port;
    const udp = await listenUdp(address, port, () => seen.push(`udp ${address}`));
    if (udp !== null) closers.push(udp);
  }
  return { port, seen: () => seen, close };
}

interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers as a server that lets everybody read: what is loaded from here goes on. */
const answer = [
  'HTTP/1.1 200 OK',
  'content-type: text/javascript',
  'access-control-allow-origin: *',
  'content-length: 0',
  'connection: close',
  '\r\n',
].join('\r\n');

function listenTcp(address: string, port: number, hear: () => void): Promise<Listening | 'in use' | 'no such address'> {
  const sockets = new Set<Socket>();
  const server: Server = createServer(socket => {
    hear();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(answer));
  });
  return new Promise(resolve => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      resolve(cause.code === 'EADDRINUSE' ? 'in use' : 'no such address'),
    );
    server.listen(port, address, () => {
      const bound = server.address();
      resolve({
        port: typeof bound === 'object' && bound !== null ? bound.port : port,
        close: () =>
          new Promise(done => {
            server.close(() => done());
            for (const socket of sockets) socket.destroy();
          }),
      });
    });
  });
}

function listenUdp(address: string, port: number, hear: () => void): Promise<(() => Promise<void>) | null> {
  const socket: UdpSocket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', hear);
  return new Promise(resolve => {
    socket.once('error', () => resolve(null));
    socket.bind(port, address, () => resolve(() => new Promise(done => socket.close(() => done()))));
  });
}
