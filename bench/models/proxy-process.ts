import { createSystemTimers } from '../../src/system/clock.ts';
import { dialectOf } from '../../src/models/dialects/dialects.ts';
import { listen } from '../../src/serve/http.ts';
import { createProxy } from '../../src/serve/proxy/proxy.ts';
import { openSessions } from '../../src/serve/proxy/sessions.ts';
import { readArgument, tellParent } from './child.ts';

/** The proxy as it is, in a process of its own. */
export interface ProxyProcessOptions {
  /** The base address of the model server. */
  readonly upstream: string;
  /** Where calls are written down. */
  readonly folder: string;
}

/** Said when it listens. */
export interface ProxyNews {
  readonly port: number;
}

await serve(readArgument<ProxyProcessOptions>());

async function serve({ upstream: base, folder }: ProxyProcessOptions): Promise<void> {
  const { handle } = createProxy({
    upstream: { endpoint: `openai:clock@${base}`, dialect: dialectOf('openai'), base, model: null, key: null },
    sessions: openSessions(folder),
    clock: { now: Date.now },
    timers: createSystemTimers(),
    keep() {},
  });
  const { port } = await listen(handle);
  tellParent({ port } satisfies ProxyNews);
}
