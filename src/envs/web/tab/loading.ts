import { LostError } from '../browser/connection.ts';
import { missingProgram, type ProgramPage } from './page-program.ts';

/** Whether a question had no answer because the document was left meanwhile. */
export function wasLeft(cause: unknown): boolean {
  if (cause instanceof LostError || !(cause instanceof Error)) return false;
  return (
    /context was destroyed|Cannot find context|Could not find object|navigated|Not attached to an active page/.test(
      cause.message,
    ) || cause.message.includes(missingProgram)
  );
}

/** Which document a page shows, and whether another one is on its way. */
export interface Loading {
  isLoading(): boolean;
  /** Documents loaded so far. */
  documents(): number;
  /** The address of what could not be loaded, when the browser says so in its place. */
  unreachable(): string | null;
  /** From here on, loads are counted anew. */
  begin(): void;
  /** Whether it has loaded so many documents since then that it must stay in this one. */
  mustStay(): boolean;
  /**
   * Whether to ask again after a question that had no answer: yes while another document is on its way, and a few times in
   * each document. The number of documents is limited, so this ends.
   */
  mayAskAgain(cause: unknown): boolean;
  /** Waits as long as the page may take to answer, and no longer. */
  done(): Promise<void>;
  stop(): void;
}

interface FrameEvent {
  readonly frameId?: string;
  readonly frame?: { readonly id: string; readonly parentId?: string; readonly unreachableUrl?: string };
  readonly navigationType?: string;
  readonly disposition?: string;
  readonly result?: boolean;
}

/** Nobody is led on through more documents than this by one action; a page that loads itself for ever would be. */
const mostLoads = 8;

/** Between two documents the browser refuses questions for a moment, and does not say when it is over. */
const mostRefusals = 20;

export function watchLoading(page: ProgramPage): Loading {
  let [begun, refusals] = [0, 0];
  let [isLoading, isThere, documents, waiting] = [false, false, 0, 0];
  let main: string | null = null;
  let unreachable: string | null = null;
  /** Whoever waits for a document to be left is told that it stays, or that another one is there already. */
  const letGo = (): void => {
    // One that was left needs no telling.
    if (waiting > 0) page.ask('program.letGo()').catch(() => null);
  };
  const ended = (): void => {
    isLoading = false;
    letGo();
  };
  const started = (): void => {
    [isLoading, isThere] = [true, false];
  };
  const hear = (method: string, event: FrameEvent): void => {
    if (method === 'Page.frameNavigated' && event.frame?.parentId === undefined) {
      main = event.frame?.id ?? null;
      unreachable = event.frame?.unreachableUrl ?? null;
      documents++;
      refusals = 0;
      [isLoading, isThere] = [true, true];
      letGo();
    }
    if (event.frameId !== undefined && main !== null && event.frameId !== main) return;
    if (method === 'Page.frameRequestedNavigation' && event.disposition === 'currentTab') started();
    else if (method === 'Page.frameStartedNavigating' && event.navigationType !== 'sameDocument') started();
    else if (method === 'Page.loadEventFired' || method === 'Page.frameStoppedLoading') ended();
    // Somebody was asked whether to leave, and stays.
    else if (method === 'Page.javascriptDialogClosed' && event.result === false) ended();
  };
  const stillLoads = (): boolean => isLoading && unreachable === null;
  return {
    isLoading: stillLoads,
    documents: () => documents,
    unreachable: () => unreachable,
    begin() {
      [begun, refusals] = [documents, 0];
    },
    mustStay: () => documents - begun >= mostLoads,
    // Documents of blobs are not asked for by a request, so nothing else limits them.
    mayAskAgain: cause =>
      (stillLoads() || wasLeft(cause)) && ++refusals <= mostRefusals && documents - begun <= mostLoads,
    async done() {
      while (stillLoads()) {
        waiting++;
        try {
          await page.ask(isThere ? 'program.loaded()' : 'program.stay()');
        } catch (cause) {
          if (!wasLeft(cause)) throw cause;
        } finally {
          waiting--;
        }
      }
    },
    stop: page.listen(({ method, params }) => hear(method, params as FrameEvent)),
  };
}
