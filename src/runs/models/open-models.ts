import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { GrammarForm } from '../../core/chat/chat.ts';
import type { Model, ModelCall } from '../../core/chat/model.ts';
import type { Clock, Timers } from '../../core/clock.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import { EspalierError } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import { parseRecord } from '../../core/records.ts';
import type { ModuleShape } from '../../core/naming/registry.ts';
import type { ClientDialect } from '../../models/dialects/dialect.ts';
import { dialects } from '../../models/dialects/dialects.ts';
import type { LlmOptions } from '../../agents/llm/ask.ts';
import { createAnswerBudget } from '../../models/endpoints/answer-budget.ts';
import { createModel, defaultDeadlines } from '../../models/endpoints/client.ts';
import { dialectModuleOf, isNear, keyOf, readEndpoint, type Endpoint } from '../../models/endpoints/endpoint.ts';
import { createLedger, nothingSpent, spentSchema, type Budget, type Spent } from '../../models/endpoints/ledger.ts';
import { createEndpointConnection, type EndpointConnection } from '../../models/endpoints/connection.ts';
import { readPrices, type Prices } from '../../models/endpoints/prices.ts';
import { writeWhole } from '../folder/folder.ts';
import { createAnswerWatch } from './answer-watch.ts';
import { checkEndpoint } from './check-endpoint.ts';
import type { ModelConfig, SpendingConfig } from '../settings/model-config.ts';
import { readPromptFolder } from '../settings/prompt-files.ts';
import { readJson, readText } from '../../modules/read-file.ts';
import { loadPlugin } from '../registry/load-plugin.ts';

interface ModelsOptions {
  readonly spending: SpendingConfig;
  /** Of the run: what was spent is kept in it. Null for a run whose budget is kept elsewhere. */
  readonly folder: string | null;
  /** A budget that is kept elsewhere. */
  readonly budget?: Budget | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  /** The environment, for keys. */
  readKey(name: string): string | undefined;
  /** Takes a remark for the user. */
  onNotice(text: string): void;
  /** The budget of the run is gone, or an endpoint is: there is nobody to ask any more. */
  onStop(why: EspalierError): void;
}

type Role = 'policy' | 'reviewer' | 'verifier';

/** The models that a run asks, behind their endpoints, with one budget for all. */
export interface Models {
  /** Connects to an endpoint; throws when nobody is there, or does not know the model. */
  open(config: Pick<ModelConfig, 'model' | 'url' | 'deadline'>, role: Role): Promise<OpenModel>;
  /** Resolves when nobody waits for an answer any more. */
  settled(): Promise<void>;
  spent(): Spent;
  /** Adds what other machines have spent for the run. */
  add(spent: Spent): void;
  /** Writes down what was spent so far. */
  save(): void;
  close(): void;
}

interface OpenModel {
  readonly endpoint: Endpoint;
  readonly model: Model;
  /** What the server says of it; null when it does not. */
  readonly version: string | null;
  readonly grammar: GrammarForm;
  /** Hears of every exchange with it. */
  onCall(call: ModelCall): void;
}

/** So much of what was spent may be forgotten when the program is killed. */
const saveMilliseconds = 1000;

export function createModels(options: ModelsOptions): Models {
  const { spending, folder, clock, timers, readKey } = options;
  const file = folder === null ? null : join(folder, 'spending.json');
  const prices = spending.prices === null ? undefined : readPriceFile(spending.prices);
  const ledger = createLedger({
    dollars: spending.dollars ?? Infinity,
    tokens: spending.tokens ?? Infinity,
    spent: file === null ? nothingSpent : readSpent(file),
    onExhausted: options.onStop,
  });
  const answers = createAnswerBudget();
  const lines = new Map<string, EndpointConnection>();
  const open = new Set<Promise<unknown>>();
  const random = createRandom(`pauses ${clock.now()}`);

  const save = (): void => {
    if (file !== null && ledger.spent().calls > 0) writeWhole(file, `${JSON.stringify(ledger.spent(), null, 2)}\n`);
  };
  let savedAt = clock.now();
  const saveNowAndThen = (): void => {
    if (clock.now() - savedAt < saveMilliseconds) return;
    savedAt = clock.now();
    save();
  };
  const lineTo = (endpoint: Endpoint): EndpointConnection => {
    const known = lines.get(endpoint.name);
    if (known !== undefined) return known;
    const key = keyOf(endpoint, readKey);
    const onConcession = (text: string): void => options.onNotice(`${endpoint.name} ${text}`);
    const line = createEndpointConnection({ endpoint, key, clock, timers, random, answers, onConcession });
    lines.set(endpoint.name, line);
    return line;
  };
  return {
    async open({ model, url, deadline }, boundary) {
      const endpoint = await openEndpoint(url === null ? model : `${model}@${url}`);
      const line = lineTo(endpoint);
      const facts = await checkEndpoint(endpoint, line.key);
      const asked = modelOn(line, boundary, { ledger: options.budget ?? ledger, prices, deadline });
      const onCall = createAnswerWatch(text => options.onNotice(`${endpoint.name}: ${text}`));
      return {
        endpoint,
        ...facts,
        onCall,
        model: watched(asked, { open, onStop: options.onStop, onAnswer: saveNowAndThen }),
      };
    },
    async settled() {
      await Promise.allSettled(open);
    },
    spent: ledger.spent,
    add: ledger.add,
    save,
    close() {
      for (const line of lines.values()) line.close();
    },
  };
}

