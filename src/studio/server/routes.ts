import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { actionSchema } from '../../core/action.ts';
import { describeIssues } from '../../core/records.ts';
import { HttpError, pathOf, queryOf, readJson, sendJson } from '../../serve/http.ts';
import { answerSchema, personSchema } from '../../runs/agents/reviews/answer-schema.ts';
import type { EpisodeFilter, StudioSource } from '../api/api.ts';

const whole = z.coerce.number().int().nonnegative();
const text = z.string().max(500).optional();

/** What stands in an address in the place of a number is not there, whatever it is. */
const numberOf = (noun: string) =>
  z.string().transform(given => {
    const number = /^\d+$/.test(given) ? Number(given) : NaN;
    if (Number.isSafeInteger(number)) return number;
    throw new HttpError(404, `There is no ${noun} "${given.slice(0, 80)}". An address names it by its number.`);
  });
const episodeNumber = numberOf('episode');
const stepNumber = numberOf('step');

const placeSchema = z.object({ run: z.string(), episode: episodeNumber, node: stepNumber.default(0) });
const rowsSchema = z.object({ run: z.string(), episode: episodeNumber, table: text });
const textsSchema = z.object({
  run: z.string(),
  episode: episodeNumber,
  from: whole.min(1),
  count: whole.max(200_000),
});
const episodesSchema = z.object({
  run: z.string(),
  from: whole.default(0),
  count: whole.max(500).default(100),
  sort: z.string().default(''),
  outcome: text,
  template: text,
  student: text,
  phase: text,
  cause: text,
  actor: text,
  text,
  screen: text,
  cost: z.coerce.number().optional(),
  where: z.string().max(5000).optional(),
  failure: text,
});
const memorySchema = z.object({ file: z.string().max(500), kind: text, text, from: whole.default(0) });
const pictureSchema = z.object({ run: z.string(), hash: z.string() });
const compareSchema = z.object({ left: z.string(), right: z.string() });
const runSchema = z.object({ run: z.string() });
const someRunSchema = z.object({ run: z.string().optional() });
const chartSchema = z.object({
  run: z.string().optional(),
  level: z.enum(['collected', 'newInstances', 'heldOut', 'heldOut2', 'heldOut3', 'unseenApps']),
  across: z.enum(['round', 'queries']),
});
const signalChartSchema = z.object({ run: z.string(), signal: z.string(), label: z.string() });
const viewName = z.string().trim().min(1).max(80);
const saveViewSchema = z.strictObject({
  run: z.string(),
  name: viewName,
  query: z.record(z.string().max(40), z.string().max(5000)),
});
const answerReviewSchema = z.strictObject({
  run: z.string(),
  id: z.string(),
  person: personSchema,
  answer: answerSchema,
});
const removeViewSchema = z.strictObject({ run: z.string(), name: viewName });

const role = z.enum(['student', 'teacher']);
const openSchema = z.strictObject({
  run: z.string(),
  episode: z.int().nonnegative(),
  node: z.int().nonnegative(),
  person: personSchema,
  replaces: z.int().positive().nullable(),
});
const playSchema = z.strictObject({
  run: z.string(),
  person: personSchema,
  environment: z.string(),
  template: z.string(),
  seed: z.int().nonnegative(),
});
const held = z.strictObject({ id: z.string() });
/** `seen`: the node of the screen that the person saw. */
const seenSchema = held.extend({ seen: z.int().nonnegative().optional() });
const stepSchema = seenSchema.extend({ action: actionSchema });
const askSchema = held.extend({ role });
const goOnSchema = seenSchema.extend({ role, steps: z.int().positive().max(30) });
const keepSchema = seenSchema.extend({ reason: z.string().trim().max(2000) });

type Query = Readonly<Record<string, string>>;
type Look = (source: StudioSource, query: Query) => unknown;
type Work = (source: StudioSource, body: unknown) => unknown;

const looks: Readonly<Record<string, Look>> = {
  runs: source => source.runs(),
  episodes(source, query) {
    const { run, from, count, sort, ...filter } = read(episodesSchema, query);
    return source.episodes(run, filter as EpisodeFilter, { from, count, sort });
  },
  failures: (source, query) => source.failures(read(runSchema, query).run),
  signals: (source, query) => source.signals(read(runSchema, query).run),
  advantages: (source, query) => source.advantages(read(placeSchema, query)),
  reviews: source => source.reviews.list(),
  fleet: async source => ({ fleet: await source.fleet() }),
  learning: (source, query) => source.learning.view(read(someRunSchema, query).run),
  'learning/signals': (source, query) => source.learning.signals(read(runSchema, query).run),
  memories: source => source.memories.list(),
  memory(source, query) {
    const { file, ...filter } = read(memorySchema, query);
    return source.memories.view(file, filter);
  },
  views: (source, query) => source.views(read(runSchema, query).run),
  compare(source, query) {
    const { left, right } = read(compareSchema, query);
    return source.compare(left, right);
  },
  episode(source, query) {
    const { run, episode } = read(placeSchema, query);
    return source.outline(run, episode);
  },
  texts: (source, query) => source.texts(read(textsSchema, query)),
  step: (source, query) => source.step(read(placeSchema, query)),
  changes: (source, query) => source.changes(read(placeSchema, query)),
  rows(source, query) {
    const { run, ...place } = read(rowsSchema, query);
    return source.rows(run, place);
  },
  tokens(source, query) {
    const { run, episode } = read(placeSchema, query);
    return source.tokens(run, episode);
  },
  archive: (source, query) => source.archive(read(runSchema, query).run),
  tasks: (source, query) => source.tasks(read(runSchema, query).run),
  drafts: (source, query) => source.takeOvers.drafts(read(runSchema, query).run),
  'take-over': (source, query) => source.takeOvers.look(read(held, query).id),
};

