import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTokenEpisodes } from '../../../../test/fixtures/tokens/token-episode.ts';
import { openListing } from '../../../store/listing.ts';
import { openStore } from '../../../store/store.ts';
import { readOutline } from '../episode-details.ts';
import { previewTokens } from './preview-tokens.ts';

it('[STUDIO-20] shows the tokens of an episode with what is learned and what is masked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-tokens-'));
  const hand = createTokenEpisodes();
  const store = openStore({ path: join(folder, 'store.db') });
  const asked = hand
    .begin()
    .ask({ prompt: [1, 2], completion: [10, 11] })
    .step()
    .ask({ prompt: [1, 2, 10, 11, 4], completion: [12], logprobs: [-2] })
    .step();
  hand.write(store, asked.end('passed'));
  store.close();
  const listing = openListing(join(folder, 'store.db'));
  const { segments, left } = previewTokens(listing, readOutline(listing, 1));
  expect(left).toEqual([]);
  expect(segments).toEqual([
    {
      leaf: 2,
      length: 6,
      learned: 3,
      tokens: [
        { id: 1, kind: 'prompt', logprob: null },
        { id: 2, kind: 'prompt', logprob: null },
        { id: 10, kind: 'learned', logprob: -0.1 },
        { id: 11, kind: 'learned', logprob: -0.1 },
        { id: 4, kind: 'observation', logprob: null },
        { id: 12, kind: 'learned', logprob: -2 },
      ],
    },
  ]);
  listing.close();
  rmSync(folder, { recursive: true });
});
