import type { ProgramPage } from './page-program.ts';

/** Which frames of a page are on their way to another document. */
export interface FrameLoads {
  /** Whether the page has frames, as far as the browser has told. */
  any(): boolean;
  /** Loads that were begun so far. */
  begun(): number;
  /** Waits until every frame is there; false when one takes longer than about a second. No time of the page passes. */
  done(): Promise<boolean>;
  stop(): void;
}

interface FrameEvent {
  readonly frameId?: string;
  readonly frame?: { readonly id: string; readonly parentId?: string };
  readonly navigationType?: string;
  readonly delay?: number;
}

const mostFrames = 60;

export function watchFrameLoads(page: ProgramPage): FrameLoads {
  const attached = new Set<string>();
  /** Asked for by a script, and not begun. */
  const scheduled = new Set<string>();
  const loading = new Set<string>();
  let main: string | null = null;
  let begun = 0;
  const hear = (method: string, { frameId, frame, navigationType, delay = 0 }: FrameEvent): void => {
    if (method === 'Page.frameNavigated' && frame !== undefined && frame.parentId === undefined) {
      main = frame.id;
      for (const known of [attached, scheduled, loading]) known.clear();
    }
    if (frameId === undefined || frameId === main) return;
    if (method === 'Page.frameAttached') attached.add(frameId);
    else if (method === 'Page.frameScheduledNavigation' && delay === 0) scheduled.add(frameId);
    else if (method === 'Page.frameClearedScheduledNavigation') scheduled.delete(frameId);
    // An empty document is there at once, and is not announced.
    else if (method === 'Page.frameStartedNavigating' && navigationType !== 'sameDocument') {
      loading.add(frameId);
      begun++;
    } else if (method === 'Page.frameStoppedLoading') loading.delete(frameId);
    else if (method === 'Page.frameDetached') for (const known of [attached, scheduled, loading]) known.delete(frameId);
  };
  return {
    any: () => attached.size > 0,
    begun: () => begun,
    async done() {
      for (let frames = 0; scheduled.size + loading.size > 0; frames++) {
        if (frames >= mostFrames) return false;
        await page.ask('program.drawn()');
      }
      return true;
    },
    stop: page.listen(({ method, params }) => hear(method, params as FrameEvent)),
  };
}
