import { join } from 'node:path';
import { z } from 'zod';
import { actionSchema, type Action } from '../core/action.ts';
import { actionOf } from '../core/episode/action-tools.ts';
import { writePrompt } from '../core/episode/view.ts';
import { causeText, EspalierError } from '../core/errors.ts';
import { jsonSchema } from '../core/json.ts';
import { describeIssues } from '../core/records.ts';
import { actorSchema, type Actor } from '../core/tree.ts';
import { readStepRequest } from '../models/prompt/read-situation.ts';
import { readChunks, readManifest, requireIntact } from './rows/manifest.ts';

/** An exported row as somebody who learns from it needs it. */
export interface Example {
  readonly kind: 'next-action' | 'correction';
  /** What was asked, as one text that `readPrompt` reads; empty when it is no request of ours. */
  readonly prompt: string;
  /** Files of the pictures that came with it, as they lie in the folder; only where there are any. */
  readonly images?: readonly string[];
  readonly action: Action;
  readonly actor: Actor['role'];
  /** Null when nothing was verified. */
  readonly pass: boolean | null;
  readonly run: string;
  readonly episode: string;
  /** A correction on the way to an archived leaf is a next action as well: both have the same node. */
  readonly node: number;
  readonly environment: string;
  readonly template: string;
  /** Id of the task; rows of the first versions have none. */
  readonly task: string | null;
}

const toolCall = z.looseObject({ function: z.looseObject({ name: z.string(), arguments: jsonSchema }) });

/** A text, or parts of which some are text. */
const content = z.union([
  z.string(),
  z
    .array(z.looseObject({ type: z.string(), text: z.string().nullish() }))
    .transform(parts => parts.map(({ text }) => text ?? '').join('')),
]);

const provenance = {
  images: z.array(z.string()).optional(),
  actor_role: actorSchema.shape.role,
  pass: z.boolean().nullable(),
  run: z.string(),
  episode: z.string(),
  node: z.int().positive(),
  environment: z.string(),
  template: z.string(),
  task: z.string().optional(),
};

const requestRow = z
  .looseObject({
    messages: z
      .array(z.looseObject({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: content.nullish() }))
      .min(2),
    action: z.string(),
    ...provenance,
  })
  .transform(({ messages, action, ...rest }) => {
    const said = messages.slice(0, -1).map(({ role, content: text }) => ({ role, text: text ?? '' }));
    const situation = readStepRequest(said);
    return { ...rest, prompt: situation === null ? '' : writePrompt(situation), action: readAction(action) };
  });

/** Before version 5: the task, the steps and the screen in one message, and one call. */
const singleTurnRow = z
  .looseObject({
    messages: z.tuple([
      z.looseObject({ role: z.literal('system') }),
      z.looseObject({ role: z.literal('user'), content }),
      z.looseObject({ role: z.literal('assistant'), tool_calls: z.tuple([toolCall]) }),
    ]),
    ...provenance,
  })
  .transform(({ messages, ...rest }) => {
    const { name, arguments: input } = messages[2].tool_calls[0].function;
    return { ...rest, prompt: messages[1].content, action: actionOf(name, input) };
  });

const firstWithRequests = 5;

function readAction(text: string): Action | null {
  try {
    const parsed = actionSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The chat rows of an exported folder. Files that are not those of its manifest are refused before the first row. */
export function* readExamples(folder: string): Iterable<Example> {
  const { files, version } = readManifest(folder);
  const schema = version < firstWithRequests ? singleTurnRow : requestRow;
  const chats = files.filter(({ table, format }) => format === 'jsonl' && kindOf(table) !== null);
  if (chats.length === 0) {
    throw new EspalierError({
      boundary: 'input',
      code: 'unsupported',
      message: `${folder} has no rows in JSON lines.`,
      expected: 'Expected next-actions.jsonl and corrections.jsonl: export with the format jsonl.',
    });
  }
  for (const file of chats) requireIntact(folder, file);
  for (const { name, table } of chats) {
    const path = join(folder, name);
    let line = 0;
    for (const text of readLines(path)) {
      const where = `${path}:${++line}`;
      const parsed = schema.safeParse(parse(text, where));
      if (!parsed.success) throw badLine(where, 'is no chat row', describeIssues(parsed.error));
      yield exampleOf(parsed.data, kindOf(table) as Example['kind'], where);
    }
  }
}

function kindOf(table: string): Example['kind'] | null {
  return table === 'next-actions' ? 'next-action' : table === 'corrections' ? 'correction' : null;
}

function exampleOf(row: z.infer<typeof requestRow>, kind: Example['kind'], where: string): Example {
  const {
    prompt,
    action,
    images = [],
    actor_role: actor,
    pass,
    run,
    episode,
    node,
    environment,
    template,
    task = null,
  } = row;
  if (action === null) throw badLine(where, 'answers in a way that is no action', 'an action');
  const seen = { prompt, ...(images.length === 0 ? {} : { images }) };
  return { kind, ...seen, action, actor, pass, run, episode, node, environment, template, task };
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badLine(where, 'is not JSON', causeText(cause));
  }
}

function badLine(where: string, what: string, expected: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'corrupt-record',
    message: `${where} ${what}.`,
    expected: `Expected: ${expected}; export the rows again.`,
  });
}

function* readLines(path: string): Iterable<string> {
  const newline = 10;
  let rest = Buffer.alloc(0);
  for (const chunk of readChunks(path)) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      yield rest.length === 0
        ? chunk.toString('utf8', start, end)
        : Buffer.concat([rest, chunk.subarray(start, end)]).toString('utf8');
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    // A copy: the next piece of the file takes the place of this one.
    rest = Buffer.concat([rest, chunk.subarray(start)]);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}