/** Loads the dialect where it is a module of the user's. */
async function openEndpoint(text: string): Promise<Endpoint> {
  const module = dialectModuleOf(text);
  if (module === null) return readEndpoint(text);
  const { create } = await loadPlugin<ClientDialect>(module, dialects.module as ModuleShape);
  return readEndpoint(text, create());
}

function modelOn(
  line: EndpointConnection,
  boundary: Role,
  { ledger, prices, deadline }: { ledger: Budget; prices: Prices | undefined; deadline: number | null },
): Model {
  const total = deadline === null ? defaultDeadlines.total : deadline * 1000;
  return createModel({
    line,
    boundary,
    ledger,
    // Who does not stream says everything with the first token.
    deadlines: { total, firstToken: deadline === null ? defaultDeadlines.firstToken : total },
    ...(prices === undefined ? {} : { prices }),
  });
}

/** An endpoint that cannot be asked is no fault of an episode: the run stops, and the next start goes on with it. */
const outages: ReadonlySet<string> = new Set(['unavailable', 'bad-key', 'unknown-model', 'rate-limited']);

interface Watch extends Pick<ModelsOptions, 'onStop'> {
  readonly open: Set<Promise<unknown>>;
  onAnswer(): void;
}

/** The same model; what is asked of it stands among what is open. */
function watched(model: Model, { open, onStop, onAnswer }: Watch): Model {
  return {
    ...model,
    complete(request, signal) {
      const answer = model.complete(request, signal);
      open.add(answer);
      answer.then(
        () => {
          open.delete(answer);
          onAnswer();
        },
        (cause: unknown) => {
          open.delete(answer);
          if (cause instanceof EspalierError && outages.has(cause.code)) onStop(cause);
        },
      );
      return answer;
    },
  };
}

function readPriceFile(path: string): Prices {
  if (existsSync(path) && statSync(path).isFile()) return readPrices(readText(path), path);
  throw new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `There is no file of prices ${path}.`,
    expected: 'Expected JSON such as {"models":{"qwen3":{"prompt":0.2,"completion":0.8}}}, for --set spending.prices.',
  });
}

function readSpent(path: string): Spent {
  if (!existsSync(path)) return nothingSpent;
  return parseRecord(spentSchema, readJson(path), { what: `spending in ${path}`, code: 'corrupt-record' });
}

interface AskingOptions {
  readonly opened: OpenModel;
  readonly config: ModelConfig;
  readonly signal: AbortSignal;
}

/** How a model is asked in the episodes of a run. Served policies of ours are told where the episode stands. */
export function createAsking({ opened, config, signal }: AskingOptions): (head: EpisodeHead | null) => LlmOptions {
  const { endpoint, model, onCall } = opened;
  const prompts = readPromptFolder(config.prompts, config.promptHashes);
  const { form, observe, speech, window, temperature, maxTokens, tokens } = config;
  const isServed = endpoint.kind === 'espalier';
  const isHeld = config.grammar === undefined ? false : (config.grammar ?? (isNear(endpoint) && !isServed));
  const canBeHeld = endpoint.dialect.name === 'openai';
  // An episode that is begun again is another one to who remembers the first.
  const start = randomUUID();
  return head => ({
    model,
    name: config.model,
    prompts,
    ...(form === undefined ? {} : { form }),
    observe,
    speech,
    signal,
    onCall,
    ...(isHeld && canBeHeld ? { grammar: opened.grammar } : {}),
    wantsTokens: tokens ?? (endpoint.kind === 'openai' && isNear(endpoint)),
    sampling: {
      ...(temperature === null ? {} : { temperature }),
      ...(maxTokens === null ? {} : { maxTokens }),
      // Whoever serves nearby can mostly draw the same again.
      ...(isNear(endpoint) && endpoint.dialect.name === 'openai' ? { seed: 'drawn' as const } : {}),
    },
    ...(window === null ? {} : { window }),
    ...(isServed && head !== null ? { served: { episode: `${head.run}/${head.key} ${start}`, task: head.task } } : {}),
  });
}
