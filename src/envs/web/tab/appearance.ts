import { hash } from 'node:crypto';
import type { Appearance } from '../../../core/contracts.ts';
import type { Page } from '../browser/page.ts';
import { realClockIn } from './real-clock.ts';

type LookedAt = Pick<Page, 'send' | 'isLost' | 'realClock'>;

/** A node as the browser tells of it, with shadow roots and the documents of frames. */
interface DomNode {
  readonly localName: string;
  readonly attributes?: readonly string[];
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly (DomNode & { readonly shadowRootType?: string })[];
  readonly contentDocument?: DomNode;
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly resources: readonly { readonly url: string; readonly mimeType: string }[];
  readonly childFrames?: readonly FrameTree[];
}

/** Carets blink. No policy of the page forbids this kind of style sheet, and a world of our own keeps it from scripts. */
const hideCaret = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { caret-color: transparent !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()`;
const showCaret = 'document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)';

/**
 * Reads what the page looks like, from outside. Images with several frames, SMIL and style animations stand still; what
 * follows the real clock all the same is looked for.
 */
export async function readAppearance(page: LookedAt): Promise<Appearance> {
  const { frameTree } = await page.send<{ frameTree: FrameTree }>('Page.getResourceTree');
  const moving = (await realClockIn(page)) ?? (await movingImage(page, frameTree)) ?? (await movingElement(page));
  if (moving !== null) return { moving };
  const world = { frameId: frameTree.frame.id, worldName: 'espalier appearance' };
  const { executionContextId: contextId } = await page.send<{ executionContextId: number }>(
    'Page.createIsolatedWorld',
    world,
  );
  await page.send('Runtime.evaluate', { expression: hideCaret, contextId });
  const { data } = await page.send<{ data: string }>('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
  });
  await page.send('Runtime.evaluate', { expression: showCaret, contextId });
  return { picture: hash('sha256', data).slice(0, 32) };
}

/** Style animations of an SVG image have a clock of their own, which nobody can stop. */
async function movingImage(page: LookedAt, { frame, resources, childFrames }: FrameTree): Promise<string | null> {
  for (const { url, mimeType } of resources) {
    if (!mimeType.includes('svg')) continue;
    const text = await contentOf(page, frame.id, url);
    if (text === null || mayAnimate(text)) return `an SVG image that may animate (${url.slice(0, 60)})`;
  }
  for (const child of childFrames ?? []) {
    const found = await movingImage(page, child);
    if (found !== null) return found;
  }
  return null;
}

async function contentOf(page: LookedAt, frameId: string, url: string): Promise<string | null> {
  try {
    const answer = await page.send<Content>('Page.getResourceContent', { frameId, url });
    return answer.base64Encoded ? Buffer.from(answer.content, 'base64').toString() : answer.content;
  } catch (cause) {
    if (page.isLost()) throw cause;
    return null;
  }
}

interface Content {
  readonly content: string;
  readonly base64Encoded: boolean;
}

/** In doubt it may. Entities can hide markup, and escapes in style sheets can hide names. */
function mayAnimate(svg: string): boolean {
  return !/<([\w.-]+:)?svg\b/.test(svg) || /animation|keyframes|<!ENTITY|\\|&#|<!\[CDATA\[/i.test(svg);
}

async function movingElement(page: LookedAt): Promise<string | null> {
  const { root } = await page.send<{ root: DomNode }>('DOM.getDocument', { depth: -1, pierce: true });
  // Nobody wants to hear of every change from now on.
  await page.send('DOM.disable');
  const nodes = [root];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const found = movementOf(node);
    if (found !== null) return found;
    nodes.push(...(node.children ?? []));
    for (const shadow of node.shadowRoots ?? []) if (shadow.shadowRootType !== 'user-agent') nodes.push(shadow);
    if (node.contentDocument !== undefined) nodes.push(node.contentDocument);
  }
  return null;
}

function movementOf({ localName, attributes = [], contentDocument }: DomNode): string | null {
  const at = (name: string): number => attributes.findIndex((word, index) => index % 2 === 0 && word === name);
  const has = (name: string): boolean => at(name) >= 0;
  const attributeOf = (name: string): string | undefined => attributes[at(name) + 1]?.toLowerCase();
  if (localName === 'progress' && !has('value')) return 'a progress bar without a value';
  if (localName === 'video' || (localName === 'audio' && has('controls'))) return `an element ${localName}`;
  if (has('interestfor')) return 'an element with interestfor, which shows something after a while';
  if (localName === 'input' && has('src') && attributeOf('type') === 'image')
    return 'an image input: the browser says once or twice that it has loaded';
  const isFrame = localName === 'iframe' || localName === 'frame' || localName === 'fencedframe';
  return isFrame && contentDocument === undefined ? 'a frame that nobody can look into' : null;
}
