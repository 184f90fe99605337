import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../../../src/core/random.ts';
import { causeText } from '../../../src/core/errors.ts';
import type { BrowserPool } from '../../../src/envs/web/browser/pool.ts';
import type { BrowserEvent } from '../../../src/envs/web/browser/connection.ts';
import { click } from '../../../src/envs/web/browser/input.ts';
import { evaluateIn } from '../../../src/envs/web/tab/appearance.ts';
import { openTab, type PageSnapshot, type Tab } from '../../../src/envs/web/tab/tab.ts';
import { probeText } from '../certify/probe.ts';
import { drawAttack, type Attack } from './attacks.ts';
import { kit } from './kit.ts';

/** A hostile page, and what came of it. */
export interface Reached {
  readonly seed: string;
  readonly attacks: readonly Attack[];
  /** What the page got hold of that is ours. */
  readonly found: readonly string[];
  readonly rollback: 'restored' | 'refused' | 'wrong' | 'failed';
  /** Why it was refused or failed, or what was wrong. */
  readonly reason: string;
}

/** A small app: what can be rolled back in it, and calls of the platform that our program stands behind. */
const app = `<div id="box"><p id="text">start</p></div><form id="form"><input id="field" aria-label="Field"></form>
<button id="go" type="button" style="position:fixed;left:10px;top:340px;width:80px;height:40px">Go</button>
<script>
const state = { count: 0, list: [], map: new Map() };
const text = document.getElementById('text');
class Row { constructor(number) { this.number = number } write() { const row = document.createElement('p'); row.textContent = 'row ' + this.number; document.getElementById('box').append(row) } }
document.getElementById('go').addEventListener('click', () => {
  state.count++; state.list.push(state.count); state.map.set('k' + state.count, state.count);
  text.textContent = 'count ' + state.count + ' ' + state.list.join() + ' ' + state.map.size;
  new Row(state.count).write();
  document.getElementById('field').value = 'v' + state.count;
  setTimeout(() => { text.dataset.later = state.count }, 20);
  localStorage.setItem('count', state.count);
});
</script>`;

function writeHostile(attacks: readonly Attack[], looks: boolean): string {
  const first = kit(looks);
  const scripts = attacks.map(({ script }) => `try { ${script} } catch { }`).join('\n');
  const html = attacks.map(one => one.html).join('');
  const whole = `${first}${scripts}${app}`;
  return `<!doctype html><meta charset="utf-8"><title>Page</title><script>${first}
kit.read(decodeURIComponent('${encodeURIComponent(whole).replaceAll("'", '%27')}'));
${scripts}
</script>${html}${app}`;
}

function drawHostile(seed: string, kinds?: readonly string[]): readonly Attack[] {
  const random = createRandom(seed);
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, () => drawAttack(random, kinds));
}

/** Pages that attack, one after the other in the same tab: what opens a tab is none of theirs. */
export interface Hunt {
  /** Either it looks for what is ours, which no snapshot covers, or it only attacks. */
  visit(seed: string, attacks: readonly Attack[], looks: boolean): Promise<Reached>;
  close(): Promise<void>;
}

const origin = 'http://reach.test';
const viewport = { width: 600, height: 400 };

export async function openHunt(pool: BrowserPool): Promise<Hunt> {
  let html = '<!doctype html>';
  let found: string[] = [];
  const bare = await pool.open(viewport);
  bare.listen(event => found.push(...reachedIn(event)));
  const tab = await openTab(bare, {
    url: `${origin}/`,
    headers: {},
    start: Date.UTC(2026, 1, 2, 9),
    seed: 7,
    files: path =>
      Promise.resolve(
        path.includes('.') ? null : { body: Buffer.from(path === '/inner' ? '<p>inner' : html), type: 'text/html' },
      ),
    capture: () => ({ text: '' }),
    restore: () => undefined,
    close: () => undefined,
  });
  let visits = 0;
  return {
    async visit(seed, attacks, looks) {
      [html, found] = [writeHostile(attacks, looks), []];
      const came = await walk(tab, `${origin}/page${++visits}`).catch(
        (cause: unknown) => ({ rollback: 'failed', reason: causeText(cause) }) as const,
      );
      // What a page says comes before the answer to a later question.
      if (!bare.isLost()) await bare.send('Page.getFrameTree').catch(() => null);
      return { seed, attacks, found: [...new Set(found)], ...came };
    },
    close: () => tab.close(),
  };
}

