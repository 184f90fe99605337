import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { Timers } from '../../core/clock.ts';
import { causeText, invalidOption } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { familyOf } from '../../runs/environments/families.ts';
import { openEnvironment } from '../../runs/environments/open-environment.ts';
import { openWeb } from '../../runs/environments/web.ts';
import { importModule, isModulePath } from '../../modules/load-module.ts';
import { plainBrowser } from '../../runs/settings/browser-config.ts';
import { firstEvaluationSeed } from '../../runs/settings/seeds.ts';
import { protocols, type Codec, type OpenPort } from '../../serve/assembly/protocols.ts';
import { createServedParts, type ServedParts } from '../../serve/assembly/served-parts.ts';
import { createOffer } from '../../serve/mcp/offer.ts';
import type { Keys, Role } from '../../serve/sessions/keys.ts';
import { sessionId } from '../../serve/sessions/place.ts';
import type { Resumed } from '../../serve/sessions/resume-sessions.ts';
import type { ServedEnvironment } from '../../serve/sessions/served-session.ts';
import { createOtlpExporter } from '../../serve/telemetry/otlp.ts';
import { createTracer, type Tracer } from '../../serve/telemetry/traced-episodes.ts';
import { packageVersion } from '../../system/about.ts';
import { createSystemClock, createSystemTimers } from '../../system/clock.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { createPlanThread } from '../../system/plan-thread/plan-thread.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';
import { ownVerb, serve } from './serve.ts';
import { createServerLog } from './server-log.ts';
import { keysFor, optionOf, usual, type ServeOptions } from './serve-options.ts';

/** How long requests under way may take when the server is stopped. */
const graceMilliseconds = 10_000;
/** Sessions of pages that run at once; further ones wait. */
const mostPageSessions = 64;

/** By OpenEnv, or by the protocol of the user's module that goes first. */
export async function serveNames(output: Output, names: readonly string[], options: ServeOptions): Promise<ExitCode> {
  const [first, second, ...more] = names;
  if (options.behind !== undefined) return serveOthers(output, names, { ...options, behind: options.behind });
  if (first === undefined)
    throw invalidOption('There is nothing to serve.', 'Expected an environment, such as espalier serve mail.');
  const entry = protocols.entries.find(({ name }) => name === first);
  if (entry !== undefined) throw ownVerb(entry);
  const isModule = familyOf(first) === null && isModulePath(first);
  if (!isModule || !(await isProtocolModule(first))) return serveEnvironments(output, names, options);
  if (second === undefined || more.length > 0)
    throw invalidOption(
      `A protocol of your own serves one environment, not ${names.length - 1}.`,
      'Expected one after it.',
    );
  const { port = 0, sessions = usual.protocolSessions, processes, place, ...rest } = options;
  if (processes !== undefined || place !== undefined)
    throw invalidOption(
      'A protocol of your own is served by one process.',
      'Leave out --processes and --place: what tells its sessions apart is not known.',
    );
  return serve(output, { protocol: first, environment: second, ...rest, port, sessions });
}

/** A module that is no environment is taken for a protocol, so that what is wrong with it is told as such. */
async function isProtocolModule(path: string): Promise<boolean> {
  const { app, environment } = await importModule(resolve(path));
  return app === undefined && environment === undefined;
}

/** Is the address of other servers. */
async function serveOthers(
  output: Output,
  names: readonly string[],
  options: ServeOptions & Required<Pick<ServeOptions, 'behind'>>,
): Promise<ExitCode> {
  const { behind, processes, place, out, host } = options;
  if (names.length > 0 || processes !== undefined || place !== undefined || out !== undefined)
    throw invalidOption(
      'With --behind other servers serve, and this one passes on what they are asked.',
      'Leave out environments, --processes, --place and --out.',
    );
  const { serveBehind } = await import('./serve-front.ts');
  return serveBehind(behind ?? [], { output, options, keys: keysFor(host) });
}

