import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createSystemClock, createSystemTimers } from '../../../../src/system/clock.ts';
import { after, type Environment } from '../../../../src/core/contracts.ts';
import type { OrdinaryPolicy } from '../../../../src/core/episode/agents.ts';
import type { EpisodeHead } from '../../../../src/core/episode/events.ts';
import { screenActions, textsIn } from '../../../../src/core/episode/screen-actions.ts';
import type { Task, Verdict } from '../../../../src/core/records.ts';
import { wrapEnvironment } from '../../../../src/core/wrap-environment.ts';
import { wrapSession } from '../../../../src/core/wrap-session.ts';
import { createTrail } from '../../../../src/worlds/trail.ts';
import { runEpisodes } from '../../../../src/episode/engine.ts';
import { createLinear } from '../../../../src/episode/strategies/linear.ts';
import { openStore } from '../../../../src/store/store.ts';

/** A short run of episodes as long as real ones. */
export const [episodes, steps, concurrency] = [16, 12, 4] as const;
const [clock, timers] = [createSystemClock(), createSystemTimers()];

export interface TimedRun {
  readonly world: Environment;
  readonly task: Task;
  /** For the store of the run. */
  readonly folder: string;
  /** Milliseconds that the student takes for a step. */
  readonly latency: number;
  readonly certifies: boolean;
}

/** Seconds of one run. */
export async function timeRun({ world, task, folder, latency, certifies }: TimedRun): Promise<number> {
  const path = join(mkdtempSync(join(folder, 'run-')), 'store.db');
  const store = openStore({ path });
  const parts = { environment: world, student: createSlowStudent(latency), strategy: createLinear() };
  const agents = { student: parts.student.name, teacher: null, strategy: 'linear' };
  const plan = Array.from({ length: episodes }, (_, index): EpisodeHead => {
    const key = `collect/1/${task.id}/${index}`;
    return { run: 'bench', key, index, phase: 'collect', round: 1, trial: index, task, ...agents };
  });
  const started = performance.now();
  const { outcomes, certificates } = await runEpisodes({
    plan,
    seed: 'cost',
    concurrency,
    journal: store,
    clock,
    timers,
    createTrail,
    certifies,
    start: () => parts,
  });
  const seconds = (performance.now() - started) / 1000;
  const others = [...store.summaries()].flatMap(({ head: { key }, certificates: found }) =>
    found.flatMap(one => (one.result === 'agreed' ? [] : [{ key, ...one }])),
  );
  store.close();
  const expected = certifies ? episodes : 0;
  if (outcomes.passed !== episodes || certificates.agreed !== expected)
    throw new Error(
      `Expected ${episodes} passed and ${expected} certified: ${JSON.stringify({ outcomes, certificates, others })}.`,
    );
  return seconds;
}

/** Takes so many steps at random, then finishes. */
function createSlowStudent(latency: number): OrdinaryPolicy {
  return {
    name: 'slow-random',
    async act({ instruction, observation, history, random }) {
      if (latency > 0) await wait(latency);
      const offered = history.length < steps - 1 ? screenActions(observation.text, textsIn(instruction)) : [];
      return { action: offered.length === 0 ? { kind: 'finish' } : random.pick(offered) };
    },
  };
}

/** The verifier is asked as usual; its answer counts as passed. */
export function alwaysPassing(environment: Environment): Environment {
  const pass = (verdict: Verdict): Verdict => ({ ...verdict, pass: true, clean: true });
  return wrapEnvironment(environment, {
    opened: session => wrapSession(session, { verify: ask => () => after(ask(), pass), forked: fork => fork }),
  });
}
