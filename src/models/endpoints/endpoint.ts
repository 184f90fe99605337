import { isIP } from 'node:net';
import { EspalierError, invalidOption } from '../../core/errors.ts';
import type { ClientDialect, Dialect } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/dialects.ts';

/** `module` has a dialect of the user's. */
type Kind = 'openai' | 'responses' | 'anthropic' | 'espalier' | 'module';

/** Where a model is, and how it is spoken to. */
export interface Endpoint {
  /** `espalier` is a policy that we serve: it speaks as OpenAI does, and takes one member more. */
  readonly kind: Kind;
  readonly dialect: ClientDialect;
  readonly model: string;
  /** The base address, without a slash at its end. */
  readonly url: string;
  /** All of it in one text: `openai:qwen3@http://127.0.0.1:8000/v1`. Never a key. */
  readonly name: string;
}

interface Family {
  /** Null where it comes from a module. */
  readonly dialect: Dialect['name'] | null;
  /** Who made the interface: asked when no address is given. */
  readonly home: string | null;
  readonly keyName: string | null;
}

const families: Readonly<Record<Kind, Family>> = {
  openai: { dialect: 'openai', home: 'https://api.openai.com/v1', keyName: 'OPENAI_API_KEY' },
  responses: { dialect: 'responses', home: 'https://api.openai.com/v1', keyName: 'OPENAI_API_KEY' },
  anthropic: { dialect: 'anthropic', home: 'https://api.anthropic.com/v1', keyName: 'ANTHROPIC_API_KEY' },
  espalier: { dialect: 'openai', home: null, keyName: null },
  module: { dialect: null, home: null, keyName: null },
};

const shape = 'openai:MODEL@URL, responses:MODEL@URL, anthropic:MODEL, espalier:MODEL@URL or ./dialect.ts:MODEL@URL';
const example = 'such as openai:qwen3@http://127.0.0.1:8000/v1';

/** Whether a text means a model behind an endpoint, right or wrong. */
export function isEndpointText(text: string): boolean {
  return startOf(text) !== null;
}

/** The path of the module that has the dialect of this endpoint; null where it is one of ours, or no endpoint. */
export function dialectModuleOf(text: string): string | null {
  const start = startOf(text);
  return start?.kind === 'module' ? start.written : null;
}

interface Start {
  readonly kind: Kind;
  /** What stands before the first colon: the name of the kind, or the path of a module. */
  readonly written: string;
}

function startOf(text: string): Start | null {
  const colon = text.indexOf(':');
  const kind = text.slice(0, Math.max(0, colon));
  if (kind !== 'module' && isKind(kind)) return { kind, written: kind };
  const path = /^(.*?\.[cm]?[jt]s):/s.exec(text)?.[1];
  return path === undefined ? null : { kind: 'module', written: path };
}

/**
 * Reads `KIND:MODEL@URL`. Models may have `/`, `:` and `@` in their names: the address begins at the first `@http`. Where
 * a module stands in the place of the kind, `own` is the dialect that it exports.
 */
