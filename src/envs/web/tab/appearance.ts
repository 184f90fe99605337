import { hash } from 'node:crypto';
import type { Appearance } from '../../../core/contracts.ts';
import type { Params } from '../browser/connection.ts';
import type { Page } from '../browser/page.ts';
import { realClockIn } from './real-clock.ts';
import { isStillSvg } from './still-svg.ts';

type LookedAt = Pick<Page, 'send' | 'isLost' | 'realClock' | 'cameNearStackEnd'>;

/** A node as the browser tells of it, with shadow roots and the documents of frames. */
interface DomNode {
  readonly backendNodeId: number;
  readonly localName: string;
  readonly attributes?: readonly string[];
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly (DomNode & { readonly shadowRootType?: string })[];
  readonly contentDocument?: DomNode;
}

/** The part of a DOM snapshot that says which nodes are laid out. */
interface LayoutSnapshot {
  readonly documents: readonly {
    readonly nodes: { readonly backendNodeId: readonly number[] };
    readonly layout: { readonly nodeIndex: readonly number[] };
  }[];
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly resources: readonly { readonly url: string; readonly mimeType: string }[];
  readonly childFrames?: readonly FrameTree[];
}

const appearanceWorld = 'espalier appearance';

/**
 * Carets blink. No policy of the page forbids this kind of style sheet, and a world of our own keeps it from scripts. It goes into
 * the document and into every frame and shadow root on the way to the focus. Says whether the caret is out of sight: styles
 * of the page may insist on theirs.
 */
const hideCaret = `(() => {
  globalThis.espalierShown = [];
  const isClear = element => element === null || element.ownerDocument.defaultView.getComputedStyle(element).caretColor === 'rgba(0, 0, 0, 0)';
  const hideIn = root => {
    const sheet = new (root.defaultView ?? root.ownerDocument.defaultView).CSSStyleSheet();
    sheet.replaceSync('* { caret-color: transparent !important }');
    const before = [...root.adoptedStyleSheets];
    root.adoptedStyleSheets = [...before, sheet];
    espalierShown.push(() => { root.adoptedStyleSheets = before });
    const field = root.activeElement;
    const inner = field?.shadowRoot ?? field?.contentDocument;
    if (inner) return hideIn(inner);
    const { focusNode } = (root.getSelection ? root : root.ownerDocument).getSelection() ?? {};
    const place = focusNode?.nodeType === 3 ? focusNode.parentElement : focusNode;
    return isClear(field) && isClear(place?.nodeType === 1 ? place : null);
  };
  return hideIn(document);
})()`;
const showCaret = 'espalierShown.forEach(show => show())';
const caret = 'a caret that styles of the page keep in sight: it blinks by the real clock';

/** What has the focus, in whichever frame or shadow root; what a closed one has focused cannot be looked at. */
const focused = `(function look(root) {
  const field = root.activeElement;
  const inner = field?.shadowRoot ?? field?.contentDocument;
  return inner ? look(inner) : field;
})(document)`;
const bubble = 'a field with the focus that is not valid: the bubble about it comes and goes by the real clock';

/**
 * Reads what the page looks like, from outside. Images with several frames, SMIL and style animations stand still; what
 * follows the real clock all the same is looked for.
 */
export async function readAppearance(page: LookedAt): Promise<Appearance> {
  const { frameTree } = await page.send<{ frameTree: FrameTree }>('Page.getResourceTree');
  const moving = (await realClockIn(page)) ?? (await movingImage(page, frameTree)) ?? (await movingElement(page));
  if (moving !== null) return { moving };
  const world = { frameId: frameTree.frame.id, worldName: appearanceWorld };
  const { executionContextId: contextId } = await page.send<{ executionContextId: number }>(
    'Page.createIsolatedWorld',
    world,
  );
  if (await mayShowBubble(page, contextId)) return { moving: bubble };
  const { isHidden, data } = await pictureWithoutCaret(page, contextId, { format: 'png', optimizeForSpeed: true });
  return isHidden ? { picture: hash('sha256', data).slice(0, 32) } : { moving: caret };
}

/** What the page looks like but for its caret, in base64. */
export async function drawPage(page: LookedAt, format: Params): Promise<string> {
  const { frameTree } = await page.send<{ frameTree: Pick<FrameTree, 'frame'> }>('Page.getFrameTree');
  const world = { frameId: frameTree.frame.id, worldName: appearanceWorld };
  const { executionContextId } = await page.send<{ executionContextId: number }>('Page.createIsolatedWorld', world);
  return (await pictureWithoutCaret(page, executionContextId, format)).data;
}

interface Drawn {
  /** Whether no caret is on it. */
  readonly isHidden: boolean;
  readonly data: string;
}

async function pictureWithoutCaret(page: LookedAt, contextId: number, format: Params): Promise<Drawn> {
  const isHidden = (await evaluateIn<boolean>(page, contextId, hideCaret)) === true;
  const { data } = await page.send<{ data: string }>('Page.captureScreenshot', format);
  await evaluateIn(page, contextId, showCaret);
  return { isHidden, data };
}

/** Whether the browser may show a bubble about a field. */
async function mayShowBubble(page: LookedAt, contextId: number): Promise<boolean> {
  const { result } = await page.send<{ result: { objectId?: string } }>('Runtime.evaluate', {
    expression: focused,
    contextId,
  });
  if (result.objectId === undefined) return false;
  const { objectId } = result;
  const { node } = await page.send<{ node: DomNode }>('DOM.describeNode', { objectId });
  if (node.shadowRoots?.some(({ shadowRootType }) => shadowRootType === 'closed')) return true;
  const { result: answer } = await page.send<{ result: { value?: boolean } }>('Runtime.callFunctionOn', {
    objectId,
    functionDeclaration: "function () { return this.matches(':invalid') }",
    returnByValue: true,
  });
  return answer.value !== false;
}

