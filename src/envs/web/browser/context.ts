import type { Connection } from './connection.ts';
import { watchLoss, type Loss } from './loss.ts';
import type { Page } from './page.ts';

/** An empty page in a context of its own: it shares no cookie, storage or cache with any other. */
export interface Context {
  readonly context: string;
  readonly target: string;
  readonly session: string;
  readonly loss: Loss;
}

export async function openContext(connection: Connection): Promise<Context> {
  const { browserContextId: context } = await connection.send<{ browserContextId: string }>(
    'Target.createBrowserContext',
    { disposeOnDetach: true },
  );
  try {
    return { context, ...(await openTarget(connection, context)) };
  } catch (cause) {
    disposeContext(connection, context).catch(() => null);
    throw cause;
  }
}

export async function disposeContext(connection: Connection, context: string): Promise<void> {
  await connection.send('Target.disposeBrowserContext', { browserContextId: context });
}

async function openTarget(connection: Connection, context: string): Promise<Omit<Context, 'context'>> {
  const [{ targetId: target }] = await Promise.all([
    connection.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank', browserContextId: context }),
    connection.send('Browser.setDownloadBehavior', {
      behavior: 'deny',
      browserContextId: context,
      eventsEnabled: true,
    }),
  ]);
  const { sessionId: session } = await connection.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId: target,
    flatten: true,
  });
  const loss = watchLoss(connection, session);
  // The inspector first: it tells of a page that has crashed already.
  const enabled = ['Inspector', 'Page', 'Runtime'].map(domain => connection.send(`${domain}.enable`, {}, session));
  await loss.unlessLost(Promise.all(enabled));
  return { target, session, loss };
}

export interface Guarded extends Context {
  readonly page: Page;
}

/** Closes what a page opens beside itself, and notes what it wanted to download. Gives back how to stop. */
export function guardTargets(connection: Connection, { page, context, target }: Guarded): () => void {
  return connection.listen(({ method, params }) => {
    if (method === 'Target.targetCreated') {
      const { targetInfo } = params as unknown as { targetInfo: TargetInfo };
      if (targetInfo.browserContextId !== context || targetInfo.targetId === target) return;
      if (targetInfo.type !== 'page') return;
      page.report({ kind: 'popup', detail: `a window was closed: ${targetInfo.url || 'about:blank'}` });
      // One that closed itself meanwhile, or went with its browser, needs no closing.
      connection.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => null);
    } else if (method === 'Browser.downloadWillBegin') {
      const { url, suggestedFilename, frameId } = params as { url: string; suggestedFilename: string; frameId: string };
      if (frameId === target)
        page.report({ kind: 'download', detail: `a download was refused: ${suggestedFilename} from ${url}` });
    }
  });
}

interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
  readonly browserContextId?: string;
}
