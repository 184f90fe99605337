import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mailWorld, scriptedEpisode, sourceOf } from '../../../test/fixtures/episodes.ts';
import { createTokenEpisodes } from '../../../test/fixtures/tokens/token-episode.ts';
import type { Signal } from '../../analysis/signals/signal.ts';
import { stalls } from '../../analysis/signals/stalls.ts';
import type { EpisodeSource, StoredEpisode } from '../../core/episode/journal.ts';
import { estimators } from '../credit/estimators.ts';
import { exportDataset } from '../export-dataset.ts';
import type { Row } from '../rows/columns.ts';
import { createStepMask, readMaskRule } from './step-mask.ts';
import { exporters } from './tables.ts';

const base = mkdtempSync(join(tmpdir(), 'espalier-mask-'));
afterAll(() => rmSync(base, { recursive: true }));

/** The values of the second step of every path. */
const second: Signal = {
  name: 'second',
  about: '',
  labels: { worth: 'step', all: 'episode' },
  *annotate(_episode, { steps }) {
    for (const { id } of steps) yield { node: id, label: 'worth', value: id === 2 ? -1 : 1 };
  },
};

let folders = 0;
function exported(
  episodes: readonly StoredEpisode[],
  mask: string | null,
  { signal = second, source = sourceOf(episodes) }: { signal?: Signal; source?: EpisodeSource } = {},
) {
  const folder = join(base, String(++folders));
  const manifest = exportDataset({
    source,
    folder,
    formats: ['jsonl'],
    tables: ['next-actions', 'prompt-completion', 'dialogues'].map(name => exporters.need(name)),
    tokens: ['verl', 'prime-rl'],
    advantage: { estimator: estimators.need('gigpo') },
    toolsOf: () => mailWorld.tools,
    ...(mask === null ? {} : { mask: createStepMask([readMaskRule(mask)], [signal], { asked: [signal] }) }),
  });
  const rows = (name: string): Row[] =>
    readFileSync(join(folder, `${name}.jsonl`), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as Row);
  return { manifest, rows };
}

describe('a mask of steps', () => {
  it('[EXP-26] leaves out the rows of masked steps, which stay in the requests after them', async () => {
    const episode = await scriptedEpisode({ call: true });
    const [all, masked] = [exported([episode], null), exported([episode], 'stalls.refused', { signal: stalls })];
    for (const table of ['next-actions', 'prompt-completion']) {
      expect(masked.rows(table)).toEqual(all.rows(table).filter(({ node }) => node !== 1));
      expect(JSON.stringify(masked.rows(table)[0])).toContain('star_message');
    }
    expect(masked.manifest.masked).toEqual({ by: ['stalls.refused'], steps: 1 });
    expect(all.manifest.masked).toBeUndefined();
  });

  it('[EXP-26] unlearns masked steps of dialogues, advantages and tokens', async () => {
    const episode = await scriptedEpisode();
    const learned = (rows: readonly Row[]): unknown[] => {
      const [{ messages, learn }] = rows as [{ messages: Row[]; learn: boolean[] }];
      return learn.filter((_, at) => messages[at]?.['role'] === 'assistant');
    };
    const [all, masked] = [exported([episode], null), exported([episode], 'second.worth<0')];
    const steps = learned(all.rows('dialogues')).length;
    expect(learned(all.rows('dialogues'))).toEqual(Array.from({ length: steps }, () => true));
    expect(learned(masked.rows('dialogues'))).toEqual(Array.from({ length: steps }, (_, at) => at !== 1));

    const hand = createTokenEpisodes();
    const ask = (prompt: readonly number[], token: number) => ({
      prompt,
      completion: [token, token + 1],
      temperature: 1,
    });
    const sampled = hand
      .begin(0)
      .ask(ask([1], 10))
      .step()
      .ask(ask([1, 10, 11, 5], 20))
      .step();
    const ended = [sampled.end('passed')];
    const tokens = exported(ended, 'second.worth<0', { source: hand.sourceOf(ended) });
    expect(tokens.rows('tokens-verl')[0]).toMatchObject({
      response_mask: [1, 1, 0, 0, 0],
      advantage_mask: [1, 1, 0, 0, 0],
    });
    expect(tokens.rows('tokens-prime-rl')[0]?.['mask']).toEqual([false, true, true, false, false, false]);
    expect(tokens.rows('advantages').map(row => row['loss_mask'])).toEqual([1, 0]);
  });

  it('[EXP-26] reads signals, labels, comparisons and modules, and names what it cannot read', () => {
    expect(readMaskRule('loops')).toMatchObject({ signal: 'loops', label: null });
    expect(readMaskRule('./mine.ts')).toMatchObject({ signal: './mine.ts', label: null });
    const rule = readMaskRule('monte-carlo.reward <= -0.5');
    expect(rule).toMatchObject({ signal: 'monte-carlo', label: 'reward' });
    expect([-1, -0.5, 0, undefined].map(rule.holds)).toEqual([true, true, false, false]);
    expect(() => readMaskRule('<3')).toThrow('The mask "<3" cannot be read.');
    expect(() => createStepMask([readMaskRule('second.all')], [second], { asked: [second] })).toThrow(
      'The mask "second.all" names no label that second gives to steps.',
    );
  });
});