/** Evaluates in a world of its own: what the page has patched, and what watches the page, does not hear of it. */
export async function evaluateIn<T>(page: LookedAt, contextId: number, expression: string): Promise<T | undefined> {
  const question = { expression, contextId, returnByValue: true };
  return (await page.send<{ result: { value?: T } }>('Runtime.evaluate', question)).result.value;
}

/** Style animations of an SVG image have a clock of their own, which nobody can stop. */
async function movingImage(page: LookedAt, { frame, resources, childFrames }: FrameTree): Promise<string | null> {
  for (const { url, mimeType } of resources) {
    if (!mimeType.includes('svg')) continue;
    const text = await contentOf(page, frame.id, url);
    if (text === null || !isStillSvg(text)) return `an SVG image that may animate (${url.slice(0, 60)})`;
  }
  for (const child of childFrames ?? []) {
    const found = await movingImage(page, child);
    if (found !== null) return found;
  }
  return null;
}

/** A file that the page has loaded; null where the browser no longer has it. */
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

async function movingElement(page: LookedAt): Promise<string | null> {
  const { root } = await page.send<{ root: DomNode }>('DOM.getDocument', { depth: -1, pierce: true });
  try {
    const nodes = [root];
    /** Documents of frames and shadow roots, and what is in them. */
    const inner = new Set<DomNode>();
    let drawn: ReadonlySet<number> | null = null;
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      const found = movementOf(node) ?? (inner.has(node) ? loadOf(node) : null);
      if (found !== null) {
        if (found.only === undefined) return found.what;
        drawn ??= await drawnNodes(page);
        if (await isMoving(page, { node, only: found.only, drawn })) return found.what;
      }
      const roots = (node.shadowRoots ?? []).filter(({ shadowRootType }) => shadowRootType !== 'user-agent');
      const within = [...roots, ...(node.contentDocument === undefined ? [] : [node.contentDocument])];
      for (const one of inner.has(node) ? [...within, ...(node.children ?? [])] : within) inner.add(one);
      nodes.push(...(node.children ?? []), ...within);
    }
    return null;
  } finally {
    // Nobody wants to hear of every change from now on.
    if (!page.isLost()) await page.send('DOM.disable');
  }
}

/** Nodes that have a box on the screen. */
async function drawnNodes(page: LookedAt): Promise<ReadonlySet<number>> {
  const { documents } = await page.send<LayoutSnapshot>('DOMSnapshot.captureSnapshot', { computedStyles: [] });
  return new Set(
    documents.flatMap(({ nodes, layout }) => layout.nodeIndex.map(index => nodes.backendNodeId[index] as number)),
  );
}

interface Suspect {
  readonly node: DomNode;
  readonly only: 'drawn' | 'drawn with media';
  readonly drawn: ReadonlySet<number>;
}

async function isMoving(page: LookedAt, { node, only, drawn }: Suspect): Promise<boolean> {
  if (!drawn.has(node.backendNodeId)) return false;
  return only === 'drawn' || (await hasMedia(page, node));
}

/** Whether a video or audio element ever had something to play. The elements of the page tell in a world of our own. */
async function hasMedia(page: LookedAt, { backendNodeId }: DomNode): Promise<boolean> {
  try {
    const { frameTree } = await page.send<{ frameTree: FrameTree }>('Page.getResourceTree');
    const world = { frameId: frameTree.frame.id, worldName: appearanceWorld };
    const made = await page.send<{ executionContextId: number }>('Page.createIsolatedWorld', world);
    const { object } = await page.send<{ object: { objectId: string } }>('DOM.resolveNode', { backendNodeId, ...made });
    const { result } = await page.send<{ result: { value?: unknown } }>('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: 'function () { return this.networkState === 0 && this.srcObject === null }',
      returnByValue: true,
    });
    return result.value !== true;
  } catch (cause) {
    if (page.isLost()) throw cause;
    return true;
  }
}

interface Movement {
  readonly what: string;
  /** It moves only under this condition. */
  readonly only?: Suspect['only'];
}

/** The value of an attribute; undefined when the element does not have it. */
function attributeOf({ attributes = [] }: DomNode, name: string): string | undefined {
  const at = attributes.findIndex((word, index) => index % 2 === 0 && word === name);
  return at < 0 ? undefined : attributes[at + 1];
}

/** The program in the page tells when a script hears that an image of an input was loaded, but not in frames and shadow roots. */
function loadOf(node: DomNode): Movement | null {
  const isImage = node.localName === 'input' && attributeOf(node, 'type')?.toLowerCase() === 'image';
  return isImage && attributeOf(node, 'src') !== undefined
    ? { what: 'an image input: the browser reports its load once or twice' }
    : null;
}

function movementOf(node: DomNode): Movement | null {
  const { localName, contentDocument } = node;
  const has = (name: string): boolean => attributeOf(node, name) !== undefined;
  if (has('interestfor')) return { what: 'an element with interestfor, which shows something after a while' };
  if (localName === 'progress' && !has('value')) return { what: 'a progress bar without a value', only: 'drawn' };
  // Players are told of by the browser: one that is not drawn and has no player stands still.
  if (localName === 'video') return { what: 'an element video', only: 'drawn with media' };
  if (localName === 'audio' && has('controls')) return { what: 'an element audio', only: 'drawn with media' };
  const isFrame = localName === 'iframe' || localName === 'frame' || localName === 'fencedframe';
  return isFrame && contentDocument === undefined ? { what: 'a frame that nobody can look into' } : null;
}