export function readEndpoint(text: string, own?: ClientDialect): Endpoint {
  refuseKeys(text);
  const start = startOf(text);
  if (start === null) throw invalid(`The endpoint "${text}" does not begin with a kind that is known.`);
  const { kind, written } = start;
  const rest = text.slice(written.length + 1);
  const at = rest.search(/@https?:\/\//i);
  const model = at === -1 ? rest : rest.slice(0, at);
  const { dialect: named, home } = families[kind];
  const dialect = named === null ? own : dialectOf(named);
  if (dialect === undefined) throw noModuleHere(text);
  const address = at === -1 ? home : rest.slice(at + 1);
  if (model.trim() === '' || /[\s\p{Cc}]/u.test(model)) throw invalid(`The endpoint "${text}" names no model.`);
  if (at === -1 && looksLikeHost(model))
    throw invalid(`The address in "${text}" has no http:// or https:// before it.`);
  if (address === null) throw invalid(`The endpoint "${text}" has no address.`);
  const url = readAddress(address, text);
  return { kind, dialect, model, url, name: `${written}:${model}@${url}` };
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(families, kind);
}

function readAddress(address: string, text: string): string {
  if (!URL.canParse(address)) throw invalid(`The address in "${text}" is none.`);
  const url = new URL(address);
  if (url.search !== '' || url.hash !== '')
    throw invalid(`The address in "${text.replace(/[?#].*/s, '')}…" goes on after its path.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** `gpt@127.0.0.1:8000` would go to somebody else's server as the name of a model. `claude@20250929` is one. */
function looksLikeHost(model: string): boolean {
  const host = model.slice(model.lastIndexOf('@') + 1);
  if (host === model) return false;
  return /^(localhost|\[[\da-f:]+\]|\d+(\.\d+){3}|[\w-]+(\.[\w-]+)*\.[a-z]{2,}|[\w-]+:\d+)(:\d+)?(\/|$)/i.test(host);
}

/** A key in the text would be written down with the config of the run. The error must not repeat it. */
function refuseKeys(text: string): void {
  const isInside =
    /https?:\/\/[^/]*@/i.test(text) ||
    /(^|[^a-z0-9])sk-[\w-]{16,}/i.test(text) ||
    /[?&#;](api[-_]?)?(key|token|secret)=/i.test(text);
  if (!isInside) return;
  throw invalidOption(
    'There is a key or a password in the endpoint.',
    `Expected none there, as endpoints are written down: put it into ${ownKeyName('HOST')} of the environment, with the host in capitals.`,
  );
}

function invalid(message: string): EspalierError {
  return invalidOption(message, `Expected ${shape}, ${example}.`);
}

function noModuleHere(text: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `The endpoint "${text}" has a dialect of its own, which cannot be used here.`,
    expected: 'Expected a built-in dialect: openai:…, responses:… or anthropic:….',
  });
}

function ownKeyName(host: string): string {
  return `ESPALIER_KEY_${host
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')}`;
}

/**
 * The environment variables that may hold the key of an endpoint, the first one set wins: `ESPALIER_KEY_` with the host
 * and its port, then with the host. The usual names are for those who own them: a key of theirs goes nowhere else.
 */
export function keyNamesOf(endpoint: Endpoint): readonly string[] {
  const { host, hostname } = new URL(endpoint.url);
  const { keyName } = families[endpoint.kind];
  const usual = keyName !== null && isAtHome(endpoint) ? [keyName] : [];
  return [...new Set([ownKeyName(host), ownKeyName(hostname), ...usual])];
}

/** Whether it is a server of those who made the interface. */
export function isAtHome({ kind, url }: Endpoint): boolean {
  const { home } = families[kind];
  return home !== null && new URL(home).origin === new URL(url).origin;
}

/** The key of an endpoint out of the environment; null where there is none and none is needed. */
export function keyOf(endpoint: Endpoint, read: (name: string) => string | undefined): string | null {
  const names = keyNamesOf(endpoint);
  for (const name of names) {
    const key = read(name)?.trim();
    if (key === undefined || key === '') continue;
    if (/^[\x21-\x7e]+$/.test(key)) return key;
    throw badKey(
      `The key in ${name} has characters that no key has.`,
      'Expected printable ASCII without spaces: copy it again.',
    );
  }
  if (!isAtHome(endpoint)) return null;
  throw badKey(`There is no key for ${endpoint.name}.`, `Expected it in the environment, in ${names.join(' or ')}.`);
}

function badKey(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'bad-key', message, expected });
}

/** On this machine or next to it: its owner is who asks, so there is nobody to be gentle with at the start. */
export function isNear({ url }: Endpoint): boolean {
  const { hostname } = new URL(url);
  if (isIP(hostname) === 4) return /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname);
  return hostname === '[::1]' || /^[^.[]+$|\.local$/.test(hostname);
}