function reachedIn({ method, params }: BrowserEvent): readonly string[] {
  if (method !== 'Runtime.consoleAPICalled') return [];
  const [word, ...more] = (params['args'] as readonly { value?: unknown }[]).map(({ value }) => String(value));
  return word === 'reached' ? [more.join(': ')] : [];
}

async function probe({ page }: Tab): Promise<string> {
  const { frameTree } = await page.send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree');
  const place = { frameId: frameTree.frame.id, worldName: 'reach' };
  const { executionContextId } = await page.send<{ executionContextId: number }>('Page.createIsolatedWorld', place);
  return ((await evaluateIn<readonly string[]>(page, executionContextId, probeText)) ?? []).join('\n');
}

const button = { x: 50, y: 360 };

interface Seen {
  readonly snapshot: PageSnapshot;
  readonly shown: string;
}

/** Goes to a page, acts twice, rolls back to after the first, and acts again. */
async function walk(tab: Tab, url: string): Promise<Pick<Reached, 'rollback' | 'reason'>> {
  const look = async (): Promise<Seen> => {
    const snapshot = await tab.rest(100);
    return { snapshot, shown: await probe(tab) };
  };
  const act = async (): Promise<Seen> => {
    await click(tab.page, button);
    return look();
  };
  await tab.page.send('Page.navigate', { url });
  await look();
  const first = await act();
  const second = await act();
  const { unsupported } = first.snapshot;
  if (unsupported !== null) return { rollback: 'refused', reason: unsupported };
  const restored = await tab.restore(first.snapshot, { unchecked: false });
  if ('refused' in restored) return { rollback: 'refused', reason: restored.refused };
  const differs = (one: string, other: string): string | null => {
    if (one === other) return null;
    const [before, after] = [one.split('\n'), other.split('\n')];
    const at = Math.max(
      0,
      before.findIndex((line, index) => line !== after[index]),
    );
    return `${before[at]} → ${after[at]}`;
  };
  const wrong = differs(first.shown, await probe(tab)) ?? differs(second.shown, (await act()).shown);
  return wrong === null ? { rollback: 'restored', reason: '' } : { rollback: 'wrong', reason: wrong };
}

export interface HuntOptions {
  readonly pool: BrowserPool;
  readonly pages: number;
  readonly seed: string;
  readonly lanes: number;
  readonly kinds?: readonly string[];
  readonly told?: (reached: Reached) => void;
}

/** Hunts in several tabs at once. */
export async function hunt({ pool, pages, seed, lanes, kinds, told }: HuntOptions): Promise<readonly Reached[]> {
  const all: Reached[] = [];
  let next = 0;
  const runLane = async (): Promise<void> => {
    let open: Hunt | null = null;
    while (next < pages) {
      const name = `${seed}/${next++}`;
      open ??= await openHunt(pool);
      const attacks = drawHostile(name, kinds);
      const late = wait(20_000, null);
      const reached = await Promise.race([open.visit(name, attacks, createRandom(`${name}/looks`).chance(0.5)), late]);
      const result = reached ?? { seed: name, attacks, found: [], rollback: 'failed', reason: 'it took too long' };
      all.push(result);
      told?.(result);
      if (result.rollback !== 'failed') continue;
      await open.close().catch(() => null);
      open = null;
    }
    await open?.close();
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return all;
}
