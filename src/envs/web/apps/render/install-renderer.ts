import type { StyleElement } from './element-style.ts';
import type { Appearance, RenderNode, FocusState } from './render-node.ts';
import type { Renderer, RendererOptions } from './renderer.ts';
import type { FocusTracker } from './focus-state.ts';
import type { EventBridge } from './event-bridge.ts';

/** What the page offers to Node. */
interface PageRenderer {
  /** Draws a screen over the one before. With a place, people are put there; else they stay where they are. */
  draw(root: RenderNode, look: Appearance, place?: FocusState): void;
  place(): FocusState;
}

declare global {
  var espalierFace: PageRenderer;
  /** Node provides it, and answers every call by drawing once. */
  var espalierIntent: (intent: string) => void;
}

export interface RendererParts {
  readonly icons: RendererOptions['icons'];
  createElementStyle(): StyleElement;
  createRenderer(options: RendererOptions): Renderer;
  createFocusTracker(): FocusTracker;
  createEventBridge(): EventBridge;
}

/** Draws screens as HTML and tells Node what people do. Sent to the page as text, and run once in an empty document. */
export function installRenderer(style: string, parts: RendererParts): void {
  const bridge = parts.createEventBridge();
  const { isWaiting } = bridge;
  const renderer = parts.createRenderer({ icons: parts.icons, styleElement: parts.createElementStyle(), isWaiting });
  const { place, putAt, keepFocus } = parts.createFocusTracker();

  function layoutOf({ children = [] }: RenderNode): string {
    const has = (wanted: string): boolean => children.some(({ role }) => role === wanted);
    return [has('banner') ? 'banner' : '', has('navigation') ? 'side' : ''].join(' ').trim();
  }

  function meet(dialog: HTMLElement): void {
    dialog.focus({ preventScroll: true });
    dialog.scrollIntoView({ block: 'center' });
  }

  function draw(root: RenderNode, { theme, density }: Appearance, where?: FocusState): void {
    const before = document.querySelector('[role=dialog]');
    if (where !== undefined) bridge.forget();
    Object.assign(document.documentElement.dataset, { theme, density });
    document.title = root.name ?? '';
    document.body.dataset['layout'] = layoutOf(root);
    keepFocus(() => {
      if (renderer.render(root)) globalThis.scrollTo(0, 0);
    });
    const dialog = document.querySelector<HTMLElement>('[role=dialog]');
    if (where !== undefined) putAt(where);
    else if (dialog !== null && dialog !== before) meet(dialog);
    bridge.answered();
  }

  const sheet = document.createElement('style');
  sheet.textContent = style;
  const viewport = document.createElement('meta');
  Object.assign(viewport, { name: 'viewport', content: 'width=device-width' });
  document.head.append(viewport, sheet);
  document.documentElement.lang = 'en';
  globalThis.espalierFace = { draw, place };
}
