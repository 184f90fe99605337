import { installBase } from './base.ts';
import { installGraph } from './graph.ts';
import { installHand } from './hand.ts';
import { installListeners } from './listeners.ts';
import { installMemory } from './memory.ts';
import { installPaper } from './paper.ts';
import { installSettle } from './settle.ts';
import { installSight } from './sight.ts';
import { installTime, type TimeOptions } from './time.ts';
import { installTraffic } from './traffic.ts';

/** What is run in a page of somebody else before any script of it: one text. */
export function keeperScript(time: TimeOptions): string {
  return inPage([
    callText(installBase),
    callText(installListeners),
    callText(installTime, time),
    callText(installTraffic),
    callText(installSight, { isOurs: false }),
    callText(installHand),
    callText(installPaper),
    callText(installMemory),
    callText(installSettle),
    // Last: what stands in the window by now is not the page's.
    callText(installGraph),
  ]);
}

/** What is run in a page that we draw ourselves: it is only looked at and acted on. */
export function observerScript(): string {
  return inPage([
    callText(installBase),
    callText(installListeners),
    callText(installSight, { isOurs: true }),
    callText(installHand),
  ]);
}

function inPage(calls: readonly string[]): string {
  // Frames within a page are pages of their own, and left alone.
  return `if (globalThis === globalThis.top && globalThis.espalierKeeper === undefined) {
    Object.defineProperty(globalThis, 'espalierKeeper', { value: { elements: [], incidents: [] }, enumerable: false });
    ${calls.join('\n')}
  }`;
}

/** A function as a text that calls it. */
export function callText<T extends readonly unknown[]>(run: (...values: T) => unknown, ...values: T): string {
  return `(${run.toString()})(${values.map(value => JSON.stringify(value)).join(', ')});`;
}

/** Asks a page what its server answered when it was loaded; 0 when nobody did. */
export const statusText = `performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0`;
