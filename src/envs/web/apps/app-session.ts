import { isBrowserAction, type Action, type BrowserAction } from '../../../core/action.ts';
import type { StateSession } from '../../../core/contracts.ts';
import { EspalierError } from '../../../core/errors.ts';
import type { Observation, StepOutcome } from '../../../core/records.ts';
import { wrapStateSession, type AnySession } from '../../../core/wrap-session.ts';
import { malformation } from '../../../worlds/resolve.ts';
import { sessionClosed } from '../../../worlds/session.ts';
import { withInputState, type StateWithInput } from './app-input-state.ts';
import { createAppPage, type AppPageOptions } from './app-page.ts';
import type { AppTab } from './app-tab.ts';
import { performByHand, performOnElement, pointerAfter, type RefAction } from '../sessions/perform.ts';

/** Only what needs the page takes its time. */
export interface AppSession extends Omit<StateSession, 'observe' | 'step' | 'close'> {
  observe(): Promise<Observation>;
  step(action: Action): Promise<StepOutcome>;
  close(): Promise<void>;
}

/**
 * An app in a real browser. The state stays here: a page draws it and tells what people do, so a rollback is one pointer
 * and one redraw. Forks are headless: the same state, without a page.
 */
export async function createAppSession(inner: StateSession, options: AppPageOptions): Promise<AppSession> {
  const state = withInputState(inner);
  const { session } = state;
  const appPage = await createAppPage(state, options);
  let closed = false;
  const work = <T>(run: () => Promise<T>): Promise<T> =>
    closed ? Promise.reject(sessionClosed(inner.task.id)) : appPage.persistently(run);
  return wrapStateSession<AnySession>(session, {
    observe: () => () => work(() => appPage.observe()),
    step: () => action =>
      work(async () => {
        const before = session.snapshot();
        try {
          const outcome = await taken(action, { state, drawn: appPage.drawn });
          if (outcome.applied) appPage.redraw();
          return outcome;
        } catch (cause) {
          // What was done half is not done: here, and on the page when it is drawn again.
          if (!closed) session.restore(before);
          appPage.redraw();
          throw cause;
        }
      }),
    restore: () => snapshot => {
      session.restore(snapshot);
      appPage.redraw();
    },
    close: () => async () => {
      if (closed) return;
      closed = true;
      inner.close();
      await appPage.close();
    },
    forked: fork => fork,
  }) as AppSession;
}

interface Standing {
  readonly state: StateWithInput;
  /** The page as the state says it is. */
  drawn(): Promise<AppTab>;
}

async function taken(action: Action, standing: Standing): Promise<StepOutcome> {
  const { drawn, state } = standing;
  const { session } = state;
  if (session.ended() === null && malformation(action) === null) {
    if (isBrowserAction(action)) return byHand(action, standing);
    // What the screen does not offer is refused without a page, as it is headless.
    if ('ref' in action && session.fork().step(action).applied) await byReference(action, await drawn());
  }
  return session.step(action);
}

/** Done with mouse and keyboard at the element; what the page then tells must be what was meant. */
async function byReference(action: RefAction, tab: AppTab): Promise<void> {
  const problem = await performOnElement(tab.page, action);
  if (problem !== null) throw faceDiffers(action, problem.message);
  const [intent] = await tab.intents();
  // A field that holds the text already has nothing to tell.
  if (intent === undefined && action.kind !== 'click') return;
  if (intent?.kind !== action.kind || intent.ref !== action.ref) throw faceDiffers(action, JSON.stringify(intent));
}

/** Done by pixels and keys; whatever the page tells of it happens, one after the other, each on the screen before. */
async function byHand(action: BrowserAction, { state, drawn }: Standing): Promise<StepOutcome> {
  if (action.kind === 'back') return { applied: false, problem: noHistory };
  // Nothing happens in an app while nobody does anything.
  if (action.kind === 'wait') return { applied: true };
  const tab = await drawn();
  const byKey = action.kind === 'press' || action.kind === 'type';
  const before = { place: await tab.begin(byKey), pointer: state.input()?.pointer ?? null };
  const problem = await performByHand(tab.page, action);
  if (problem !== null) return { applied: false, problem };
  await tab.rest();
  let outcome: StepOutcome = { applied: true };
  let isTold = false;
  for (let told = await tab.intents(); told.length > 0; told = await tab.intents()) {
    isTold = true;
    for (const intent of told) outcome = { ...state.session.step(intent), applied: true };
    await tab.draw(state.session.screen(), null);
  }
  const after = { place: await tab.place(byKey), pointer: pointerAfter(action, before.pointer) };
  // Who left no trace is where they were.
  if (isTold || JSON.stringify(after) !== JSON.stringify(before)) state.put(after);
  return outcome;
}

const noHistory = {
  code: 'invalid-action',
  message: 'This page has no history to go back in; use what the screen offers.',
};

function faceDiffers(action: RefAction, came: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'view-failed',
    message: `The page did not do what ${JSON.stringify(action)} means on its screen: ${came}.`,
    expected:
      'Expected the page to offer exactly what the screen offers; this is a fault of the page, not of the agent.',
  });
}
