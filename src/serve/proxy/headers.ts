import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Redactor } from '../../models/secrets/redactor.ts';

/**
 * Headers of a harness that travel to the model server. All others stay here: gateways obey many that name another server, and
 * would send our key there.
 */
const upstreamHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
  'anthropic-version',
  'anthropic-beta',
  'openai-beta',
  'idempotency-key',
  'x-request-id',
  'x-client-request-id',
  'traceparent',
  'tracestate',
  // How applications name themselves to OpenRouter.
  'http-referer',
  'x-title',
]);

/** Belong to the key that the harness sends, and mean nothing beside ours. */
const accountHeaders: ReadonlySet<string> = new Set(['openai-organization', 'openai-project']);

export function headersForServer(headers: IncomingHttpHeaders, passesKey: boolean): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && (upstreamHeaders.has(name) || (passesKey && accountHeaders.has(name))))
      passed[name] = value;
  return passed;
}

/** Headers of a model server that travel to the harness: what the body is, when to retry, and what is left of limits. */
const answerHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'cache-control',
  'date',
  'server',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'x-request-id',
  'request-id',
  'cf-ray',
  'openai-model',
  'openai-processing-ms',
  'openai-version',
]);
const limitHeader = /^(x|anthropic)-ratelimit-[a-z0-9-]+$/;

/** Without keys, also in names: those of limits are the server's own. */
export function headersForHarness(headers: IncomingHttpHeaders, redactor: Redactor): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || !(answerHeaders.has(name) || limitHeader.test(name))) continue;
    if (redactor.find(name).length === 0) passed[name] = redactor.text(value);
  }
  return passed;
}

/** Headers that harnesses of every dialect use for retries. */
export function retryHeaders({ 'retry-after': after }: IncomingHttpHeaders): OutgoingHttpHeaders {
  return after === undefined || !/^[\w ,:.-]{1,64}$/.test(after) ? {} : { 'retry-after': after };
}

/** JSON and events are UTF-8. In another charset keys could not be found, and nothing could be recorded. */
export function foreignCharset({ 'content-type': type = '' }: IncomingHttpHeaders): string | null {
  const found = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1]?.toLowerCase();
  return found === undefined || found === 'utf-8' || found === 'utf8' || found === 'us-ascii' ? null : found;
}
