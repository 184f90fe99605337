import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from '@huggingface/jinja';
import { Tokenizer } from '@huggingface/tokenizers';
import { z } from 'zod';
import { causeText, EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { parseRecord } from '../../core/records.ts';

/** A request with its answer, as rows have them. */
export interface RowChat {
  readonly prompt: readonly JsonObject[];
  readonly answer: readonly JsonObject[];
  /** A text of JSON. */
  readonly tools: string;
}

/** A prompt as a server gives it to the model, and what the model says then; or why the template writes neither. */
export type WrittenChat = { readonly prompt: string; readonly completion: string } | { readonly refused: string };

/** The tokenizer of a model, and how it writes a chat. */
export interface ChatTemplate {
  write(chat: RowChat): WrittenChat;
  tokens(text: string): number;
}

const tokenSchema = z.union([z.string(), z.object({ content: z.string() }).transform(({ content }) => content)]);
const configSchema = z.looseObject({
  chat_template: z.union([z.string(), z.array(z.object({ name: z.string(), template: z.string() }))]).nullish(),
  bos_token: tokenSchema.nullish(),
  eos_token: tokenSchema.nullish(),
  pad_token: tokenSchema.nullish(),
});

/** Reads the files that a model has beside its weights: tokenizer.json, tokenizer_config.json, chat_template.jinja. */
export function readChatTemplate(folder: string): ChatTemplate {
  const config = parseRecord(configSchema, readJson(folder, 'tokenizer_config.json'), {
    what: `tokenizer_config.json in ${folder}`,
    code: 'bad-request',
  });
  const tokenizer = new Tokenizer(readJson(folder, 'tokenizer.json') as object, config);
  const sources = templatesOf(folder, config.chat_template ?? null);
  const templates = new Map<string, Template>();
  const templateFor = (hasTools: boolean): Template => {
    const source = (hasTools ? sources['tool_use'] : undefined) ?? sources['default'] ?? noTemplate(folder);
    const known = templates.get(source) ?? new Template(source);
    templates.set(source, known);
    return known;
  };
  const special = { bos_token: config.bos_token, eos_token: config.eos_token, pad_token: config.pad_token };
  const render = (messages: readonly JsonObject[], tools: unknown[], asksAnswer: boolean): string =>
    templateFor(tools.length > 0).render({
      ...special,
      messages,
      tools: tools.length === 0 ? null : tools,
      add_generation_prompt: asksAnswer,
      // A day like any other: rows must not change with the calendar.
      date_string: '01 Jan 2026',
    });
  return {
    write({ prompt, answer, tools: text }) {
      try {
        const tools = JSON.parse(text) as unknown[];
        return cut(render(prompt, tools, true), render([...prompt, ...answer], tools, false), config.eos_token ?? '');
      } catch (cause) {
        return { refused: causeText(cause) };
      }
    },
    tokens: text => tokenizer.encode(text, { add_special_tokens: false }).ids.length,
  };
}

/** Some templates begin an answer with an empty thought when they ask for one, and not when they write one. */
function cut(prompt: string, whole: string, end: string): WrittenChat {
  if (!whole.startsWith(prompt)) {
    const at = commonLength(prompt, whole);
    return { prompt: whole.slice(0, at), completion: tidied(whole.slice(at), end) };
  }
  return { prompt, completion: tidied(whole.slice(prompt.length), end) };
}

function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** What stands behind the end of an answer belongs to the next message. */
function tidied(completion: string, end: string): string {
  const at = end === '' ? -1 : completion.lastIndexOf(end);
  return at < 0 ? completion : completion.slice(0, at + end.length);
}

function templatesOf(
  folder: string,
  given: string | readonly { readonly name: string; readonly template: string }[] | null,
): Readonly<Record<string, string>> {
  const file = join(folder, 'chat_template.jinja');
  if (existsSync(file)) return { default: readFileSync(file, 'utf8') };
  if (given === null) return {};
  if (typeof given === 'string') return { default: given };
  return Object.fromEntries(given.map(({ name, template }) => [name, template]));
}

function readJson(folder: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, name), 'utf8'));
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'unavailable',
      message: `${join(folder, name)} cannot be read: ${causeText(cause)}.`,
      expected: 'Expected the folder of a model: tokenizer.json, tokenizer_config.json and its chat template.',
      cause,
    });
  }
}

function noTemplate(folder: string): never {
  throw new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `The tokenizer in ${folder} has no chat template.`,
    expected:
      'Expected chat_template.jinja, or chat_template in tokenizer_config.json: take an instruction-tuned model.',
  });
}
