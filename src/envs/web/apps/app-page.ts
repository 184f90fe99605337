import type { Observation } from '../../../core/records.ts';
import { sessionClosed } from '../../../worlds/session.ts';
import type { StateWithInput } from './app-input-state.ts';
import { openAppTab, type AppTab, type AppTabOptions } from './app-tab.ts';
import { LostError } from '../browser/connection.ts';
import { initialFocusState } from './render/render-node.ts';
import { layoutOf } from '../sessions/layout.ts';
import type { PageView } from '../page-program/page-records.ts';
import type { Pictures } from '../tab/tab.ts';

export interface AppPageOptions extends AppTabOptions {
  /** Null when nobody wants pictures. */
  readonly pictures: Pictures | null;
}

/** The page of a session, drawn when somebody looks. */
export interface AppPage {
  /** The page as the state says it is. */
  drawn(): Promise<AppTab>;
  /** What was drawn does not hold any more. */
  redraw(): void;
  observe(): Promise<Observation>;
  /** Does something again, once, when the page was lost on the way: what it showed is known. */
  persistently<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const start = { ...initialFocusState, option: null };

export async function createAppPage({ session, input }: StateWithInput, options: AppPageOptions): Promise<AppPage> {
  let tab = await openAppTab(options);
  let view: PageView | null = null;
  let seen: Observation | null = null;
  let closed = false;
  let replacing: Promise<void> | null = null;

  const redraw = (): void => {
    [view, seen] = [null, null];
  };
  const look = async (): Promise<PageView> => {
    if (view !== null) return view;
    const { place = start, pointer = null } = input() ?? {};
    const found = await tab.draw(session.screen(), place);
    await tab.point(pointer);
    view = found;
    return found;
  };
  const replace = async (): Promise<void> => {
    await tab.close();
    const next = await openAppTab(options);
    if (closed) {
      await next.close();
      throw sessionClosed(session.task.id);
    }
    tab = next;
    redraw();
  };
  return {
    redraw,
    async drawn() {
      await look();
      return tab;
    },
    async observe() {
      seen ??= await observe(tab, await look(), options);
      return seen;
    },
    async persistently(work) {
      const used = tab;
      try {
        return await work();
      } catch (cause) {
        if (!(cause instanceof LostError)) throw cause;
        if (closed) throw sessionClosed(session.task.id);
        if (tab === used) {
          replacing ??= replace().finally(() => {
            replacing = null;
          });
          await replacing;
        }
        return work();
      }
    },
    async close() {
      closed = true;
      await tab.close();
    },
  };
}

async function observe(tab: AppTab, view: PageView, { viewport, pictures }: AppPageOptions): Promise<Observation> {
  const layout = layoutOf(view, viewport);
  if (pictures === null) return { text: view.text, layout };
  return { text: view.text, layout, image: await tab.picture(pictures) };
}
