import type { Connection } from './connection.ts';
import { openGate, type Gate } from '../containment/gate.ts';
import { watchLoss, type Loss } from './loss.ts';
import type { Page } from './page.ts';
import { holdTargetsOf, type Attached } from '../containment/targets.ts';

/** An empty page in a context of its own: it shares no cookie, storage, cache or way to the network with any other. */
export interface Context {
  readonly context: string;
  readonly target: string;
  readonly session: string;
  readonly loss: Loss;
  /** Its only way to the network; shut until somebody opens it. */
  readonly gate: Gate;
}

export async function openContext(connection: Connection): Promise<Context> {
  const gate = await openGate();
  try {
    const { browserContextId: context } = await connection.send<{ browserContextId: string }>(
      'Target.createBrowserContext',
      // Without the last word, the browser would go to this machine by itself.
      { disposeOnDetach: true, proxyServer: gate.address, proxyBypassList: '<-loopback>' },
    );
    try {
      return { context, gate, ...(await openTarget(connection, context)) };
    } catch (cause) {
      disposeContext(connection, { context, gate }).catch(() => null);
      throw cause;
    }
  } catch (cause) {
    gate.close();
    throw cause;
  }
}

export async function disposeContext(
  connection: Connection,
  { context, gate }: Pick<Context, 'context' | 'gate'>,
): Promise<void> {
  gate.close();
  await connection.send('Target.disposeBrowserContext', { browserContextId: context });
}

async function openTarget(connection: Connection, context: string): Promise<Omit<Context, 'context' | 'gate'>> {
  const attached = sessionIn(connection, context);
  try {
    const [{ targetId: target }] = await Promise.all([
      connection.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank', browserContextId: context }),
      connection.send('Browser.setDownloadBehavior', {
        behavior: 'deny',
        browserContextId: context,
        eventsEnabled: true,
      }),
    ]);
    const session = await attached.session;
    const loss = watchLoss(connection, session);
    // The inspector first: it tells of a page that has crashed already.
    const enabled = ['Inspector', 'Page', 'Runtime'].map(domain => connection.send(`${domain}.enable`, {}, session));
    const holding = holdTargetsOf(connection, session);
    const running = connection.send('Runtime.runIfWaitingForDebugger', {}, session);
    await loss.unlessLost(Promise.all([...enabled, holding, running]));
    return { target, session, loss };
  } finally {
    attached.stop();
  }
}

/** The session of the first page of a context: every target of the browser is attached to, and held, as it begins. */
function sessionIn(connection: Connection, context: string): { session: Promise<string>; stop(): void } {
  const found = Promise.withResolvers<string>();
  const stop = connection.listen(({ method, params }) => {
    if (method !== 'Target.attachedToTarget') return;
    const { sessionId, targetInfo } = params as unknown as Attached;
    if (targetInfo.browserContextId === context) found.resolve(sessionId);
  });
  return { session: found.promise, stop };
}

/** Notes what a page wanted to download. Gives back how to stop. */
export function watchDownloads(connection: Connection, page: Page, target: string): () => void {
  return connection.listen(({ method, params }) => {
    if (method !== 'Browser.downloadWillBegin') return;
    const { url, suggestedFilename, frameId } = params as { url: string; suggestedFilename: string; frameId: string };
    if (frameId === target)
      page.report({ kind: 'download', detail: `a download was refused: ${suggestedFilename} from ${url}` });
  });
}
