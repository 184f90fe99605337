import type { Action } from '../../src/core/action.ts';
import type { StateEnvironment } from '../../src/core/contracts.ts';
import type { EpisodeEvent } from '../../src/core/episode/events.ts';
import type { StoredEpisode } from '../../src/core/episode/journal.ts';
import { describeStep } from '../../src/core/episode/view.ts';
import type { Task } from '../../src/core/records.ts';

export interface RunAbout {
  readonly key: string;
  readonly student: string;
  /** What the agent writes before a step, by its place from 0 and what it does; nothing when left out. */
  think?(index: number, description: string): string;
}

/** Plays actions in a fresh session and records the episode as a run would. Steps after the end are left out. */
export function recordRun(
  environment: StateEnvironment,
  { task, actions }: { readonly task: Task; readonly actions: readonly Action[] },
  { key, student, think }: RunAbout,
): StoredEpisode {
  const session = environment.open(task);
  const events: EpisodeEvent[] = [{ kind: 'open', root: session.digest() }];
  let id = 0;
  for (const action of actions) {
    if (session.ended() !== null) break;
    const screen = session.observe().text;
    const before = session.digest();
    const outcome = session.step(action);
    const actor = { role: 'student', name: student } as const;
    const thought = think === undefined ? {} : { thought: think(id, describeStep(action, screen)) };
    const node = { ...thought, id: ++id, parent: id - 1, actor, action, outcome, before, after: session.digest() };
    events.push({ kind: 'step', node, screen, text: describeStep(action, screen, outcome.problem?.message) });
  }
  const verdict = session.verify();
  session.close();
  const counts = { reviews: 0, corrections: 0, interventions: 0, rollbacks: 0, forks: 0, cost: 0, tokens: 0 };
  return {
    head: {
      run: 'bench',
      key,
      index: 0,
      phase: 'collect',
      round: 0,
      trial: 0,
      task,
      student,
      teacher: null,
      strategy: 'linear',
    },
    events,
    end: {
      outcome: verdict.pass ? 'passed' : 'failed',
      reason: null,
      boundary: null,
      message: null,
      leaf: id,
      verdict,
      certification: 'by-construction',
      counts: { ...counts, steps: id, taken: id },
      milliseconds: 1,
    },
    certificates: [],
  };
}
