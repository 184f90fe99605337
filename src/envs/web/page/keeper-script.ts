import { installContents } from '../memory/contents.ts';
import { installFields } from '../memory/fields.ts';
import { installGraph } from '../memory/graph.ts';
import { installKinds } from '../memory/kinds.ts';
import { installMoments } from '../memory/moments.ts';
import { installPaper } from '../memory/paper.ts';
import { installPerson } from '../memory/person.ts';
import { installScopes } from '../memory/scopes.ts';
import { installAnswers } from './answers.ts';
import { installBase } from './base.ts';
import { installHand } from './hand.ts';
import { installHistory } from './history.ts';
import { installLimits } from './limits.ts';
import { installListeners } from './listeners.ts';
import { installObservers } from './observers.ts';
import { installPointer } from './pointer.ts';
import { installPromises } from './promises.ts';
import { installSettle } from './settle.ts';
import { installSight } from './sight.ts';
import { installTime, type TimeOptions } from './time.ts';
import { installTraffic } from './traffic.ts';

/** What is run in a page of somebody else before any script of it: one text. */
export function keeperScript(time: TimeOptions): string {
  return inPage([
    callText(installBase),
    callText(installListeners),
    callText(installPointer),
    callText(installTime, time),
    callText(installTraffic),
    callText(installAnswers),
    callText(installHistory),
    callText(installSight, { isOurs: false }),
    callText(installHand),
    callText(installScopes),
    callText(installFields),
    callText(installPerson),
    callText(installPaper),
    callText(installObservers),
    callText(installSettle),
    callText(installPromises),
    callText(installLimits),
    callText(installMoments),
    callText(installKinds),
    callText(installContents),
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
