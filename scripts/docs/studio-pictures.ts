/**
 * Draws the views of the studio for docs/studio.md, from runs in a folder:
 *
 *   npx node scripts/docs/studio-pictures.ts runs docs
 *
 * Light and dark; the first run and its first corrected episode are shown.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createStudioSource } from '../../src/studio/data/studio-source.ts';
import { loadStudioProgram } from '../../src/studio/server/studio-program.ts';
import { createStudioServer } from '../../src/studio/server/studio-server.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { launchChromium } from '../../test/chromium.ts';

const [folder = 'runs', out = 'docs'] = process.argv.slice(2);
const host = createSystemHost({ workers: 0 });
const secret = (): string => randomBytes(16).toString('hex');
const source = createStudioSource({ folder, host, machine: '', version: '', createId: secret });
const key = secret();
const program = await loadStudioProgram();
const server = await createStudioServer({
  source,
  program,
  timers: host.timers,
  key,
  pass: secret(),
  createKey: secret,
});
const browser = await launchChromium();
try {
  const run = source.runs()[0]?.id ?? '';
  const place = { from: 0, count: 1, sort: 'corrections' };
  const { rows } = await source.episodes(run, { outcome: 'passed' }, place);
  const episode = rows[0]?.id ?? 1;
  const { steps } = source.outline(run, episode);
  const rejected = steps.find(({ rejection }) => rejection !== null);
  const at = { run, episode, node: rejected?.parent ?? 0, person: 'me', replaces: rejected?.id ?? null };
  const taken = await source.takeOvers.open(at);
  const views = [
    ['runs', '#/'],
    ['episodes', `#/run/${encodeURIComponent(run)}`],
    ['episode', `#/run/${encodeURIComponent(run)}/episode/${episode}`],
    ['branches', `#/run/${encodeURIComponent(run)}/episode/${episode}?view=branches`],
    ['take-over', `#/take-over/${taken.id}`],
    ['failures', `#/run/${encodeURIComponent(run)}/failures`],
    ['tasks', `#/run/${encodeURIComponent(run)}/tasks`],
    ['archive', `#/run/${encodeURIComponent(run)}/archive`],
    ['learning', `#/run/${encodeURIComponent(run)}/learning`],
    ['all-learning', '#/learning'],
    ['compare', '#/compare'],
    ['reviews', '#/reviews'],
  ] as const;
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/?key=${key}`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [name, route] of views) {
      await page.goto(`${server.url}/${route}`);
      await page.waitForTimeout(1500);
      await page.screenshot({ path: join(out, `studio-${name}${colorScheme === 'dark' ? '-dark' : ''}.png`) });
    }
  }
} finally {
  await browser.close();
  await server.close(AbortSignal.abort());
  await source.close();
}
