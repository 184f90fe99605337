import { causeText } from '../../../src/core/errors.ts';
import type { BrowserPool } from '../../../src/envs/web/browser/pool.ts';
import { openTab, type PageSnapshot, type Tab } from '../../../src/envs/web/tab/tab.ts';
import { writeHoldingPage } from './page.ts';

/** What became of a page in which one member of an object was used, after a rollback. */
export interface UsedMember {
  readonly object: string;
  /** `URL.hash`. */
  readonly member: string;
  readonly rollback: 'restored' | 'refused' | 'wrong' | 'failed';
  /** Why it was refused or failed, or what was wrong. */
  readonly reason: string;
}

const origin = 'http://members.test';
const viewport = { width: 600, height: 400 };

/**
 * Uses every member of an object, one after the other: sets what can be set, calls what can be called, rolls back, and
 * reads all that the page can read of it and of what pages share. Where that was restored, a fresh page reads the same.
 */
export async function attackMembers(pool: BrowserPool, object: string, script: string): Promise<readonly UsedMember[]> {
  const html = writeHoldingPage(script);
  let tab = await openHolding(pool, html);
  try {
    await reload(tab);
    const members = await run<readonly string[]>(tab, 'nameOfUses()');
    const [one, other] = [await freshLines(tab), await freshLines(tab)];
    const fresh = one.filter((line, at) => line === other[at]);
    const used: UsedMember[] = [];
    for (const [at, member] of members.entries()) {
      const came = await tryMember(tab, at, fresh).catch(
        (cause: unknown) => ({ rollback: 'failed', reason: causeText(cause) }) as const,
      );
      used.push({ object, member, ...came });
      if (came.rollback !== 'failed') continue;
      await tab.close().catch(() => undefined);
      tab = await openHolding(pool, html);
    }
    return used;
  } finally {
    await tab.close().catch(() => undefined);
  }
}

async function openHolding(pool: BrowserPool, html: string): Promise<Tab> {
  return openTab(await pool.open(viewport), {
    url: `${origin}/`,
    headers: {},
    start: Date.UTC(2026, 1, 2, 9),
    seed: 7,
    files: path => Promise.resolve(path.includes('.') ? null : { body: Buffer.from(html), type: 'text/html' }),
    capture: () => ({ text: '' }),
    restore: () => undefined,
    close: () => undefined,
  });
}

async function freshLines(tab: Tab): Promise<readonly string[]> {
  await reload(tab);
  return tell(tab);
}

async function reload(tab: Tab): Promise<PageSnapshot> {
  // The browser remembers some of an entry when its address is opened again.
  await tab.page.send('Page.navigate', { url: `${origin}/page${++pages}` });
  return tab.rest(100);
}

let pages = 0;

/** @param names of what is read; everything when left out */
async function tell(tab: Tab, names?: readonly string[]): Promise<readonly string[]> {
  const lines = await run<readonly string[]>(tab, `tell(${names === undefined ? '' : JSON.stringify(names)})`);
  return lines.map(line => line.replaceAll(/\bpage\d+\b/g, 'page'));
}

async function run<T>(tab: Tab, expression: string): Promise<T> {
  const { result } = await tab.page.send<{ result: { value: T } }>('Runtime.evaluate', {
    expression,
    returnByValue: true,
  });
  return result.value;
}

async function tryMember(
  tab: Tab,
  at: number,
  fresh: readonly string[],
): Promise<Pick<UsedMember, 'rollback' | 'reason'>> {
  const refusal = await rollBackPast(tab, at);
  if (refusal !== null) return { rollback: 'refused', reason: refusal };
  const missing = await missingIn(tab, fresh);
  const changes: string[] = [];
  for (const name of new Set(missing.map(nameIn)).values().take(5)) {
    await rollBackPast(tab, at);
    const changed = await missingIn(
      tab,
      fresh.filter(line => nameIn(line) === name),
      [name],
    );
    // A session takes a step again whose scripts use what no snapshot covers.
    if ((await tab.rest(100)).beyond === null) changes.push(...changed);
  }
  return { rollback: changes.length === 0 ? 'restored' : 'wrong', reason: changes.slice(0, 3).join('; ') };
}

/** Uses a member and rolls back; why that was refused, or null. */
async function rollBackPast(tab: Tab, at: number): Promise<string | null> {
  const snapshot = await reload(tab);
  if (snapshot.unsupported !== null) return snapshot.unsupported;
  await run(tab, `use(${at})`);
  await tab.rest(100);
  const restored = await tab.restore(snapshot, { unchecked: false });
  return 'refused' in restored ? restored.refused : null;
}

/** What reads otherwise than in a fresh page. */
async function missingIn(tab: Tab, fresh: readonly string[], names?: readonly string[]): Promise<readonly string[]> {
  const told = await tell(tab, names);
  const missing = fresh.filter(line => !told.includes(line));
  return missing.map(line => {
    const now = told.find(other => nameIn(other) === nameIn(line));
    return `${line.slice(0, 160)} → ${now?.slice(0, 160)}`;
  });
}

function nameIn(line: string): string {
  return line.split(/[:=( ]/)[0] as string;
}
