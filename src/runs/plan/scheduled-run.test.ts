import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contents } from '../../../test/fixtures/episode-setup.ts';
import { episodesIn } from '../../../test/fixtures/program.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { collectRun } from '../collect.ts';
import { readConfig } from '../config/config.ts';

it('[SCHED-5] a collection by a schedule has its episodes, and the same ones after a stop', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'espalier-schedule-'));
  const draft = { run: 'r', environments: ['mail'], templates: ['star-message', 'label-message'], instances: 1 };
  const schedule = { kind: 'echo-ttrl', episodes: 10, first: 2, batch: 3 };
  const config = readConfig(
    { ...draft, schedule, student: { kind: 'random' }, strategy: { kind: 'linear' } },
    'The test',
  );
  const collect = (folder: string, mayBegin?: () => boolean) =>
    collectRun({ config, folder: join(parent, folder), host: createSystemHost({ workers: 0 }), mayBegin });
  expect(await collect('whole')).toMatchObject({ ended: 10, stopped: false });
  let begun = 0;
  expect(await collect('cut', () => ++begun <= 5)).toMatchObject({ ended: 5, stopped: true });
  expect(await collect('cut')).toMatchObject({ ended: 5, skipped: 5 });
  expect(contents(episodesIn(join(parent, 'cut')))).toEqual(contents(episodesIn(join(parent, 'whole'))));
  rmSync(parent, { recursive: true });
});
