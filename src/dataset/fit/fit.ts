import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Row } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';
import type { ChatTemplate, RowChat, WrittenChat } from './chat-template.ts';

/** What a trainer would make of the rows of one table. */
export interface TableFit {
  readonly table: string;
  readonly rows: number;
  /** Rows of at most `maxLength` tokens, target included. */
  readonly fitting: number;
  readonly median: number;
  readonly longest: number;
  /** Rows whose target the template writes in full. */
  readonly surviving: number;
  /** What is wrong with the targets that do not survive, with how many rows have it. */
  readonly lost: Readonly<Record<string, number>>;
}

export interface FitMeter {
  /** The same table; its rows are measured as they are written. */
  watch(table: Exporter): Exporter;
  figures(): readonly TableFit[];
}

/** Measures rows as a trainer with this template and this most tokens a row would see them. */
export function createFitMeter(template: ChatTemplate, maxLength: number): FitMeter {
  const tables = new Map<string, { readonly lengths: number[]; readonly lost: Map<string, number> }>();
  const measure = (name: string, row: Row): void => {
    const chats = chatsOf(row);
    if (chats.length === 0) return;
    let table = tables.get(name);
    if (table === undefined) tables.set(name, (table = { lengths: [], lost: new Map() }));
    const written = chats.map(chat => ({ chat, text: template.write(chat) }));
    table.lengths.push(Math.max(...written.map(({ text }) => lengthOf(text, template))));
    const problem = written.map(({ chat, text }) => problemOf(chat, text)).find(found => found !== null);
    if (problem !== undefined && problem !== null) table.lost.set(problem, (table.lost.get(problem) ?? 0) + 1);
  };
  return {
    watch: table => ({
      ...table,
      *rows(episode) {
        for (const row of table.rows(episode)) {
          measure(table.name, row);
          yield row;
        }
      },
    }),
    figures: () =>
      [...tables].map(([table, { lengths, lost }]) => {
        const sorted = lengths.toSorted((a, b) => a - b);
        const dropped = [...lost.values()].reduce((sum, rows) => sum + rows, 0);
        return {
          table,
          rows: lengths.length,
          fitting: lengths.filter(length => length <= maxLength).length,
          median: sorted[sorted.length >> 1] ?? 0,
          longest: sorted.at(-1) ?? 0,
          surviving: lengths.length - dropped,
          lost: Object.fromEntries(lost),
        };
      }),
  };
}

/** The chats that a trainer makes of a row: two of a preference. */
function chatsOf(row: Row): readonly RowChat[] {
  const tools = typeof row['tools'] === 'string' ? row['tools'] : '[]';
  const list = (name: string): readonly JsonObject[] =>
    Array.isArray(row[name]) ? row[name].filter(isJsonObject) : [];
  const messages = list('messages');
  if (messages.length > 0) return [{ prompt: messages.slice(0, -1), answer: messages.slice(-1), tools }];
  const prompt = list('prompt');
  const answers = ['completion', 'chosen', 'rejected'].map(list).filter(answer => answer.length > 0);
  return prompt.length === 0 ? [] : answers.map(answer => ({ prompt, answer, tools }));
}

function lengthOf(text: WrittenChat, template: ChatTemplate): number {
  return 'refused' in text ? 0 : template.tokens(text.prompt + text.completion);
}

/** What is missing from the target as the template writes it; null when all of it is there. */
function problemOf({ answer }: RowChat, text: WrittenChat): string | null {
  if ('refused' in text) return `the template refuses the row: ${text.refused}`;
  const has = (value: Json): boolean =>
    wordsOf(value).every(word => spellings(word).some(one => text.completion.includes(one)));
  for (const { content, tool_calls: calls } of answer) {
    if (typeof content === 'string' && !has(content.trim())) return 'the template drops the text of the answer';
    for (const call of Array.isArray(calls) ? calls : []) {
      if (!isJsonObject(call) || !isJsonObject(call['function'])) continue;
      const { name = '', arguments: input = {} } = call['function'];
      if (!has(name)) return 'the template drops tool calls, so the target is an empty answer';
      if (!has(input)) return 'the template drops the arguments of tool calls';
    }
  }
  return null;
}

/** The texts and numbers in a value. */
function wordsOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, member]) => [key, ...wordsOf(member)]);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Templates write texts as they are, or as JSON, with or without letters beyond ASCII. */
function spellings(word: string): readonly string[] {
  const json = JSON.stringify(word).slice(1, -1);
  const ascii = json.replaceAll(/[^\x20-\x7e]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [word, json, ascii];
}
