import { join } from 'node:path';
import type { Model } from '../../../core/chat/model.ts';
import type { Clock, Timers } from '../../../core/clock.ts';
import { EspalierError, invalidOption } from '../../../core/errors.ts';
import { readEndpoint } from '../../../models/endpoints/endpoint.ts';
import type { RolloutService, SubmitRequest } from '../../rollouts/contract.ts';
import type { ServedEnvironment } from '../../sessions/served-session.ts';
import { SessionError } from '../../sessions/session-error.ts';
import { environmentOf, taskFor, type SessionsOptions } from '../../sessions/sessions.ts';
import type { Store } from '../../../store/store.ts';
import { runNameOf } from '../../../runs/folder/folder.ts';
import { createModels, type Models } from '../../../runs/models/open-models.ts';
import { createRolloutFile } from './rollout-file.ts';
import type { VerifiersServerOptions } from '../../verifiers/environment-server.ts';
import type { SessionSetting } from './run-session.ts';
import { createVerifiersRun, type TaskChoice } from './verifiers-run.ts';
import { createRolloutService, type RunningRollouts } from './rollout-service.ts';

/** Which model servers may be asked for clients, and where their keys are. */
export interface ModelAccess {
  /** Addresses of model servers that may be asked: `http://127.0.0.1:8000`, or `http://127.0.0.1:*` for every port. */
  readonly addresses: readonly string[];
  /** An environment variable. */
  variable(name: string): string | undefined;
}

export interface RolloutsOptions {
  readonly environments: readonly ServedEnvironment[];
  readonly task: SessionsOptions['task'];
  /** Whether held-out templates may be run. */
  readonly opensHeldOut?: boolean | undefined;
  readonly store: Store | null;
  /** The folder of the run. */
  readonly out?: string | undefined;
  readonly modelAccess?: ModelAccess | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly version: string;
  createId(): string;
  onFault(cause: unknown): void;
}

export interface Rollouts {
  /** Starts the service at the first call, and goes on with what an earlier server left. */
  service(): Promise<RolloutService>;
  /** Runs a rollout for a client of verifiers. */
  verifiersRun(): VerifiersServerOptions['run'];
  close(): Promise<void>;
}

/** Sessions at once: endpoints batch as many. */
const mostAtOnce = 256;

export function openRollouts(options: RolloutsOptions): Rollouts {
  let opened: Opened | null = null;
  let service: RunningRollouts | null = null;
  const open = (): Opened => (opened ??= openParts(options));
  return {
    async service() {
      if (service !== null) return service;
      const { models, addresses, setting, run, out } = open();
      service = createRolloutService({
        ...setting,
        run,
        onFault: options.onFault,
        file: createRolloutFile(join(out, 'rollouts.jsonl')),
        most: mostAtOnce,
        taskOf: request => taskOf(options, request),
        modelOf: ({ model }) => openModel(models, model, addresses),
      });
      await service.resume();
      return service;
    },
    verifiersRun() {
      const { models, addresses, setting, run } = open();
      const { version, createId } = options;
      const modelOf = (wanted: Parameters<typeof openModel>[1]) => openModel(models, wanted, addresses);
      return createVerifiersRun({
        ...setting,
        run,
        version,
        createId,
        modelOf,
        taskOf: choice => taskOf(options, choice),
      });
    },
    async close() {
      await service?.close();
      opened?.models.save();
      opened?.models.close();
    },
  };
}

interface Opened {
  readonly models: Models;
  readonly addresses: readonly string[];
  readonly setting: SessionSetting;
  readonly run: string;
  readonly out: string;
}

function openParts({ store, out, modelAccess, clock, timers, onFault }: RolloutsOptions): Opened {
  if (store === null || out === undefined) throw needsFolder();
  const access = modelAccess ?? { addresses: [], variable: () => undefined };
  const models = createModels({
    spending: { dollars: null, tokens: null, prices: null },
    folder: out,
    clock,
    timers,
    readKey: access.variable,
    onNotice: text => onFault(new Error(text)),
    // An endpoint that is gone ends its sessions, not the server.
    onStop: onFault,
  });
  return { models, addresses: access.addresses, setting: { store, clock, timers }, run: runNameOf(out), out };
}

/** Rollouts train policies, so held-out templates are as closed to them as to students. */
async function taskOf(options: RolloutsOptions, { environment: id, ...choice }: TaskChoice) {
  const served = environmentOf(options.environments, id);
  const request = { task: choice.task, seed: choice.seed };
  return { environment: served.environment, task: await taskFor(served, { request, role: 'student' }, options) };
}

/** A client must not make this server ask any address that it likes. */
async function openModel(
  models: Pick<Models, 'open'>,
  { base_url: url, model }: Pick<SubmitRequest['model'], 'base_url' | 'model'>,
  addresses: readonly string[],
): Promise<Model> {
  const endpoint = readEndpoint(`openai:${model}@${url}`);
  if (endpoint.model !== model) throw new SessionError('invalid', `"${model}" is no name of a model.`);
  const { origin } = new URL(endpoint.url);
  if (!addresses.some(address => isAddressOf(address, endpoint.url)))
    throw new SessionError(
      'forbidden',
      `This server does not ask models at ${origin}. Start it with --rollout-models ${origin} to allow that.`,
    );
  try {
    return (await models.open({ model: `openai:${model}`, url: endpoint.url, deadline: null }, 'policy')).model;
  } catch (cause) {
    throw noModel(`${model} at ${origin}`, cause);
  }
}

const anyPort = /:\*$/;

/** Whether an allowed address covers the address of a model server. */
export function isAddressOf(allowed: string, url: string): boolean {
  const [wanted, found] = [URL.parse(allowed.replace(/\/$/, '').replace(anyPort, '')), URL.parse(url)];
  if (wanted === null || found === null) return false;
  if (!anyPort.test(allowed)) return wanted.origin === found.origin;
  return wanted.protocol === found.protocol && wanted.hostname === found.hostname;
}

/** What the server there said is not repeated: a client must not read through this server what it cannot reach itself. */
function noModel(which: string, cause: unknown): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: cause instanceof EspalierError ? cause.code : 'unavailable',
    message: `The model ${which} cannot be asked.`,
    expected: 'Start it, and check its name and its address: most end in /v1.',
    cause,
  });
}

function needsFolder(): EspalierError {
  return invalidOption(
    'Rollouts are written down before they are answered, and there is no folder for them.',
    'Name one with --out.',
  );
}
