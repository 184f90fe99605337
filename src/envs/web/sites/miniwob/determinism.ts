import { describeAction, isBrowserAction, type Action } from '../../../../core/action.ts';
import { screenActions, textsIn } from '../../../../core/episode/screen-actions.ts';
import { causeText } from '../../../../core/errors.ts';
import { createRandom, type Random } from '../../../../core/random.ts';
import { performByHand, performOnElement, type RefAction } from '../../sessions/perform.ts';
import type { PageSnapshot, Tab } from '../../tab/tab.ts';
import { readResult, type EpisodeName } from './episode.ts';
import type { MiniwobSites } from './sites.ts';
import { visit, type Windows } from './visit.ts';

export interface ProbeRequest {
  readonly templates: readonly string[];
  readonly seeds: readonly number[];
}

export interface ProbeOptions extends Windows {
  readonly sites: MiniwobSites;
}

/** One thing that is wrong with an episode. */
interface ProbeFinding extends EpisodeName {
  readonly detail: string;
}

export interface DeterminismReport {
  /** Episodes that were played twice. */
  readonly probed: number;
  /** Those that did not do the same both times. */
  readonly differing: readonly ProbeFinding[];
  readonly notStarted: readonly ProbeFinding[];
  /** Those in which a script threw and nobody caught it. */
  readonly throwing: readonly ProbeFinding[];
}

/** Plays every episode twice, each time in a fresh context with the same few steps, and compares what was reached. */
export async function probeDeterminism(options: ProbeOptions, request: ProbeRequest): Promise<DeterminismReport> {
  const names = request.templates.flatMap(template => request.seeds.map(seed => ({ template, seed })));
  const differing: ProbeFinding[] = [];
  const notStarted: ProbeFinding[] = [];
  const throwing: ProbeFinding[] = [];
  for (const name of names) {
    try {
      const [one, other] = [await play(options, name), await play(options, name)];
      const difference = differenceOf(one, other);
      if (difference !== null) differing.push({ ...name, detail: difference });
      const [thrown] = one.flatMap(({ errors }) => errors);
      if (thrown !== undefined) throwing.push({ ...name, detail: thrown });
    } catch (cause) {
      // What is wrong with one page is no reason to leave out the others.
      notStarted.push({ ...name, detail: causeText(cause) });
    }
  }
  return { probed: names.length - notStarted.length, differing, notStarted, throwing };
}

/** What was reached, and how. */
interface Reached {
  readonly by: string;
  readonly digest: string;
  readonly text: string;
  /** Where things are, how far it is scrolled, and what has the focus. */
  readonly layout: string;
  readonly reward: string;
  readonly isOver: boolean;
  readonly errors: readonly string[];
}

const loadMilliseconds = 1000;
const stepMilliseconds = 500;

async function play(options: ProbeOptions, name: EpisodeName): Promise<readonly Reached[]> {
  let instruction = '';
  const site = options.sites.episode(name, told => void (instruction = told));
  return visit(options, site, async tab => {
    const random = createRandom(`${name.template}/${name.seed}`);
    let snapshot = await tab.rest(loadMilliseconds);
    const path = [await reachedAt(tab, snapshot, 'the start')];
    for (const choose of choices) {
      if (path.at(-1)?.isOver === true) break;
      const action = choose(random, screenActions(snapshot.view.text, textsIn(instruction)));
      await (isBrowserAction(action)
        ? performByHand(tab.page, action)
        : performOnElement(tab.page, action as RefAction));
      snapshot = await tab.rest(action.kind === 'wait' ? action.milliseconds : stepMilliseconds);
      path.push(await reachedAt(tab, snapshot, describeAction(action)));
    }
    return path;
  });
}

async function reachedAt(tab: Tab, { fingerprint, view, incidents }: PageSnapshot, by: string): Promise<Reached> {
  const result = await readResult(expression => tab.page.evaluate(expression));
  const { text, ...places } = view;
  return {
    by,
    digest: fingerprint.digest,
    text,
    layout: JSON.stringify(places),
    reward: JSON.stringify(result),
    isOver: result.done,
    errors: incidents.filter(({ kind }) => kind === 'error').map(({ detail }) => detail),
  };
}

type Choice = (random: Random, offered: readonly Action[]) => Action;

/** A point where tasks are drawn: below the instruction, in 160 by 210 pixels. */
const somewhere = (random: Random): { x: number; y: number } => ({
  x: random.between(8, 150),
  y: random.between(58, 200),
});

const onElement: Choice = (random, offered) =>
  offered.length === 0 ? { kind: 'click-at', ...somewhere(random) } : random.pick(offered);

const choices: readonly Choice[] = [
  onElement,
  random => ({ kind: 'drag', from: somewhere(random), to: somewhere(random) }),
  onElement,
  () => ({ kind: 'wait', milliseconds: 2000 }),
  random => ({ kind: 'click-at', ...somewhere(random) }),
  onElement,
];

/** The first place where two runs part, in words. */
function differenceOf(one: readonly Reached[], other: readonly Reached[]): string | null {
  for (const [index, here] of one.entries()) {
    const there = other[index];
    if (there === undefined) return `one run ended before "${here.by}"`;
    if (here.text !== there.text) return `another screen after ${here.by}`;
    if (here.reward !== there.reward) return `another reward after ${here.by}: ${here.reward}, then ${there.reward}`;
    if (here.digest !== there.digest) return `other data or another document after ${here.by}`;
    if (here.layout !== there.layout) return `other places on the screen after ${here.by}`;
  }
  return null;
}
