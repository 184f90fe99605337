import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readColumns } from '../page/large-tree.ts';
import { studioEpisodes, writeRun } from '../../../test/fixtures/studio/open-studio.ts';
import { openListing } from '../../store/listing.ts';
import { outlineSteps, readOutline, shortText } from './episode-details.ts';
import { stepColumns } from './step-columns.ts';

it('[STUDIO-19] draws a large tree as a small one: the same steps, marks and texts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-columns-'));
  writeRun(folder, await studioEpisodes());
  const listing = openListing(join(folder, 'store.db'));
  for (const attempt of listing.attempts()) {
    const steps = outlineSteps(readOutline(listing, attempt));
    const texts = listing.texts(attempt, 1, steps.length);
    const columns = readColumns(stepColumns(listing.columns(attempt)));
    expect(columns.map((step, row) => ({ ...step, text: shortText(texts[row] ?? '') }))).toEqual(steps);
    expect(listing.texts(attempt, 2, 1)).toEqual(texts.slice(1, 2));
    expect(steps.map(({ id }) => listing.screen(attempt, id))).toEqual(
      listing.episode(attempt).events.flatMap(event => (event.kind === 'step' ? [event.screen] : [])),
    );
  }
  listing.close();
  rmSync(folder, { recursive: true });
});
