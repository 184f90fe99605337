import { z } from 'zod';
import type { GrammarForm } from '../../core/chat/chat.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
import { isNear, type Endpoint } from '../../models/endpoints/endpoint.ts';
import { createRedactor } from '../../models/secrets/redactor.ts';

const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), version: z.string().optional(), owned_by: z.string().optional() })),
});
const patience = 10_000;

/** What a server says of itself before a run begins. */
export interface ServerFacts {
  /** Of the model; null when it does not say. */
  readonly version: string | null;
  /** How it is told which answers can be used. */
  readonly grammar: GrammarForm;
}

/** Servers sign the models that they list. */
const signatures: Readonly<Record<string, GrammarForm>> = {
  llamacpp: 'grammar',
  vllm: 'structured_outputs',
  sglang: 'ebnf',
};

/**
 * Asks an endpoint whether it is there, before a run begins: better one error now than one for each episode.
 */
export async function checkEndpoint(endpoint: Endpoint, key: string | null): Promise<ServerFacts> {
  const headers = endpoint.dialect.headers(key);
  let response: Response;
  try {
    response = await fetch(`${endpoint.url}/models`, {
      headers,
      // Whoever a server points at gets no key.
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    });
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'unavailable',
      message: `${endpoint.name} cannot be reached: ${reasonOf(cause)}.`,
      expected: 'Expected a server that listens there: start it, or give the address that it has.',
      cause,
    });
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.status === 401 || response.status === 403) throw badKey(endpoint, response.status);
  // A server may repeat the key in what it lists.
  return requireModel(endpoint, createRedactor([key]).json(body));
}

/** Those who sell models know more names than they list; who serves some at home lists them all. */
function requireModel(endpoint: Endpoint, body: unknown): ServerFacts {
  const listed = listSchema.safeParse(body);
  if (!listed.success || !isNear(endpoint)) return { version: null, grammar: 'json_schema' };
  const { data } = listed.data;
  const found = data.find(({ id }) => id === endpoint.model);
  if (data.length === 0 || found !== undefined) {
    const grammar = signatures[found?.owned_by ?? ''] ?? 'json_schema';
    return { version: found?.version ?? null, grammar };
  }
  const names = data.map(({ id }) => id);
  throw new EspalierError({
    boundary: 'input',
    code: 'unknown-model',
    message: `${endpoint.url} serves no model "${endpoint.model}".`,
    expected: `Expected one of: ${names.slice(0, 20).join(', ')}.`,
  });
}

function badKey({ name }: Endpoint, status: number): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'bad-key',
    message: `${name} does not accept the key (${status}).`,
    expected: 'Expected the right key in the environment, see docs/models.md.',
  });
}

function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return causeText(inner) || 'no answer';
}
