import type { Dresser } from './dress.ts';
import type { FaceLook, FaceNode, FacePlace } from './face-node.ts';
import type { Painter, PainterOptions } from './painter.ts';
import type { Places } from './places.ts';
import type { Teller } from './teller.ts';

/** What the page offers to Node. */
export interface Face {
  /** Draws a screen over the one before. With a place, people are put there; else they stay where they are. */
  draw(root: FaceNode, look: FaceLook, place?: FacePlace): void;
  place(): FacePlace;
}

declare global {
  var espalierFace: Face;
  /** Node provides it, and answers every call by drawing once. */
  var espalierIntent: (intent: string) => void;
}

export interface FaceParts {
  readonly icons: PainterOptions['icons'];
  createDresser(): Dresser;
  createPainter(options: PainterOptions): Painter;
  createPlaces(): Places;
  createTeller(): Teller;
}

/** Draws screens as HTML and tells Node what people do. Sent to the page as text, and run once in an empty document. */
export function installFace(style: string, parts: FaceParts): void {
  const teller = parts.createTeller();
  const { isWaiting } = teller;
  const painter = parts.createPainter({ icons: parts.icons, dress: parts.createDresser(), isWaiting });
  const { place, putAt, keepFocus } = parts.createPlaces();

  function layoutOf({ children = [] }: FaceNode): string {
    const has = (wanted: string): boolean => children.some(({ role }) => role === wanted);
    return [has('banner') ? 'banner' : '', has('navigation') ? 'side' : ''].join(' ').trim();
  }

  function meet(dialog: HTMLElement): void {
    dialog.focus({ preventScroll: true });
    dialog.scrollIntoView({ block: 'center' });
  }

  function draw(root: FaceNode, { theme, density }: FaceLook, where?: FacePlace): void {
    const before = document.querySelector('[role=dialog]');
    if (where !== undefined) teller.forget();
    Object.assign(document.documentElement.dataset, { theme, density });
    document.title = root.name ?? '';
    document.body.dataset['layout'] = layoutOf(root);
    keepFocus(() => {
      if (painter.paint(root)) globalThis.scrollTo(0, 0);
    });
    const dialog = document.querySelector<HTMLElement>('[role=dialog]');
    if (where !== undefined) putAt(where);
    else if (dialog !== null && dialog !== before) meet(dialog);
    teller.answered();
  }

  const sheet = document.createElement('style');
  sheet.textContent = style;
  const viewport = document.createElement('meta');
  Object.assign(viewport, { name: 'viewport', content: 'width=device-width' });
  document.head.append(viewport, sheet);
  document.documentElement.lang = 'en';
  globalThis.espalierFace = { draw, place };
}
