import { resolve } from 'node:path';
import { causeText, EspalierError, invalidOption } from '../../core/errors.ts';
import type { ModuleShape } from '../../core/naming/registry.ts';
import { openEnvironment } from '../../runs/environments/open-environment.ts';
import { taskNamed } from '../../runs/environments/task-name.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { loadPlugin } from '../../runs/registry/load-plugin.ts';
import { protocols } from '../../serve/assembly/protocols.ts';
import type { Listening } from '../../serve/http.ts';
import { createListener, type Protocol, type ProtocolContext } from '../../serve/protocol.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { endProcess } from '../../system/workers/process-guard.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';
import { readNamedValues } from '../flags/named-values.ts';
import { openServedEpisodes } from './open-episodes.ts';

export interface ServeRequest {
  readonly protocol: string;
  readonly environment: string;
  readonly task?: string | undefined;
  readonly option?: readonly string[] | undefined;
  readonly host: string;
  readonly port: number;
  readonly idle: number;
  readonly sessions: number;
  readonly out?: string | undefined;
}

/** A client may take its time between two steps, and a world that takes longer counts as broken. */
const limits = { steps: Infinity, waitMilliseconds: 120_000 };
/** How long calls under way may take when the server is stopped. */
const graceMilliseconds = 3000;

/** Offers an environment by a protocol of the user's until it is stopped. */
export async function serve(output: Output, request: ServeRequest): Promise<ExitCode> {
  const protocol = await protocolOf(request);
  const environment = await openEnvironment(request.environment, { host: createSystemHost() });
  const onFault = (cause: unknown): void => output.note(`broke: ${causeText(cause)}`);
  const served = openServedEpisodes({
    environment,
    name: request.environment,
    driver: protocol.name,
    limits,
    idleMilliseconds: request.idle * 1000,
    most: request.sessions,
    out: request.out,
    note: output.note,
    onFault,
  });
  const listening: Listening[] = [];
  const { host, port } = request;
  const listen = createListener({ host, port, onFault });
  let isLeftBehind = false;
  const usual = request.task ?? environment.templates[0]?.id ?? '';
  try {
    await taskNamed(environment, usual);
    await stoppable(output, async ({ signal }) => {
      const context: ProtocolContext = {
        episodes: served.episodes,
        task: name => taskNamed(environment, name ?? usual),
        async listen(handler) {
          const opened = await listen(handler);
          listening.push(opened);
          return opened;
        },
        host,
        port,
        signal,
        announce: output.line,
      };
      isLeftBehind = !(await untilStopped(protocol, context));
    });
  } finally {
    const hurry = AbortSignal.timeout(graceMilliseconds);
    await Promise.all(listening.map(opened => opened.close(hurry)));
    await served.close();
  }
  // The protocol may have left something running that would keep this process alive.
  if (isLeftBehind) endProcess(0);
  return 0;
}

async function protocolOf({ protocol: name, option = [] }: ServeRequest): Promise<Protocol> {
  if (!isModulePath(name)) throw ownVerb(protocols.need(name));
  const options = readNamedValues(option, 'a protocol');
  const { create } = await loadPlugin<Protocol>(resolve(name), protocols.module as ModuleShape, options);
  return create(options);
}

/** False when the protocol did not return in time after the signal: it is left behind. */
async function untilStopped(protocol: Protocol, context: ProtocolContext): Promise<boolean> {
  const { signal } = context;
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<false>(giveUp => {
    const stop = (): void => void (timer = setTimeout(giveUp, graceMilliseconds, false));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([Promise.resolve(protocol.serve(context)).then(() => true), stopped]);
  } catch (cause) {
    if (signal.aborted) return true;
    throw cause instanceof EspalierError ? cause : threw(protocol, cause);
  } finally {
    clearTimeout(timer);
  }
}

export function ownVerb({ name, verb }: { readonly name: string; readonly verb: string }): EspalierError {
  return invalidOption(
    `The protocol "${name}" has a verb of its own.`,
    `Expected the path of a module that exports \`protocol\`; see espalier ${verb} --help for this one.`,
  );
}

function threw({ name }: Protocol, cause: unknown): EspalierError {
  return new EspalierError({
    boundary: 'strategy',
    code: 'threw',
    message: `The protocol "${name}" threw: ${causeText(cause)}.`,
    expected: 'Expected serve() to return when its signal is raised.',
    cause,
  });
}
