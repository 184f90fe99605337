import type { Environment } from '../../src/core/contracts.ts';
import type { Page } from '../../src/envs/web/browser/page.ts';
import type { BrowserPool } from '../../src/envs/web/browser/pool.ts';
import { createSiteEnvironment } from '../../src/envs/web/sessions/site-environment.ts';
import { createWaiFiles } from '../../src/envs/web/sites/wai/files.ts';
import { undecided } from '../adversarial/certify/page-world.ts';
import { builtApp } from './build.ts';
import { servers } from './servers.ts';

const viewport = { width: 900, height: 700 };

export interface OpenOptions {
  readonly pool: BrowserPool;
  /** Told of each page before it loads anything. */
  watch?(page: Page): void;
}

/** An environment with one task in an app of the set, which is built first where it was not. */
export async function openApp(name: string, { pool, watch }: OpenOptions): Promise<Environment> {
  const files = createWaiFiles(await builtApp(name));
  const server = servers[name];
  return createSiteEnvironment(
    {
      id: `framework-${name}`,
      title: name,
      tasks: [{ template: 'look', about: 'look', steps: 500, instruction: () => Promise.resolve('Look around.') }],
      openSite() {
        let state = server?.start ?? '';
        return Promise.resolve({
          url: 'http://localhost/',
          headers: {},
          start: Date.UTC(2026, 1, 2, 9),
          seed: 7,
          watch: async page => watch?.(page),
          async files(path) {
            const answer = server?.answer(path, state) ?? null;
            if (answer === null) return (await files.read(path)) ?? files.read(`${path}.html`);
            state = answer.state;
            return answer.file;
          },
          capture: () => ({ text: state }),
          restore: ({ text }) => void (state = text),
          verify: () => undecided,
          close: () => undefined,
        });
      },
      close: () => Promise.resolve(),
    },
    { pool, viewport, pictures: null },
  );
}
