import TinyQueue from 'tinyqueue';
import type { Action } from '../../core/action.ts';
import type { Session } from '../../core/contracts.ts';
import { controlsOf, newTexts, type Control, type TourClick } from './app-map.ts';
import { readPageWords } from './page-words.ts';
import { createReachedStates, type ReachedState, type ReachedStates } from './reached-states.ts';

export interface TourOptions {
  /** Clicks that may be tried. */
  readonly clicks: number;
  isStopped?(): boolean;
  onClick?(tried: number): void;
}

/** Longer ways are not gone: most controls of an app are nearer. */
const mostSteps = 5;

interface Place {
  readonly at: ReachedState;
  readonly screen: string;
  readonly depth: number;
}

interface Candidate {
  readonly place: Place;
  readonly control: Control;
  readonly action: Action;
  readonly cost: number;
}

/**
 * Clicks through an app, what was not clicked yet first, and writes down what each click showed. It enters nothing and
 * asks no verifier; the session is left as it is.
 */
export async function tourApp(session: Session, options: TourOptions): Promise<readonly TourClick[]> {
  const states = await createReachedStates(session);
  try {
    return await createTour(states, options).from(session);
  } finally {
    await states.close();
  }
}

function createTour(states: ReachedStates, { clicks, isStopped = () => false, onClick }: TourOptions) {
  const found: TourClick[] = [];
  const known = new Set<string>();
  const queue = new TinyQueue<Candidate>([], (left, right) => left.cost - right.cost);
  const counts = new Map<string, number>();
  const countOf = (key: string): number => counts.get(key) ?? 0;
  const costOf = ({ control, place }: Pick<Candidate, 'control' | 'place'>): number =>
    repeatedCost * countOf(control.own) +
    alikeCost * countOf(control.named) +
    Math.sqrt(countOf(control.place)) +
    place.depth;

  const open = async (at: ReachedState, reached: Session, depth: number): Promise<void> => {
    const { text: screen } = await reached.observe();
    known.add(screen);
    if (((await reached.ended?.()) ?? null) !== null) return;
    const place = { at, screen, depth };
    for (const { element, control } of controlsOf(readPageWords(screen))) {
      if (element.role === 'textbox' || element.options.length > 0) continue;
      const action = { kind: 'click', ref: element.ref } as const;
      queue.push({ place, control, action, cost: costOf({ place, control }) });
    }
  };
  const click = async ({ place, control, action }: Candidate): Promise<void> => {
    const reached = await states.open(place.at);
    let isKept = false;
    try {
      if (!(await reached.step(action)).applied) return;
      const { text } = await reached.observe();
      found.push({ control, ...newTexts(place.screen, text) });
      const path = [...place.at.path, action];
      // Screens that look alike are toured once.
      if (known.has(text) || path.length >= mostSteps) return;
      isKept = true;
      await open(states.keep(reached, path), reached, path.length);
    } finally {
      if (!isKept) await reached.close();
    }
  };
  return {
    async from(session: Session): Promise<readonly TourClick[]> {
      await open(states.start, session, 0);
      for (let tried = 0; tried < clicks && !isStopped(); ) {
        const next = queue.pop();
        if (next === undefined) break;
        // What was clicked since has made others alike dearer.
        const cost = costOf(next);
        if (cost > next.cost) {
          queue.push({ ...next, cost });
          continue;
        }
        tried++;
        for (const key of [next.control.own, next.control.named, next.control.place]) counts.set(key, countOf(key) + 1);
        await click(next);
        onClick?.(tried);
      }
      return found;
    },
  };
}

/** The same control again, on another screen. */
const repeatedCost = 8;
/** One of the same role and name elsewhere, as the button of another row. */
const alikeCost = 3;