/** Serves environments by OpenEnv until it is stopped. */
async function serveEnvironments(output: Output, names: readonly string[], options: ServeOptions): Promise<ExitCode> {
  const keys = keysFor(options.host);
  if (options.processes !== undefined) {
    const { serveProcesses } = await import('./serve-front.ts');
    return serveProcesses(names, options.processes, { output, options, keys });
  }
  const place = options.place === undefined ? null : { ...options.place, keyOf: (role: Role) => keys[role] };
  const environments = await openAll(names, Math.min(options.sessions ?? mostPageSessions, mostPageSessions));
  const logPath = options.log ?? (options.out === undefined ? null : join(options.out, 'server.jsonl'));
  const log = createServerLog(logPath, output.note);
  const timers = createSystemTimers();
  const tracer = options.otlp === undefined ? null : tracerFor(options.otlp, { timers, warn: output.note });
  const planning = createPlanThread(names);
  const parts = createServedParts({
    ...options,
    place,
    tracer,
    plan: planning.plan,
    sessions: options.sessions ?? usual.sessions,
    environments,
    log,
    version: packageVersion(),
    clock: createSystemClock(),
    timers,
    drawSeed: () => randomInt(1, firstEvaluationSeed),
    createId: () => sessionId(place?.number ?? null, randomBytes(16).toString('base64url')),
    modelAccess: { addresses: options.rolloutModels ?? [], variable: createSystemHost().variable },
  });
  try {
    await stoppable(output, async ({ signal }) => {
      const resumed = await parts.resume();
      const { host } = options;
      const server = await parts.listen({ host, port: options.port ?? usual.port, keys });
      const further = await openFurther(parts, options, keys).catch(async cause => {
        await server.close(AbortSignal.abort());
        throw cause;
      });
      const urls = { url: server.url, ...Object.fromEntries(further.map(({ option, address }) => [option, address])) };
      announce(output, { urls, further, environments, resumed, json: options.json });
      log.write('listening', { ...urls, environments: names, ...resumed });
      if (!signal.aborted) await once(signal, 'abort');
      const hurry = AbortSignal.timeout(graceMilliseconds);
      await Promise.all([server, ...further].map(({ close }) => close(hurry)));
    });
    return 0;
  } finally {
    await parts.close();
    await planning.close();
    for (const { environment } of environments) await environment.close?.();
    log.write('stopped', {});
  }
}

/** Spans for the collector at an address. */
function tracerFor(
  endpoint: string,
  { timers, warn }: { readonly timers: Timers; warn(message: string): void },
): Tracer {
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw invalidOption(
      `--otlp is "${endpoint}".`,
      'Expected the address of a collector, such as http://127.0.0.1:4318.',
    );
  const onFault = (cause: unknown): void => warn(causeText(cause));
  return createTracer({
    exporter: createOtlpExporter({ endpoint, version: packageVersion(), timers, onFault }),
    // Collectors compare spans of several machines: they need the wall clock.
    now: () => performance.timeOrigin + performance.now(),
    randomHex: bytes => randomBytes(bytes).toString('hex'),
  });
}

/** A port of another protocol, with the name that it has among the options: `nemoGym`. */
interface FurtherPort extends OpenPort {
  readonly option: string;
  readonly codec: Codec;
}

/** Opens the ports of the other protocols that were asked for. */
async function openFurther(parts: ServedParts, options: ServeOptions, keys: Keys): Promise<readonly FurtherPort[]> {
  const opened: FurtherPort[] = [];
  try {
    for (const { name, codec } of protocols.entries) {
      const option = optionOf(name);
      const port = options[option];
      if (codec === undefined || typeof port !== 'number') continue;
      opened.push({ ...(await parts.open(codec, { host: options.host, port, keys })), option, codec });
    }
    return opened;
  } catch (cause) {
    // What is open already would keep a server that could not start from ending.
    await Promise.all(opened.map(({ close }) => close(AbortSignal.abort())));
    throw cause;
  }
}

async function openAll(names: readonly string[], pageSessions: number): Promise<ServedEnvironment[]> {
  const host = createSystemHost();
  const served: ServedEnvironment[] = [];
  for (const name of names) {
    // A session that replays its path has two pages. No browser starts before the first page.
    const web = openWeb({ config: plainBrowser, pages: 2 * pageSessions + 1, host });
    const environment = await openEnvironment(name, { host, web });
    if (served.some(other => other.environment.id === environment.id))
      throw invalidOption(
        `There are two environments with the id "${environment.id}".`,
        'Expected each environment once.',
      );
    served.push({
      environment,
      offer: createOffer(environment.id, environment.tools, environment.hasScreen !== false),
    });
  }
  return served;
}

interface Announcement {
  readonly urls: { readonly url: string };
  readonly further: readonly FurtherPort[];
  readonly environments: readonly ServedEnvironment[];
  readonly resumed: Resumed | null;
  readonly json: boolean | undefined;
}

function announce(output: Output, { environments, resumed, json, urls, further }: Announcement): void {
  const { paint, line, json: print } = output;
  const ids = environments.map(({ environment }) => environment.id);
  const { url } = urls;
  if (json === true) return print({ ...urls, environments: ids, resumed });
  line(`Serving ${ids.join(', ')} at ${paint.bold(url)}`);
  if (resumed !== null && resumed.sessions + resumed.lost > 0)
    line(
      `Resumed ${count(resumed.sessions, 'session')}${resumed.lost > 0 ? `; ${resumed.lost} could not go on` : ''}.`,
    );
  for (const [environment, waiting] of Object.entries(resumed?.waiting ?? {}))
    line(`${count(waiting, 'session')} will go on when ${environment} is served again.`);
  line(paint.dim(`OpenEnv clients connect to ${url}; docs/serving.md has the protocol.`));
  for (const { codec, address } of further) line(paint.dim(codec.told(address)));
  line(paint.dim('Ctrl+C stops it.'));
}
