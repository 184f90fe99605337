import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { causeText, invalidOption } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { protocols, type ProtocolEntry } from '../../serve/assembly/protocols.ts';
import type { Backend } from '../../serve/front/backends.ts';
import { createFront } from '../../serve/front/front.ts';
import { createTcpFront } from '../../serve/front/tcp.ts';
import type { Keys } from '../../serve/sessions/keys.ts';
import type { Resumed } from '../../serve/sessions/resume-sessions.ts';
import { createSystemClock, createSystemTimers } from '../../system/clock.ts';
import { keepProcess } from '../../system/processes/keep-process.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';
import { optionOf, usual, type ServeOptions } from './serve-options.ts';

/** How long requests under way may take when all is stopped: the processes behind give theirs ten seconds. */
const graceMilliseconds = 12_000;
/** Connections to the front: those to the servers behind it are bounded there. */
const mostConnections = 65_536;

interface FrontSetting {
  readonly output: Output;
  readonly options: ServeOptions;
  readonly keys: Keys;
}

/** What a process says when it is ready. */
interface Said {
  readonly url: string;
  readonly resumed: Resumed | null;
  readonly environments: readonly string[];
  readonly [option: string]: unknown;
}

interface OpenFront {
  readonly option: string;
  readonly address: string;
  close(hurry: AbortSignal): Promise<void>;
}

/** Serves environments in several processes behind one address, until it is stopped. A process that ends is started again. */
export async function serveProcesses(
  names: readonly string[],
  processes: number,
  { output, options, keys }: FrontSetting,
): Promise<ExitCode> {
  const { host, port = usual.port, out } = options;
  requireOwnFolder(out, processes);
  const said: (Said | null)[] = Array.from({ length: processes }, () => null);
  const backendsFor = (option: string): Backend[] =>
    said.map((_, at) => ({ place: at + 1, address: () => (said[at]?.[option] ?? null) as string | null }));
  const [timers, clock] = [createSystemTimers(), createSystemClock()];
  const onFault = (cause: unknown): void => output.note(`broke: ${causeText(cause)}`);
  const common = { host, keys, timers, onFault, connections: mostConnections };
  await stoppable(output, async ({ signal }) => {
    const front = await createFront({ ...common, port, backends: backendsFor('url') });
    const kept = said.map((_, at) =>
      keepProcess({
        args: argumentsOf(names, options, { place: at + 1, processes, front: front.url }),
        timers,
        clock,
        onReady: ready => void (said[at] = ready as Said),
        onGone(how) {
          said[at] = null;
          output.note(`Process ${at + 1} ended (${how}). It is started again.`);
        },
      }),
    );
    const fronts: OpenFront[] = [{ option: 'url', address: front.url, close: hurry => front.close(hurry) }];
    try {
      await Promise.all(kept.map(({ started }) => started));
      for (const entry of furtherOf(options))
        fronts.push(await openFurtherFront(entry, options, { ...common, backendsFor }));
      announce(output, { said: said.filter(one => one !== null), fronts, options });
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      const hurry = AbortSignal.timeout(graceMilliseconds);
      await Promise.all([...kept.map(({ stop }) => stop(hurry)), ...fronts.map(({ close }) => close(hurry))]);
    }
  });
  return 0;
}

/** The other protocols that were asked for. */
function furtherOf(options: ServeOptions): ProtocolEntry[] {
  return protocols.entries.filter(
    ({ name, codec }) => codec !== undefined && typeof options[optionOf(name)] === 'number',
  );
}

interface FurtherSetting extends Omit<Parameters<typeof createFront>[0], 'port' | 'backends'> {
  backendsFor(option: string): Backend[];
}

async function openFurtherFront(
  { name }: ProtocolEntry,
  options: ServeOptions,
  { backendsFor, ...common }: FurtherSetting,
): Promise<OpenFront> {
  const option = optionOf(name);
  const [port, backends] = [options[option] as number, backendsFor(option)];
  if (name === 'verifiers') return { option, ...(await createTcpFront({ ...common, port, backends })) };
  // Rollouts have batches and versions of weights of their own: one process keeps them.
  const some = name === 'rollouts' ? backends.slice(0, 1) : backends;
  const { url, close } = await createFront({ ...common, port, backends: some });
  return { option, address: url, close };
}

interface OfMany {
  readonly place: number;
  readonly processes: number;
  readonly front: string;
}

/** The command line of one of the processes: the same, with its share. */
function argumentsOf(
  names: readonly string[],
  options: ServeOptions,
  { place, processes, front }: OfMany,
): readonly string[] {
  const { task, rolloutModels, idle, sessions = usual.sessions, clientSessions, heldOut, out, log, otlp } = options;
  const given = (flag: string, ...values: readonly (string | number | undefined)[]): string[] =>
    values.length === 0 || values.includes(undefined) ? [] : [flag, ...values.map(String)];
  const ports = furtherOf(options).filter(({ name }) => name !== 'rollouts' || place === 1);
  return [
    'serve',
    ...names,
    '--json',
    ...given('--port', 0),
    ...given('--place', `${place}@${front}`),
    ...ports.flatMap(({ name }) => [`--${name}`, '0']),
    ...given('--task', task),
    ...given('--rollout-models', ...(rolloutModels ?? [])),
    ...given('--idle', idle),
    ...given('--sessions', Math.ceil(sessions / processes)),
    ...given('--client-sessions', clientSessions),
    ...(heldOut === true ? ['--held-out'] : []),
    ...given('--out', out === undefined ? undefined : folderOf(out, place)),
    ...given('--log', log),
    ...given('--otlp', otlp),
  ];
}

