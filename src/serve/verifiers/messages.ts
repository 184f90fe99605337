import { decode, encode } from '@msgpack/msgpack';
import { z } from 'zod';
import { isJson, jsonObjectSchema } from '../../core/json.ts';
import { excessOf } from './message-bounds.ts';

/** What an environment server of verifiers is asked, as it is on the wire. Members that are not used here are left out. */
const name = z.string().min(1).max(255);

const runSchema = z.object({
  /** The row of the taskset: it names the environment and the task. */
  task_data: jsonObjectSchema,
  client: z.object({ base_url: z.url({ protocol: /^https?$/ }).max(1000) }),
  model: name,
  sampling: z
    .object({
      temperature: z.number().nonnegative().nullish(),
      top_p: z.number().min(0).max(1).nullish(),
      max_tokens: z.int().positive().nullish(),
    })
    .default({}),
});
export type RunRequest = z.infer<typeof runSchema>;

const cancelSchema = z.object({ request_id: z.string().max(255) });

export type VerifiersRequest =
  | { readonly method: 'health' }
  | { readonly method: 'run'; readonly run: RunRequest }
  | { readonly method: 'cancel'; readonly target: string };

/** A request that cannot be read: its words go into the answer. */
export class MalformedRequest extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedRequest';
  }
}

/** Nothing in a request is longer. */
const longest = 2 ** 20;
const limits = {
  maxStrLength: longest,
  maxBinLength: longest,
  maxArrayLength: longest,
  maxMapLength: longest,
  maxExtLength: 0,
};

export function readRequest(method: string, payload: Uint8Array): VerifiersRequest {
  const body = unpack(payload);
  if (method === 'health') return { method };
  if (method === 'run') return { method, run: checked(runSchema, body) };
  if (method === 'cancel') return { method, target: checked(cancelSchema, body).request_id };
  throw new MalformedRequest(`unknown method '${method.slice(0, 80)}'`);
}

function unpack(payload: Uint8Array): unknown {
  const excess = excessOf(payload);
  if (excess !== null) throw new MalformedRequest(`The payload is too large to be read. ${excess}`);
  let value: unknown;
  try {
    value = decode(payload, limits);
  } catch (cause) {
    throw new MalformedRequest(`The payload is not msgpack: ${(cause as Error).message}.`);
  }
  if (isJson(value)) return value;
  throw new MalformedRequest('The payload has members that no request has, or is nested too deeply.');
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new MalformedRequest(`The request is not valid at "${first?.path.join('.')}": ${first?.message}.`);
}

export function pack(value: unknown): Uint8Array {
  return encode(value, { ignoreUndefined: true });
}
