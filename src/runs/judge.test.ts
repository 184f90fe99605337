import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { scriptedEpisode } from '../../test/fixtures/episodes.ts';
import { startScriptedUpstream } from '../../test/fixtures/models/scripted-upstream.ts';
import { growPictured, withPictures } from '../../test/fixtures/pictures/with-pictures.ts';
import { createSystemHost } from '../system/workers/host.ts';
import { modelSchema, spendingSchema } from './settings/model-config.ts';
import { openRunForWriting } from './folder/folder.ts';
import { judgeRun } from './judge.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-judge-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('[MRN-9] a judge is shown the picture that an episode finished on, unless it reads text alone', async () => {
  const pictured = withPictures(await scriptedEpisode());
  const store = openRunForWriting(folder);
  growPictured(store, pictured).end(pictured.episode.end);
  store.close();
  const text = '{"reason": "Done.", "pass": true, "confidence": 0.9}';
  const upstream = await startScriptedUpstream(() => ({ text }));
  const ask = (observe: 'text' | 'both') =>
    judgeRun({
      folder,
      judge: modelSchema.parse({ kind: 'model', model: 'openai:one', url: upstream.url, observe }),
      concurrency: 1,
      spending: spendingSchema.parse({}),
      host: createSystemHost(),
    });
  try {
    expect(await ask('both')).toMatchObject({ cases: 1, judged: 1, failures: [] });
    const last = pictured.episode.events.findLast(event => event.kind === 'step');
    const picture = pictured.pictures.get(last?.kind === 'step' ? (last.image?.hash ?? '') : '') as Uint8Array;
    const asked = (): string => JSON.stringify(upstream.asked.map(({ body }) => body));
    expect(asked()).toContain(Buffer.from(picture).toString('base64'));
    const before = asked().length;
    // What it thinks without the picture is another opinion.
    await ask('text');
    expect(asked().length).toBeGreaterThan(before);
    expect(asked().slice(before)).not.toContain('data:image');
    const both = asked().length;
    await ask('both');
    expect(asked()).toHaveLength(both);
  } finally {
    await upstream.close();
  }
});
