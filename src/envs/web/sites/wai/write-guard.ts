import type { Action } from '../../../../core/action.ts';
import type { Incident } from '../../browser/incident-log.ts';
import { watchScripts, type ScriptWatch } from '../../tab/script-origin.ts';
import type { PageRequest, ServerState, Site } from '../../sessions/site.ts';
import type { ScriptPolicy } from './script-policy.ts';
import { isStateWrite, pageHeader, type WaiServer } from './server.ts';

/** The parts of a site that keep its state from being written by anything but the app. */
export interface WriteGuard extends Pick<Site, 'capture' | 'restore'> {
  readonly sign: NonNullable<Site['sign']>;
  readonly watch: NonNullable<Site['watch']>;
  readonly acting: NonNullable<Site['acting']>;
  readonly incidents: NonNullable<Site['incidents']>;
  readonly isTainted: NonNullable<Site['isTainted']>;
  /** What was tried on the way to here. A run with any of it does not pass. */
  tampering(): Promise<readonly string[]>;
}

interface GuardedState extends ServerState {
  readonly stopped: readonly string[];
}

/**
 * Lets the app's own scripts write the state, and nothing else. The browser runs only scripts that the app ships, as the
 * policy says; the token of the server goes only with writes that a script of the main document sends.
 */
export function createWriteGuard(server: WaiServer, policy: ScriptPolicy): WriteGuard {
  const record = createRecord();
  const steps = watchSteps(server, record);
  let scripts: ScriptWatch | null = null;
  let [refused, faults] = [0, 0];

  const isMain = (request: PageRequest): boolean => scripts?.isMain(request) === true;
  const noteRefused = (): void => {
    if (server.refused() > refused) record.stopped('a write without the token of the page was refused');
    refused = Math.max(refused, server.refused());
  };
  const objection = async (request: PageRequest): Promise<string | null> => {
    if (!isMain(request)) return 'it does not come from the main document';
    if (!/^(?:fetch|xhr)$/i.test(request.resourceType)) return 'no script of the app sends it';
    await scripts?.checked();
    return record.hasForeign() ? 'a script that the app does not ship ran before it' : null;
  };

  return {
    async tampering() {
      await scripts?.checked();
      noteRefused();
      return record.all();
    },
    async isTainted() {
      await scripts?.checked();
      return record.hasForeign();
    },
    async watch(page) {
      scripts = await watchScripts(page, { isOwnHandler: policy.isOwnHandler, ...record });
    },
    async sign(request) {
      const call = `${request.method} ${new URL(request.url).pathname}`;
      if (!isStateWrite(call)) {
        if (!isMain(request) && !policy.drawsFrames) record.stopped(`${call} was asked for by a frame or a worker`);
        return {};
      }
      const reason = await objection(request);
      if (reason === null) return { [pageHeader]: server.token };
      // The server refuses it for want of the token, and counts it too.
      refused++;
      record.stopped(`${call} was refused: ${reason}`);
      return {};
    },
    acting: steps.acting,
    incidents() {
      noteRefused();
      steps.done();
      const fresh = server.faults().slice(faults);
      faults += fresh.length;
      return [...fresh.map((detail): Incident => ({ kind: 'refused', detail })), ...record.news()];
    },
    capture: (): GuardedState => ({ text: server.state() ?? '', stopped: record.attempts() }),
    restore(given) {
      server.restore(given.text === '' ? null : given.text, server.seed());
      record.rollBack((given as GuardedState).stopped);
      return null;
    },
  };
}

/** A page may try in a loop: more than this teaches nobody anything. */
const mostNotes = 50;

/** What was tried, and what of it was not told yet. */
interface TamperingRecord {
  /** An attempt that came to nothing: it belongs to the path, and is rolled back with it. */
  stopped(what: string): void;
  /** A foreign script that ran may have changed anything in the page: no rollback takes it back. */
  foreign(what: string): void;
  note(kind: Incident['kind'], detail: string): void;
  hasForeign(): boolean;
  attempts(): readonly string[];
  all(): readonly string[];
  rollBack(attempts: readonly string[]): void;
  news(): readonly Incident[];
}

function createRecord(): TamperingRecord {
  let attempts: readonly string[] = [];
  let news: Incident[] = [];
  const ran: string[] = [];
  const note = (kind: Incident['kind'], detail: string): void => {
    if (news.length < mostNotes) news.push({ kind, detail });
  };
  return {
    note,
    stopped(what) {
      if (attempts.length < mostNotes) attempts = [...attempts, what];
      note('tampering', what);
    },
    foreign(what) {
      if (ran.length < mostNotes) ran.push(what);
      note('tampering', what);
    },
    hasForeign: () => ran.length > 0,
    attempts: () => attempts,
    all: () => [...ran, ...attempts],
    rollBack(before) {
      attempts = before;
    },
    news() {
      const told = news;
      news = [];
      return told;
    },
  };
}

/** Waiting, pointing and scrolling are no reason for an app to write. */
const idle: ReadonlySet<Action['kind']> = new Set<Action['kind']>(['wait', 'hover-at', 'scroll']);

/** Notes writes that no action of the agent explains. */
function watchSteps(server: WaiServer, { note }: TamperingRecord): { acting(action: Action): void; done(): void } {
  let hasActed = false;
  /** The state before a step that gives the app no reason to write; undefined in other steps. */
  let before: string | null | undefined;
  return {
    acting({ kind }) {
      if (!hasActed && server.state() !== server.seed())
        note('unprompted', 'the state was written again before the first action');
      hasActed = true;
      before = idle.has(kind) ? server.state() : undefined;
    },
    done() {
      if (before !== undefined && before !== server.state())
        note('unprompted', 'the state was written in a step without an action on the page');
      before = undefined;
    },
  };
}
