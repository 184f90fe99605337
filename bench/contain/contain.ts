import { createSystemTimers } from '../../src/system/clock.ts';
import { createBrowserPool } from '../../src/envs/web/browser/pool.ts';
import { figure, type Bench, type Figure } from '../measure.ts';
import type { AttackResult } from './attack.ts';
import { attacks } from './attacks.ts';
import { openBareBrowser } from './pages/bare-browser.ts';
import { runAttacks } from './run-attacks.ts';
import { visitAsSession } from './pages/visit.ts';

/** Attacks that run at once: most of their time they wait. */
export const atOnce = 6;

/** Every attack on record, and how many of them get out. */
export const containBench: Bench = {
  group: 'contain',
  onDemand: true,
  figures: ['contain.attacks', 'contain.escapes', 'contain.sandbox', 'contain.control'],
  async *run() {
    const results = await attackAll();
    yield figure('contain.attacks', 'count', [results.length]);
    const escaped = results.filter(({ outcome }) => outcome === 'out');
    yield figure('contain.escapes', 'count', [escaped.length]);
    for (const { area, name } of escaped) yield figure(`contain.escapes ${area}: ${name}`, 'count', [1]);
    yield figure('contain.sandbox', 'share', [Number(await hasSandbox())]);
    yield* measureControl();
  },
};

/** Runs every attack on pages as sessions open them. */
export async function attackAll(): Promise<readonly AttackResult[]> {
  const pool = createBrowserPool({ timers: createSystemTimers() });
  try {
    return await runAttacks({
      attacks,
      atOnce,
      tools: { pool, visit: (url, files) => visitAsSession(pool, url, files) },
    });
  } finally {
    await pool.close();
  }
}

/** Whether the browser runs in its sandbox here, and not as root. */
async function hasSandbox(): Promise<boolean> {
  const pool = createBrowserPool({ timers: createSystemTimers() });
  try {
    await pool.open({ width: 600, height: 400 });
    return pool.figures().notice === null;
  } finally {
    await pool.close();
  }
}

/** The share of attacks that do what they say in a browser without containment: the others prove nothing. */
async function* measureControl(): AsyncGenerator<Figure> {
  const pool = createBrowserPool({ timers: createSystemTimers() });
  const bare = await openBareBrowser();
  try {
    const able = attacks.filter(({ needs }) => needs === undefined);
    const results = await runAttacks({ attacks: able, atOnce, tools: { pool, visit: bare.visit } });
    const out = results.map(({ outcome }) => Number(outcome === 'out'));
    yield figure('contain.control', 'share', [out.reduce((sum, each) => sum + each, 0) / out.length]);
    for (const { area, name, outcome } of results)
      if (outcome === 'held') yield figure(`contain.control ${area}: ${name}`, 'share', [0]);
  } finally {
    await bare.close();
    await pool.close();
  }
}
