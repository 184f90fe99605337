import type { Image } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import { hover, park, type Point } from './browser/input.ts';
import type { Page } from './browser/page.ts';
import type { BrowserPool, Viewport } from './browser/pool.ts';
import { toFace, type FaceIntent, type FaceLook, type FacePlace } from './face/face-node.ts';
import { faceScript } from './face/face-script.ts';
import type { Sight } from './page/keeper.ts';
import { observerScript } from './page/keeper-script.ts';
import { takePicture, type Pictures } from './tab.ts';

export interface AppTabOptions {
  readonly pool: BrowserPool;
  readonly viewport: Viewport;
  readonly look: FaceLook;
}

/** A page that draws screens and tells what people do on them. */
export interface AppTab {
  readonly page: Page;
  /** Draws a screen with the person at a place; where they are, when that is null. */
  draw(screen: UiNode, place: FacePlace | null): Promise<Sight>;
  /** Where the person is now. */
  place(): Promise<FacePlace>;
  /** Puts the pointer there; off the page, when that is null. */
  point(at: Point | null): Promise<void>;
  /** What was done since this was last asked. */
  intents(): Promise<readonly FaceIntent[]>;
  picture(pictures: Pictures): Promise<Image>;
  close(): Promise<void>;
}

/** An empty page is drawn as pages of long ago were, unless it says otherwise. */
const standardsMode = `document.write('<!doctype html>');document.close();`;

export async function openAppTab({ pool, viewport, look }: AppTabOptions): Promise<AppTab> {
  const opened = await pool.open(viewport);
  let isPointing = false;
  const page: Page = {
    ...opened,
    send(method, params) {
      if (method === 'Input.dispatchMouseEvent') isPointing = Number(params?.['x']) >= 0;
      return opened.send(method, params);
    },
  };
  let told: FaceIntent[] = [];
  const stop = page.listen(({ method, params }) => {
    if (method === 'Runtime.bindingCalled' && params['name'] === 'espalierIntent')
      told.push(JSON.parse(params['payload'] as string) as FaceIntent);
  });
  try {
    await Promise.all([
      page.send('Runtime.addBinding', { name: 'espalierIntent' }),
      page.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      page.evaluate(`${standardsMode}${observerScript()}${faceScript()};undefined`),
    ]);
  } catch (cause) {
    stop();
    await page.close();
    throw cause;
  }
  const dressed = JSON.stringify(look);
  return {
    page,
    async draw(screen, place) {
      const where = place === null ? 'undefined' : JSON.stringify(place);
      const drawing = `espalierFace.draw(${JSON.stringify(toFace(screen))}, ${dressed}, ${where})`;
      const sight = await page.evaluate<Sight>(`${drawing}; espalierKeeper.look()`);
      // Whoever is put somewhere has done nothing yet.
      if (place !== null) told = [];
      return sight;
    },
    place: () => page.evaluate<FacePlace>('espalierFace.place()'),
    async point(at) {
      if (at !== null) await hover(page, at);
      else if (isPointing) await park(page);
    },
    async intents() {
      // What is told of a click may come after the answer to the click, but never after that to a later question.
      if (told.length === 0) await page.evaluate('0');
      const taken = told;
      told = [];
      return taken;
    },
    picture: pictures => takePicture(page, { ...pictures, ...viewport }),
    async close() {
      stop();
      await page.close();
    },
  };
}
