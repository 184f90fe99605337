import { setTimeout as wait } from 'node:timers/promises';
import type { Environment, Session } from '../../../../src/core/contracts.ts';
import type { BrowserPool } from '../../../../src/envs/web/browser/pool.ts';
import type { Site } from '../../../../src/envs/web/sessions/site.ts';
import { createSiteEnvironment } from '../../../../src/envs/web/sessions/site-environment.ts';
import { undecided } from '../../certify/page-world.ts';

/** Milliseconds that a page has to do its worst: each is a multiple of what the slowest attack takes. */
const lookMilliseconds = 500;

/** Opens a session in the site, clicks its first button, and closes it. */
export async function visitAsSession(
  pool: BrowserPool,
  url: string,
  files?: NonNullable<Site['files']>,
): Promise<void> {
  const environment = siteAt(pool, url, files);
  // A site that cannot be opened has got nowhere: whether it has, the canary says.
  const session = await opened(environment).catch(() => null);
  await wait(lookMilliseconds);
  if (session === null) return;
  const button = /\[(e\d+)\] button/.exec(await textOf(session).catch(() => ''))?.[1];
  if (button !== undefined) {
    await click(session, button).catch(() => null);
    await wait(lookMilliseconds);
  }
  await session.close();
}

async function opened(environment: Environment): Promise<Session> {
  return environment.open(await environment.task('look', 1));
}

async function textOf(session: Session): Promise<string> {
  return (await session.observe()).text;
}

async function click(session: Session, ref: string): Promise<void> {
  await session.step({ kind: 'click', ref });
}

/** An environment with one task on the site that is served there. */
export function siteAt(pool: BrowserPool, url: string, files?: NonNullable<Site['files']>): Environment {
  const site: Site = {
    url: `${url}/`,
    headers: {},
    start: Date.UTC(2026, 1, 2, 9),
    seed: 7,
    files,
    capture: () => ({ text: '' }),
    restore: () => null,
    verify: () => undecided,
    close: () => undefined,
  };
  return createSiteEnvironment(
    {
      id: 'hostile',
      title: 'A hostile site',
      tasks: [{ template: 'look', about: 'look', steps: 50, instruction: () => Promise.resolve('Look around.') }],
      openSite: () => Promise.resolve(site),
      close: () => Promise.resolve(),
    },
    { pool, viewport: { width: 600, height: 400 }, pictures: null },
  );
}