/** Everything that changes something: in a world that a person holds, or through the journal. */
const works: Readonly<Record<string, Work>> = {
  'take-over/open': (source, body) => source.takeOvers.open(read(openSchema, body)),
  'take-over/play': (source, body) => source.takeOvers.play(read(playSchema, body)),
  'take-over/step': (source, body) => {
    const { id, action, seen } = read(stepSchema, body);
    return source.takeOvers.step(id, action, seen);
  },
  'take-over/undo': (source, body) => {
    const { id, seen } = read(seenSchema, body);
    return source.takeOvers.undo(id, seen);
  },
  'take-over/ask': (source, body) => {
    const { id, role: asked } = read(askSchema, body);
    return source.takeOvers.advise(id, asked);
  },
  'take-over/go-on': (source, body) => {
    const { id, role: asked, ...how } = read(goOnSchema, body);
    return source.takeOvers.letGoOn(id, asked, how);
  },
  'take-over/verify': (source, body) => source.takeOvers.verify(read(held, body).id),
  'take-over/keep': (source, body) => {
    const { id, reason, seen } = read(keepSchema, body);
    return source.takeOvers.keep(id, reason, seen);
  },
  'take-over/drop': async (source, body) => {
    await source.takeOvers.drop(read(held, body).id);
    return {};
  },
  'reviews/answer': (source, body) => {
    const { answer, ...place } = read(answerReviewSchema, body);
    return source.reviews.answer(place, answer);
  },
  'views/save': (source, body) => {
    const { run, ...view } = read(saveViewSchema, body);
    return source.saveView(run, view);
  },
  'views/remove': (source, body) => {
    const { run, name } = read(removeViewSchema, body);
    return source.removeView(run, name);
  },
  export: (source, body) => source.exportRows(read(runSchema, body).run),
};

export const looking: readonly string[] = ['GET', 'HEAD'];
const working: readonly string[] = ['POST'];
const raw: ReadonlySet<string> = new Set(['picture', 'screen', 'learning/chart', 'learning/signal-chart', 'report']);

/** The methods of what stands under /api/; null when there is no such thing. */
export function methodsOf(path: string): readonly string[] | null {
  const name = nameOf(path);
  if (name === 'invite' || Object.hasOwn(works, name)) return working;
  return raw.has(name) || Object.hasOwn(looks, name) ? looking : null;
}

function nameOf(path: string): string {
  return /^\/api\/([a-z/-]+)$/.exec(path)?.[1] ?? '';
}

/** Answers what stands under /api/. False when there is no such thing. */
export async function answerApi(
  source: StudioSource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const name = nameOf(pathOf(request));
  const work = Object.hasOwn(works, name) ? works[name] : undefined;
  if (work !== undefined) {
    const body = await readJson(request);
    sendJson(response, 200, await work(source, body));
    return true;
  }
  const query = Object.fromEntries(queryOf(request));
  if (await sendRaw(source, { name, query }, response)) return true;
  const look = Object.hasOwn(looks, name) ? looks[name] : undefined;
  if (look === undefined) return false;
  sendJson(response, 200, await look(source, query));
  return true;
}

interface RawRequest {
  readonly name: string;
  readonly query: Query;
}

/** A frame of its own, without the rights of the studio. */
const reportPolicy =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/** A picture with a style of its own: it runs nothing and loads nothing, also when it is opened alone. */
const chartPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** Pictures, texts, charts and the report. */
async function sendRaw(source: StudioSource, request: RawRequest, response: ServerResponse): Promise<boolean> {
  const { name, query } = request;
  if (name === 'picture') {
    const { run, hash } = read(pictureSchema, query);
    const found = source.picture(run, hash);
    if (found === null) throw new HttpError(404, 'There is no such picture in this run.');
    send(response, found[0] === 0xff ? 'image/jpeg' : 'image/png', Buffer.from(found));
    return true;
  }
  if (name === 'screen') {
    send(response, 'text/plain; charset=utf-8', Buffer.from(source.screen(read(placeSchema, query))));
    return true;
  }
  if (name === 'learning/chart' || name === 'learning/signal-chart') {
    const { chart, signalChart } = source.learning;
    const drawn =
      name === 'learning/chart' ? chart(read(chartSchema, query)) : await signalChart(read(signalChartSchema, query));
    response.setHeader('content-security-policy', chartPolicy);
    send(response, 'image/svg+xml', Buffer.from(drawn));
    return true;
  }
  if (name === 'report') {
    response.setHeader('content-security-policy', reportPolicy);
    send(response, 'text/html; charset=utf-8', Buffer.from(source.report(read(runSchema, query).run)));
    return true;
  }
  return false;
}

function send(response: ServerResponse, type: string, body: Buffer): void {
  response.writeHead(200, { 'content-type': type, 'content-length': body.length });
  response.end(body);
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HttpError(400, `The request is not valid: ${describeIssues(parsed.error)}.`);
}
