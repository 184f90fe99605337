import { count } from '../../core/text.ts';
import type { DrawnTree } from '../gallery.ts';
import type { DrawnShot } from '../shot.ts';
import { html, type Markup } from './html.ts';

/** Screenshots by their address; null when there is none. */
type Pictures = (hash: string) => Uint8Array | null;

/** The class that shows a screenshot; null when the page does not have it. */
export type StyleOf = (shot: DrawnShot) => string | null;

/** The screenshots embedded in a page, each one once. */
export interface EmbeddedScreenshots {
  stylesOf(tree: DrawnTree): StyleOf;
  /** The style sheet that holds them all. */
  readonly sheet: Markup | null;
  /** Which screenshots were left out, and why. */
  readonly remark: string | null;
}

export interface EmbeddedScreenshotsOptions {
  /** When missing, no screenshots are drawn. */
  readonly pictures?: Pictures | undefined;
  /** Bytes that they may take in the page. */
  readonly pictureLimit?: number | undefined;
}

const megabyte = 10 ** 6;
const usualLimit = 12 * megabyte;

/** A tree gets all of its screenshots, or none when they exceed the limit. */
export function createEmbeddedScreenshots(
  trees: readonly DrawnTree[],
  options: EmbeddedScreenshotsOptions,
): EmbeddedScreenshots {
  const { pictures, pictureLimit = usualLimit } = options;
  const styles = new Map<string, string>();
  const rules: string[] = [];
  const missing = new Set<string>();
  const bare = new Set<DrawnTree>();
  let size = 0;
  for (const tree of trees) {
    const fresh = new Map<string, Picture>();
    for (const { shot } of tree.nodes) {
      if (shot === undefined || styles.has(shot.hash) || fresh.has(shot.hash)) continue;
      const data = pictures?.(shot.hash) ?? null;
      if (data === null) missing.add(shot.hash);
      else fresh.set(shot.hash, { type: shot.type, data });
    }
    const added = [...fresh.values()].reduce((sum, { data }) => sum + Math.ceil(data.length / 3) * 4, 0);
    if (size + added > pictureLimit) bare.add(tree);
    else {
      size += added;
      for (const [hash, picture] of fresh) {
        const style = `picture-${styles.size}`;
        styles.set(hash, style);
        rules.push(`.${style}{background-image:url(${addressOf(picture)})}`);
      }
    }
  }
  const remarks =
    pictures === undefined ? undrawn(missing.size) : [...unfound(missing.size), ...left(bare.size, pictureLimit)];
  return {
    stylesOf: tree => (bare.has(tree) ? () => null : ({ hash }) => styles.get(hash) ?? null),
    sheet: rules.length === 0 ? null : html`<style>${rules.join('\n')}</style>`,
    remark: remarks.length === 0 ? null : remarks.join(' '),
  };
}

interface Picture {
  readonly type: DrawnShot['type'];
  readonly data: Uint8Array;
}

function addressOf({ type, data }: Picture): string {
  const piece = 2 ** 15;
  let text = '';
  for (let at = 0; at < data.length; at += piece) text += String.fromCharCode(...data.subarray(at, at + piece));
  return `data:${type};base64,${btoa(text)}`;
}

function undrawn(missing: number): string[] {
  return missing === 0 ? [] : ['The screenshots are not in this page, which was drawn without the store of the run.'];
}

function unfound(missing: number): string[] {
  return missing === 0 ? [] : [`${count(missing, 'screenshot')} of these steps cannot be found in the store.`];
}

function left(trees: number, limit: number): string[] {
  if (trees === 0) return [];
  const most = `${(limit / megabyte).toLocaleString('en')} MB`;
  return [`${count(trees, 'tree is', 'trees are')} drawn without screenshots: a page holds ${most} of them.`];
}