function folderOf(out: string, place: number | string): string {
  return join(out, `process-${place}`);
}

/** Sessions that were kept are in the folder of their process: it must be served again. */
function requireOwnFolder(out: string | undefined, processes: number): void {
  if (out === undefined || !existsSync(out)) return;
  if (existsSync(join(out, 'sessions.jsonl')))
    throw invalidOption(
      `${out} has the sessions of a server of one process.`,
      'Go on with it without --processes, or give another folder as --out.',
    );
  const places = readdirSync(out).flatMap(name => /^process-(\d+)$/.exec(name)?.[1] ?? []);
  const most = Math.max(0, ...places.map(Number));
  if (most > processes)
    throw invalidOption(
      `${out} has the sessions of ${most} processes, and ${processes} would serve it.`,
      `Expected --processes ${most} or more, or another folder as --out.`,
    );
}

interface Announcement {
  readonly said: readonly Said[];
  readonly fronts: readonly OpenFront[];
  readonly options: ServeOptions;
}

function announce(output: Output, { said, fronts, options }: Announcement): void {
  const { paint, line } = output;
  const environments = said[0]?.environments ?? [];
  const [resumed, lost] = [sumOf(said, 'sessions'), sumOf(said, 'lost')];
  const urls = Object.fromEntries(fronts.map(({ option, address }) => [option, address]));
  if (options.json === true) return output.json({ ...urls, environments, processes: said.length, resumed });
  line(`Serving ${environments.join(', ')} at ${paint.bold(urls['url'] ?? '')} in ${count(said.length, 'process')}`);
  if (resumed + lost > 0) line(`Resumed ${count(resumed, 'session')}${lost > 0 ? `; ${lost} could not go on` : ''}.`);
  if (options.out !== undefined) line(paint.dim(`Each process keeps a run: ${folderOf(options.out, '1')}, …`));
  for (const { name, codec } of furtherOf(options)) line(paint.dim(codec?.told(urls[optionOf(name)] ?? '') ?? ''));
  line(paint.dim('Ctrl+C stops it.'));
}

function sumOf(said: readonly Said[], what: 'sessions' | 'lost'): number {
  return said.reduce((sum, { resumed }) => sum + (resumed?.[what] ?? 0), 0);
}

/** Is the one address of servers on other machines, until it is stopped. */
export async function serveBehind(
  addresses: readonly string[],
  { output, options, keys }: FrontSetting,
): Promise<ExitCode> {
  const { host, port = usual.port, json } = options;
  await Promise.all(addresses.map((address, at) => requirePlace(address, at + 1, { output, keys })));
  const backends = addresses.map((address, at) => ({ place: at + 1, address: () => address }));
  const onFault = (cause: unknown): void => output.note(`broke: ${causeText(cause)}`);
  const timers = createSystemTimers();
  await stoppable(output, async ({ signal }) => {
    const front = await createFront({ host, port, keys, timers, onFault, backends, connections: mostConnections });
    if (json === true) output.json({ url: front.url, behind: addresses });
    else output.line(`${count(addresses.length, 'server')} at ${output.paint.bold(front.url)}. Ctrl+C stops it.`);
    if (!signal.aborted) await once(signal, 'abort');
    await front.close(AbortSignal.timeout(graceMilliseconds));
  });
  return 0;
}

const askMilliseconds = 5000;

/** A server that stands elsewhere than its sessions say would be asked for those of another. */
async function requirePlace(
  address: string,
  place: number,
  { output, keys }: Pick<FrontSetting, 'output' | 'keys'>,
): Promise<void> {
  const headers = keys.student === null ? {} : { authorization: `Bearer ${keys.student}` };
  const signal = AbortSignal.timeout(askMilliseconds);
  const answer = await fetch(new URL('/metadata', address), { headers, signal }).catch(() => null);
  if (answer === null) return output.note(`${address} cannot be reached yet.`);
  if (answer.status === 401)
    throw invalidOption(
      `${address} has other keys than this server.`,
      'Expected the same ESPALIER_STUDENT_KEY and ESPALIER_TEACHER_KEY at all of them: wrong ones are refused here.',
    );
  // Other protocols say nothing of their place.
  if (!answer.ok) return;
  const { capabilities } = (await answer.json()) as { readonly capabilities?: { readonly place?: number } };
  if (capabilities?.place === place) return;
  throw invalidOption(
    `${address} was started ${capabilities?.place === undefined ? 'without --place' : `as number ${capabilities.place}`}, and is number ${place} here.`,
    `Expected a server that was started with --place ${place}@<address of this server>.`,
  );
}
