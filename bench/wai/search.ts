import { createBrowserPool } from '../../src/envs/web/browser/pool.ts';
import { createWaiEnvironment } from '../../src/envs/web/sites/wai/environment.ts';
import { searchTree } from '../../src/agents/page-search/levin-search.ts';
import { createScorePrior } from '../../src/agents/page-search/prior.ts';
import { createWordScorer } from '../../src/agents/page-search/word-prior.ts';
import { createSystemTimers } from '../../src/system/clock.ts';
import { figure, type Bench, type BenchBrowser, type Figure } from '../measure.ts';

/** A small part that is the same every time: the first function tasks of an app, by words alone. */
const mostTasks = 8;
const search = { maxNodes: 30, maxSteps: 12, temperatures: [1, 2] };

/** Search in pages of WebArena-Infinity apps: one page at a time, so one core. */
export const waiSearchBench: Bench = {
  group: 'wai-search',
  onDemand: true,
  usesBrowser: true,
  figures: ['wai.search-nodes', 'wai.search-solved'],
  async *run({ wai = [], browser }, { progress }) {
    for (const folder of wai) {
      const suffix = wai.length === 1 ? '' : ` ${folder.split('/').findLast(part => part !== '') ?? folder}`;
      for (const found of await measureApp(folder, browser, progress)) yield { ...found, name: found.name + suffix };
    }
  },
};

async function measureApp(
  folder: string,
  browser: BenchBrowser,
  progress: (text: string) => void,
): Promise<readonly Figure[]> {
  const timers = createSystemTimers();
  const pool = createBrowserPool({ timers, pages: 4, ...browser });
  const viewport = { width: 1280, height: 800 };
  const environment = await createWaiEnvironment({ folder, timers, pool, viewport, pictures: null });
  const [paces, solved]: [number[], number[]] = [[], []];
  try {
    const tasks = environment.templates.filter(({ id }) => id.startsWith('function-')).slice(0, mostTasks);
    for (const { id } of tasks) {
      progress(`searching ${id} …`);
      const session = await environment.open(await environment.task(id, 1));
      const prior = createScorePrior(createWordScorer());
      const start = performance.now();
      const { nodes, path } = await searchTree(session, { ...search, prior });
      if (nodes > 0) paces.push((nodes * 1000) / (performance.now() - start));
      solved.push(path === null ? 0 : 1);
      await session.close();
    }
  } finally {
    await environment.close?.();
    await pool.close();
  }
  const share = solved.reduce((sum, one) => sum + one, 0) / solved.length;
  return [
    figure('wai.search-nodes', '1/s', paces),
    { name: 'wai.search-solved', unit: 'share', value: share, spread: 0, runs: solved.length },
  ];
}
