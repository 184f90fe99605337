import type { Image } from '../../../core/records.ts';
import type { UiNode } from '../../../core/ui.ts';
import { installPageInput, type AppFocusState } from './app-focus-state.ts';
import type { Params } from '../browser/connection.ts';
import { hover, park, type Point } from '../browser/input.ts';
import type { Page } from '../browser/page.ts';
import type { BrowserPool, Viewport } from '../browser/pool.ts';
import { toRenderNode, type UserIntent, type Appearance } from './render/render-node.ts';
import { renderScript } from './render/render-script.ts';
import { startProgram, type ProgramPage } from '../tab/page-program.ts';
import type { PageView } from '../page-program/page-records.ts';
import { takePicture, type Pictures } from '../tab/tab.ts';

export interface AppTabOptions {
  readonly pool: BrowserPool;
  readonly viewport: Viewport;
  readonly look: Appearance;
}

/** A page that draws screens and tells what people do on them. */
export interface AppTab {
  readonly page: ProgramPage;
  /** Draws a screen with the person at a place; where they are, when that is null. */
  draw(screen: UiNode, place: AppFocusState | null): Promise<PageView>;
  /** Where the person is who is to use the keys, or the pointer. */
  begin(byKey: boolean): Promise<AppFocusState>;
  /** Lets the browser do what it does with the next frames, such as scrolling. */
  rest(): Promise<void>;
  /** Where the person is who just used them. */
  place(byKey: boolean): Promise<AppFocusState>;
  /** Puts the pointer there; off the page, when that is null. */
  point(at: Point | null): Promise<void>;
  /** What was done since this was last asked. */
  intents(): Promise<readonly UserIntent[]>;
  picture(pictures: Pictures): Promise<Image>;
  close(): Promise<void>;
}

/** An empty page is drawn as pages of long ago were, unless it says otherwise. */
const standardsMode = `document.write('<!doctype html>');document.close();`;

export async function openAppTab({ pool, viewport, look }: AppTabOptions): Promise<AppTab> {
  const { page: opened, isPointing } = watchPointer(await pool.open(viewport));
  const told = hearIntents(opened);
  const page = await begin(opened).catch(async (cause: unknown) => {
    await opened.close();
    throw cause;
  });
  const dressed = JSON.stringify(look);
  return {
    page,
    async draw(screen, place) {
      const drawing = `${JSON.stringify(toRenderNode(screen))}, ${dressed}`;
      if (place === null) return page.ask<PageView>(`(espalierFace.draw(${drawing}), program.look())`);
      const put = `(espalierVisitor.draw(${drawing}, ${JSON.stringify(place)}), program.look())`;
      const view = await page.ask<PageView>(put, { asUser: true });
      // Whoever is put somewhere has done nothing yet.
      told.splice(0);
      return view;
    },
    begin: byKey => page.evaluate<AppFocusState>(`espalierVisitor.begin(${byKey})`),
    place: byKey => page.evaluate<AppFocusState>(`espalierVisitor.find(${byKey})`),
    rest: () => page.ask('program.drawnTwice()'),
    async point(at) {
      if (at !== null) await hover(page, at);
      else if (isPointing()) await park(page);
    },
    async intents() {
      // What is told of a click may come after the answer to the click, but never after that to a later question.
      if (told.length === 0) await page.evaluate('0');
      return told.splice(0);
    },
    picture: pictures => takePicture(page, { ...pictures, ...viewport }),
    close: () => page.close(),
  };
}

/** Draws in an empty document, where the program is started beside the renderer. */
async function begin(page: Page): Promise<ProgramPage> {
  const [programPage] = await Promise.all([
    page
      .evaluate(`${standardsMode}undefined`)
      .then(() => startProgram(page, { page: 'app', start: 0, seed: 0, keeps: false })),
    page.send('Runtime.addBinding', { name: 'espalierIntent' }),
    page.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
  ]);
  await page.evaluate(`${renderScript()}(${installPageInput.toString()})();undefined`);
  return programPage;
}

/** Knows whether the pointer is over the page, and waits for nothing when it leaves. */
function watchPointer(page: Page): { readonly page: Page; isPointing(): boolean } {
  let isPointing = false;
  const send = <T>(method: string, params?: Params): Promise<T> => {
    const answer = page.send<T>(method, params);
    if (method !== 'Input.dispatchMouseEvent') return answer;
    isPointing = Number(params?.['x']) >= 0;
    if (isPointing) return answer;
    // It is answered with the next frame, and whatever is asked next comes after it all the same.
    answer.catch(() => null);
    return Promise.resolve({} as T);
  };
  return { page: { ...page, send }, isPointing: () => isPointing };
}

/** What the page tells, as it comes. */
function hearIntents(page: Page): UserIntent[] {
  const told: UserIntent[] = [];
  page.listen(({ method, params }) => {
    if (method === 'Runtime.bindingCalled' && params['name'] === 'espalierIntent')
      told.push(JSON.parse(params['payload'] as string) as UserIntent);
  });
  return told;
}
