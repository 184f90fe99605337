import type { PageAttack } from './hostile-site.ts';
import { script } from './requests.ts';

/** An offer that makes the browser look for ways to a peer through these servers. */
const gather = (servers: string): string =>
  script(`const peer = new RTCPeerConnection({ iceServers: [${servers}], iceTransportPolicy: 'all' });
    peer.createDataChannel('x');
    peer.createOffer().then(offer => peer.setLocalDescription(offer))`);

const turn = (url: string): string => `{ urls: '${url}', username: 'u', credential: 'c' }`;

/** A peer whose only candidate is the canary. */
const remote = (candidate: string): string => `
  const peer = new RTCPeerConnection(), other = new RTCPeerConnection();
  peer.createDataChannel('x');
  (async () => {
    await peer.setLocalDescription(await peer.createOffer());
    await other.setRemoteDescription(peer.localDescription);
    await other.setLocalDescription(await other.createAnswer());
    await peer.setRemoteDescription(other.localDescription);
    await peer.addIceCandidate({ candidate: '${candidate}', sdpMid: '0', sdpMLineIndex: 0 });
  })()`;

/** Connections that are no requests. */
export const socketAttacks: readonly PageAttack[] = [
  {
    name: 'WebSocket',
    how: 'a socket to another port',
    files: ({ port }) => ({ '/': script(`new WebSocket('ws://127.0.0.1:${port}/x')`) }),
  },
  {
    name: 'WebSocketStream',
    how: 'the same as a stream',
    files: ({ port }) => ({ '/': script(`new WebSocketStream('ws://127.0.0.1:${port}/x').opened.catch(() => 0)`) }),
  },
  {
    name: 'WebTransport',
    how: 'QUIC over UDP, with a certificate of the page’s own choice',
    files: ({ port }) => ({
      '/': script(`const hash = { algorithm: 'sha-256', value: new Uint8Array(32) };
        new WebTransport('https://127.0.0.1:${port}/x', { serverCertificateHashes: [hash] }).ready.catch(() => 0)`),
    }),
  },
  {
    name: 'WebRTC STUN',
    how: 'a STUN server over UDP',
    files: ({ port }) => ({ '/': gather(`{ urls: 'stun:127.0.0.1:${port}' }, { urls: 'stun:[::1]:${port}' }`) }),
  },
  {
    name: 'WebRTC TURN over UDP',
    how: 'a relay over UDP',
    files: ({ port }) => ({ '/': gather(turn(`turn:127.0.0.1:${port}?transport=udp`)) }),
  },
  {
    name: 'WebRTC TURN over TCP',
    how: 'a relay over TCP',
    files: ({ port }) => ({ '/': gather(turn(`turn:127.0.0.1:${port}?transport=tcp`)) }),
  },
  {
    name: 'WebRTC TURN over TLS',
    how: 'a relay over TLS',
    files: ({ port }) => ({ '/': gather(turn(`turns:127.0.0.1:${port}?transport=tcp`)) }),
  },
  {
    name: 'WebRTC peer over UDP',
    how: 'a made-up peer that is the other port',
    files: ({ port }) => ({
      '/': script(remote(`candidate:1 1 udp 2122260223 127.0.0.1 ${port} typ host`)),
    }),
  },
  {
    name: 'WebRTC peer over TCP',
    how: 'a made-up peer that listens on TCP',
    files: ({ port }) => ({
      '/': script(remote(`candidate:1 1 tcp 1518280447 127.0.0.1 ${port} typ host tcptype passive`)),
    }),
  },
  {
    name: 'WebRTC in a frame',
    how: 'a STUN server, asked by a sandboxed frame',
    files: ({ port }) => ({
      '/': `<iframe sandbox="allow-scripts" src="/frame"></iframe>`,
      '/frame': gather(`{ urls: 'stun:127.0.0.1:${port}' }`),
    }),
  },
];
