import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, kill } from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { inTime, type Timers } from '../../../core/clock.ts';
import { causeText, EspalierError } from '../../../core/errors.ts';
import {
  browserEnvironment,
  isConfinementFault,
  type Confinement,
  type Confinements,
} from '../containment/confinement.ts';
import { createConnection, type Connection } from './connection.ts';

export interface LaunchOptions {
  readonly path: string;
  readonly timers: Timers;
  readonly confinements: Confinements;
  /** Ends it, also while it starts. */
  readonly signal: AbortSignal;
}

/** A running browser. */
export interface Browser {
  readonly connection: Connection;
  readonly pid: number;
  /** Resolves when no process and no file of it is left, whoever ended it. */
  readonly gone: Promise<void>;
  close(): Promise<void>;
}

/** Nothing that talks to the network by itself, sleeps in the background, or draws with a graphics card. */
const flags: readonly string[] = [
  '--headless',
  '--remote-debugging-pipe',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  // Popups of the address bar are pages of their own: two more for every page of ours.
  '--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,BackForwardCache,WebUIOmniboxPopup,WebUIOmniboxAimPopup',
  '--password-store=basic',
  '--use-mock-keychain',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  // Where a key or a wheel scrolls to is where it is at once.
  '--disable-smooth-scrolling',
  // Styles draw nothing by chance.
  '--disable-blink-features=CSSRandomFunction',
  // Images with several frames show the first, and SMIL does not run: both follow the real clock, not that of the page.
  '--blink-settings=imageAnimationPolicy=2',
  // A part that is drawn over an old picture differs from the same part drawn with all the rest.
  '--disable-partial-raster',
  // No picture is taken while parts of it are still being drawn.
  '--run-all-compositor-stages-before-draw',
  // Our program makes some ten megabytes of objects when a page starts: with less room, they are collected many times.
  '--js-flags=--min-semi-space-size=16',
  '--mute-audio',
  '--lang=en-US',
  // Names resolve nowhere. Every context has a gate of its own on this address, and looks names up through it.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  // What belongs to no context goes nowhere: the discard port takes no connection.
  '--proxy-server=socks5://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  // Peers are reached through the gate, which knows no UDP, or not at all.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** A browser that says nothing for so long will not start. */
const startMilliseconds = 20_000;

/** Starts a browser in the strictest confinement that it starts in. */
export async function launchBrowser(options: LaunchOptions): Promise<Browser> {
  for (;;) {
    try {
      return await launchAs(options.confinements.current(), options);
    } catch (cause) {
      const fault = cause instanceof StartError && isConfinementFault(cause.said);
      if (!fault || options.signal.aborted || !options.confinements.loosen(cause.said)) throw cause;
    }
  }
}

async function launchAs(confinement: Confinement, { path, timers, signal }: LaunchOptions): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'espalier-browser-'));
  const running = await run(path, profile, confinement).catch(async (cause: unknown) => {
    await removeProfile(profile);
    throw new StartError(path, causeText(cause), cause);
  });
  const said = tailOf(running.stderr as Readable);
  const connection = createConnection({ input: running.stdio[3] as Writable, output: running.stdio[4] as Readable });
  const gone = ended(running, timers).then(() => removeProfile(profile));
  const close = (): Promise<void> => {
    // Its number may be somebody else's once it is gone.
    if (running.exitCode === null && running.signalCode === null) endGroup(running);
    return gone;
  };
  // A browser that no longer talks is of no use.
  void connection.lost.then(close);
  signal.addEventListener('abort', close);
  void gone.then(() => signal.removeEventListener('abort', close));
  if (signal.aborted) void close();
  try {
    const late = (): Error => new Error(`no answer in ${startMilliseconds} ms`);
    await inTime(connection.send('Browser.getVersion'), { timers, milliseconds: startMilliseconds, late });
  } catch (cause) {
    await close();
    throw new StartError(path, said() || causeText(cause), cause);
  }
  return { connection, pid: running.pid as number, gone, close };
}

/** Starts the program; whatever keeps the system from starting it is thrown. */
async function run(path: string, profile: string, confinement: Confinement): Promise<ChildProcess> {
  const { user, sandbox } = confinement;
  if (user !== null) chownSync(profile, user, user);
  const child = spawn(path, [...flags, ...(sandbox ? [] : ['--no-sandbox']), `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: browserEnvironment(env, confinement, profile),
    ...(user === null ? {} : { uid: user, gid: user }),
    // Its own group: the processes that a browser starts end with it.
    detached: true,
  });
  await once(child, 'spawn');
  return child;
}

const closeMilliseconds = 2000;

/** Waits until no process of the browser is left: each holds the stream that errors are written to until it is gone. */
function ended(child: ChildProcess, timers: Timers): Promise<void> {
  return new Promise(resolve => {
    child.once('close', () => resolve());
    child.once('exit', () => {
      endGroup(child);
      // One that left the group cannot be waited for.
      const cancel = timers.after(closeMilliseconds, resolve);
      child.once('close', cancel);
    });
  });
}

function endGroup(child: ChildProcess): void {
  try {
    // The whole group at once, and by force: what hangs does not listen.
    kill(-(child.pid as number), 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

async function removeProfile(profile: string): Promise<void> {
  // What cannot be removed is left to the system: nothing depends on it.
  await rm(profile, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
}

/** The line that tells most of what the browser wrote: it says there why it does not start. */
function tailOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-4000);
  });
  return () => {
    const lines = text.trim().split('\n');
    return lines.find(line => /fatal|cannot|permission denied/i.test(line)) ?? lines.at(-1) ?? '';
  };
}

/** A browser that does not start, and what it said. */
class StartError extends EspalierError {
  readonly said: string;

  constructor(path: string, said: string, cause: unknown) {
    super({
      boundary: 'environment',
      code: 'unavailable',
      message: `The browser ${path} does not start: ${said}.`,
      expected: isConfinementFault(said)
        ? 'Expected a machine that lets it have its sandbox: allow unprivileged user namespaces, or pass --no-browser-sandbox (or set ESPALIER_NO_BROWSER_SANDBOX=1) for pages that you trust.'
        : 'Expected a Chromium or Chrome that runs headless; try it in a terminal with --headless --version.',
      cause,
    });
    this.name = 'StartError';
    this.said = said;
  }
}
