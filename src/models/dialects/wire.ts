import type { z } from 'zod';
import { chatPartSchema, type ChatPart } from '../../core/chat/chat.ts';
import { isJson, isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { MalformedError, type Refusal, type WireError } from './dialect.ts';

/** Reads what came by its schema; says which member is wrong. */
export function parseWire<Schema extends z.ZodType>(schema: Schema, what: string, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, code, message } = deepestIssue(parsed.error.issues);
  throw new MalformedError(`${nameOf(what, path)}: ${code === 'custom' ? `expected ${message}` : message}.`);
}

/** For a union, the issue of the alternative that matched furthest. */
function deepestIssue(
  issues: readonly z.core.$ZodIssue[],
): Pick<z.core.$ZodIssue, 'path' | 'message'> & { readonly code?: string } {
  const [first] = issues;
  if (first === undefined) return { path: [], message: 'invalid' };
  if (first.code !== 'invalid_union' || first.errors.length === 0) return first;
  const inner = first.errors.map(deepestIssue);
  const deepest = inner.reduce((best, issue) => (issue.path.length > best.path.length ? issue : best));
  if (deepest.path.length === 0)
    return { path: first.path, message: inner.map(({ message }) => message).join(', or ') };
  return { path: [...first.path, ...deepest.path], message: deepest.message };
}

/** Members of something named by a phrase are named by themselves, others with what they are part of. */
function nameOf(what: string, path: readonly PropertyKey[]): string {
  if (path.length === 0) return what;
  const name = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return what.includes(' ') ? name.replace(/^\./, '') : what + name;
}

/** The members that are set; null counts as not set. */
export function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** JSON of an event; throws a MalformedError when it is none. */
export function parseEventData(data: string): Json {
  try {
    return JSON.parse(data) as Json;
  } catch {
    throw new MalformedError(`An event of the stream is not JSON: ${shorten(data)}`);
  }
}

export function parseDataUrl(url: string, member: string): ChatPart {
  const comma = url.indexOf(',');
  const [, type] = /^data:([^;,]+);base64$/.exec(url.slice(0, Math.max(comma, 0))) ?? [];
  if (type === undefined)
    throw new MalformedError(
      `${member}: expected an image as data:image/png;base64,…; nothing is fetched from elsewhere.`,
    );
  return parseImage(type, url.slice(comma + 1), member);
}

export function parseImage(type: string, data: string, member: string): ChatPart {
  const parsed = chatPartSchema.safeParse({
    type: 'image',
    mediaType: type.replace(/^image\/jpg$/, 'image/jpeg'),
    data,
  });
  if (parsed.success) return parsed.data;
  throw new MalformedError(
    `${member}: ${type} is no image that models read. Expected image/png, image/jpeg, image/webp or image/gif.`,
  );
}

export function dataUrlOf({ mediaType, data }: Extract<ChatPart, { type: 'image' }>): string {
  return `data:${mediaType};base64,${data}`;
}

/** The text of parts; a model never sees more than one after the other. */
export function textOf(parts: readonly ChatPart[]): string {
  return parts.map(part => (part.type === 'text' ? part.text : '')).join('');
}

/** OpenAI's own reasoning models: they refuse `max_tokens`, and seal their thoughts. Others take it, some nothing but it. */
export function isReasoner(model: string): boolean {
  return /^(o\d|gpt-([5-9]|\d\d))/.test(model);
}

const signs: readonly (readonly [Refusal, RegExp])[] = [
  ['no-credit', /insufficient_quota|billing_error|credit balance|exceeded your current quota/i],
  [
    'context-overflow',
    /context_length_exceeded|exceed_context_size|context (length|size|window|limit)|prompt is too long|too many (input )?tokens|input is too long/i,
  ],
  [
    'no-images',
    /image(s|_url|\(s\))?\b.*\b(not|n't|only) (be )?(support|accept|allow|provid)|at most 0 image|not a multimodal|(not|n't) support (image|vision|multimodal)/i,
  ],
  ['unknown-model', /model_not_found|model .*(does not exist|not found|not exist)|no such model|unknown model/i],
];

/** What a status and a text mean. Servers of one dialect differ in codes, so that their words are read as well. */
export function classifyError(status: number, body: unknown): WireError {
  const message = messageOf(body) ?? `status ${status}`;
  // Some servers repeat the request after the error text.
  const said = `${codesOf(body)} ${message.slice(0, 500)}`;
  const [kind] = signs.find(([, sign]) => status !== 401 && sign.test(said)) ?? [kindOfStatus(status)];
  return { kind, message };
}

function kindOfStatus(status: number): Refusal {
  if (status === 401 || status === 403) return 'bad-key';
  if (status === 402) return 'no-credit';
  if (status === 404) return 'unknown-model';
  if (status === 429) return 'rate-limited';
  if ([408, 425, 502, 503, 504, 529].includes(status)) return 'overloaded';
  return status >= 500 ? 'broken' : 'bad-request';
}

function errorOf(body: unknown): Json | undefined {
  if (!isJson(body)) return undefined;
  return isJsonObject(body) ? (body['error'] ?? body) : body;
}

function messageOf(body: unknown): string | undefined {
  const error = errorOf(body);
  if (typeof error === 'string') return error.trim() === '' ? undefined : shorten(error.trim());
  if (!isJsonObject(error)) return undefined;
  const said = error['message'] ?? error['detail'];
  if (said === undefined || said === null) return undefined;
  return typeof said === 'string' ? said : shorten(JSON.stringify(said));
}

function codesOf(body: unknown): string {
  const error = errorOf(body);
  return isJsonObject(error) ? `${String(error['code'])} ${String(error['type'])}` : '';
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
