import { basename, dirname, extname } from 'node:path';
import type { Timers } from '../../../../core/clock.ts';
import type { Environment } from '../../../../core/contracts.ts';
import { createAppServers } from '../../servers/app-servers.ts';
import { appOrigin, type SessionServerState } from '../../servers/session-server.ts';
import { createSiteEnvironment, type BrowserOptions } from '../../sessions/site-environment.ts';
import { openArchive, taskOf, tasksOf } from '../url/environment.ts';
import { createUserSite, start } from '../url/site.ts';
import { readAppModule } from '../url/tasks.ts';

export interface WebAppOptions extends BrowserOptions {
  /** Where the module lies: paths in it are told from its folder. */
  readonly module: string;
  /** What the module exports. */
  readonly tasks: unknown;
  readonly timers: Timers;
}

/** A web app of the user's with its server: each session has a server of its own, which is rolled back with its page. */
export async function createWebAppEnvironment(options: WebAppOptions): Promise<Environment> {
  const { timers, module: path } = options;
  const app = readAppModule(options.tasks);
  const { tasks, server: declaration } = app;
  const root = dirname(path);
  // Its own server is there whenever the app is.
  const archive = openArchive(app, root, origin => origin !== appOrigin);
  const servers = createAppServers({ declaration, root, start, timers });
  const name = `${basename(root)}-${basename(path, extname(path))}`;
  return createSiteEnvironment(
    {
      id: ['app', ...(name.toLowerCase().match(/[a-z0-9]+/g) ?? [])].join('-'),
      title: name,
      ...tasksOf(tasks),
      openSite: async ({ template, seed }) => {
        const server = await servers.open(seed);
        const backend = { ...server, restore: (state: object) => server.restore(state as SessionServerState) };
        const url = new URL(declaration.start, appOrigin).href;
        return createUserSite({
          module: app,
          root,
          task: taskOf(tasks, template),
          url,
          seed,
          timers,
          backend,
          archive: archive?.open() ?? null,
        });
      },
      async close() {
        archive?.close();
        await servers.close();
      },
    },
    options,
  );
}
