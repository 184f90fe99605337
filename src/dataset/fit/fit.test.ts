import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mailWorld, scriptedEpisode } from '../../../test/fixtures/episodes.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRequests } from '../requests/requests.ts';
import { candidatesOf } from '../rows/candidate.ts';
import type { Row } from '../rows/columns.ts';
import type { ExportedEpisode } from '../rows/exporter.ts';
import { exporters } from '../tables/tables.ts';
import { promptCompletionText } from '../tables/prompt-completion.ts';
import { readChatTemplate } from './chat-template.ts';
import { createFitMeter } from './fit.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const whole =
  '{% for message in messages %}<|{{ message.role }}|>{{ message.content }}{% for call in message.tool_calls or [] %}{{ call.function | tojson }}{% endfor %}<|end|>\n{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}';
const droppingCalls = whole.replace(/\{% for call.*?endfor %\}/, '');

/** A tokenizer whose tokens are words, with this chat template. */
function tokenizerFolder(template: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-tokenizer-'));
  folders.push(folder);
  const tokenizer = {
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordLevel', vocab: { '[UNK]': 0 }, unk_token: '[UNK]' },
  };
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  const config = { eos_token: '<|end|>', ...(template === null ? {} : { chat_template: template }) };
  writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(config));
  return folder;
}

const record = foldEpisode(await scriptedEpisode({ slips: 2, branch: 'passing', call: true }));
const requests = createRequests({ source: { attachment: () => null }, toolsOf: () => mailWorld.tools });
const passed = candidatesOf(record).filter(({ verdict }) => verdict?.pass === true);
const episode: ExportedEpisode = {
  record,
  archived: passed,
  requests,
  masked: new Set(),
  isRight: () => false,
  passesFrom: () => false,
  passing: () => null,
};
const rowsOf = (name: string): Row[] => [...exporters.need(name).rows(episode)];
const list = (row: Row | undefined, name: string): readonly JsonObject[] => row?.[name] as unknown as JsonObject[];

describe('rows for trainers that learn completions', () => {
  it('[EXP-20] are the rows of next-actions, cut where the answer begins', () => {
    const cut = rowsOf('prompt-completion');
    const steps = rowsOf('next-actions');
    expect(cut.length).toBeGreaterThan(3);
    expect(cut.map(row => [...list(row, 'prompt'), ...list(row, 'completion')])).toEqual(
      steps.map(row => list(row, 'messages')),
    );
    for (const row of cut) expect(list(row, 'completion').map(({ role }) => role)).toEqual(['assistant']);
  });

  it('[EXP-21] come as one chat a leaf, where every applied step is learned once', () => {
    const chats = rowsOf('dialogues');
    expect(chats).toHaveLength(passed.length);
    for (const [at, row] of chats.entries()) {
      const path = passed[at]?.path ?? [];
      const learn = row['learn'] as unknown as boolean[];
      const said = list(row, 'messages').map(({ role }) => role);
      expect(learn).toHaveLength(said.length);
      expect(said.filter(role => role === 'assistant')).toHaveLength(path.length);
      expect(learn.filter((_, index) => said[index] === 'assistant')).toEqual(
        path.map(({ outcome }) => outcome.applied),
      );
      expect(learn.filter(Boolean)).toHaveLength(Number(row['steps']));
    }
    // The episode tried a tool on a message that is not there.
    expect(passed.some(({ path }) => path.some(({ outcome }) => !outcome.applied))).toBe(true);
  });

  it('[EXP-22] come as texts by the template of a model, without what stands behind the answer', () => {
    const template = readChatTemplate(tokenizerFolder(whole));
    const texts = [...promptCompletionText(template).rows(episode)];
    const [first] = texts;
    expect(String(first?.['prompt'])).toMatch(/<\|end\|>\n<\|assistant\|>$/);
    expect(String(first?.['completion'])).toMatch(/^\{"name": "\w+".*\}<\|end\|>$/);
    expect(texts).toHaveLength(rowsOf('next-actions').length);
    expect(() => rowsOf('prompt-completion-text')).toThrow(/--for <folder>/);
  });
});

describe('the fit of rows', () => {
  const fitOf = (template: string, maxLength: number) => {
    const meter = createFitMeter(readChatTemplate(tokenizerFolder(template)), maxLength);
    const watched = meter.watch(exporters.need('prompt-completion'));
    const rows = [...watched.rows(episode)];
    return { fit: meter.figures()[0], rows };
  };

  it('[EXP-23] counts the rows that a trainer takes whole', () => {
    const { fit, rows } = fitOf(whole, 10_000);
    expect(fit).toMatchObject({ rows: rows.length, fitting: rows.length, surviving: rows.length, lost: {} });
    const { fit: tight } = fitOf(whole, fit?.median ?? 0);
    expect(tight?.fitting).toBeGreaterThan(0);
    expect(tight?.fitting).toBeLessThan(rows.length);
  });

  it('[EXP-24] lets targets survive such a template once answers are text', () => {
    const spoken = createRequests({
      source: { attachment: () => null },
      toolsOf: () => mailWorld.tools,
      speech: 'text',
    });
    const meter = createFitMeter(readChatTemplate(tokenizerFolder(droppingCalls)), 10_000);
    const rows = [...meter.watch(exporters.need('prompt-completion')).rows({ ...episode, requests: spoken })];
    expect(meter.figures()[0]).toMatchObject({ rows: rows.length, surviving: rows.length, lost: {} });
    expect(rows.map(row => row['tools'])).toEqual(rows.map(() => '[]'));
    expect(String(list(rows[0], 'prompt')[0]?.['content'])).toContain('star_message {');
    expect(String(list(rows[0], 'completion')[0]?.['content'])).toMatch(/^\w+ /);
  });

  it('[EXP-23] names targets that a template drops, and rows that it refuses', () => {
    const { fit, rows } = fitOf(droppingCalls, 10_000);
    expect(fit?.surviving).toBe(0);
    expect(fit?.lost).toEqual({ 'the template drops tool calls, so the target is an empty answer': rows.length });
    const { fit: refusing } = fitOf("{{ raise_exception('no system messages') }}", 10_000);
    expect(Object.keys(refusing?.lost ?? {})[0]).toMatch(/refuses the row: .*no system messages/);
  });

  it('[EXP-23] says what is missing in a folder', () => {
    expect(() => readChatTemplate(join(tmpdir(), 'nowhere'))).toThrow(/tokenizer_config.json cannot be read/);
    const meter = createFitMeter(readChatTemplate(tokenizerFolder(null)), 10);
    const watched = meter.watch(exporters.need('prompt-completion'));
    expect([...watched.rows(episode)].length).toBeGreaterThan(0);
    expect(Object.keys(meter.figures()[0]?.lost ?? {})[0]).toMatch(/has no chat template/);
  });
});
