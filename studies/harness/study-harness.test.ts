import { expect, it } from 'vitest';
import { harnessComponents } from '../../src/analysis/harness/locate-fault.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { startHttpModel } from '../../test/fixtures/models/http-model.ts';
import type { Script } from '../../test/fixtures/models/scripted-upstream.ts';
import { finish, storedEpisode } from '../../test/fixtures/signals/made-episode.ts';
import { locateByModel } from './model-locator.ts';

const fill = { kind: 'fill', ref: 'e2', text: 'Ada' } as const;
const refused = { applied: false, problem: { code: 'invalid-action', message: 'nothing can be entered' } };
const suspect = [storedEpisode({ steps: [{ action: fill, text: 'fill the name', outcome: refused }, { ...finish }] })];
const healthy = [storedEpisode({ steps: [{ to: 'A' }], passed: true })];

/** Reads the traces: what cannot be entered speaks for the tool. */
const reader: Script = ({ body, index }) => {
  const read = JSON.stringify(body['messages'] as JsonObject[]);
  const first = read.includes('refused: nothing can be entered') ? 'tool' : 'prompt';
  const others = harnessComponents.filter(component => component !== first);
  return {
    text: index === 0 ? JSON.stringify({ reason: 'refused', ranked: [first, ...others] }) : '{"ranked": ["tool"]}',
  };
};

it('[HARN-3] a model ranks the components from the same traces; what is no ranking is told so', async () => {
  const { model, asked, close } = await startHttpModel(reader);
  try {
    const signal = new AbortController().signal;
    expect((await locateByModel(model, { suspect, healthy }, signal))?.[0]).toBe('tool');
    expect(JSON.stringify(asked[0]?.body)).toContain('0 of 1 passed');
    expect(await locateByModel(model, { suspect, healthy }, signal)).toBeNull();
  } finally {
    await close();
  }
});
