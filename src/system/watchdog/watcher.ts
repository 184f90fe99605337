import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { cellNames, checkMilliseconds, hooks, noticeMilliseconds, type WatcherSetup } from './cells.ts';

/** Longer than the main thread needs to end itself. */
const killMilliseconds = 3000;
/** A look that comes later was kept by a machine that slept, or a process that was stopped: the main thread stood still as well. */
const mostBetweenLooks = 1000;

/**
 * The program of the watchdog thread. It can have functions called in a main thread that is stuck in a loop: the debugger of
 * Node interrupts any JavaScript. A session takes one round of calls, so each round has its own.
 */
function watch({ shared, limitMilliseconds }: WatcherSetup): void {
  const cells = new Int32Array(shared);
  let [beats, stuck, last] = [-1, 0, performance.now()];
  let isEnding = false;
  setInterval(() => {
    const now = performance.now();
    stuck += Math.min(now - last, mostBetweenLooks);
    last = now;
    const beat = Atomics.load(cells, cellNames.beats);
    if (beat !== beats) {
      [beats, stuck] = [beat, 0];
      Atomics.store(cells, cellNames.foreign, 0);
      return;
    }
    if (isEnding || stuck < noticeMilliseconds) return;
    call('look');
    if (stuck < limitMilliseconds || Atomics.load(cells, cellNames.foreign) === 0) return;
    isEnding = true;
    call('end', 'Runtime.terminateExecution');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), killMilliseconds);
  }, checkMilliseconds);
}

function call(hook: 'look' | 'end', then?: string): void {
  const session = new Session();
  session.connectToMainThread();
  const ignore = (): undefined => undefined;
  session.post('Runtime.evaluate', { expression: `globalThis[Symbol.for('${hooks}')]?.${hook}()` }, ignore);
  if (then !== undefined) session.post(then, ignore);
  session.disconnect();
}

watch(workerData as WatcherSetup);
