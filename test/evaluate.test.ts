import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { studentContender } from '../src/runs/jobs/contender.ts';
import type { Contender } from '../src/runs/agents/evaluated.ts';
import { readStrategy } from '../src/runs/config/config.ts';
import { readEvaluationRecord } from '../src/runs/evaluation/evaluation-record.ts';
import { readEvaluations } from '../src/runs/evaluation/read-evaluations.ts';
import { openRun } from '../src/runs/folder/folder.ts';
import type { ProgressCounter } from '../src/runs/plan/progress-counter.ts';
import { evaluateRun, type Evaluated, type EvaluateRunOptions } from '../src/runs/evaluate.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { createManualClock } from '../src/core/clock.ts';
import type { EpisodeHead } from '../src/core/episode/events.ts';
import { createRandomPolicy } from '../src/agents/random.ts';
import { contents } from './fixtures/episode-setup.ts';
import { episodesIn, library } from './fixtures/program.ts';
import { isLong } from './long-form.ts';

/** Every other instance of one template cannot be made. */
const scarceLibrary = `import { createWorld } from 'espalier';
import { app } from ${JSON.stringify(library)};
const world = createWorld(app);
export const environment = {
  ...world,
  task(template, seed) {
    if (template === 'reserve-for-reader' && seed % 2 === 1) throw new Error('no book to reserve');
    return world.task(template, seed);
  },
};
`;

/** The held-out template belongs to the second set. */
const secondSetLibrary = `import { createWorld } from 'espalier';
import { app } from ${JSON.stringify(library)};
const templates = app.templates.map(known => (known.split === 'test' ? { ...known, split: 'test-2' } : known));
export const environment = createWorld({ ...app, templates });
`;

let parent = '';
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'espalier-evaluate-'));
});
afterAll(() => rmSync(parent, { recursive: true }));

function contender(name: string): Contender {
  return { name, policyFor: () => createRandomPolicy() };
}

/** The run has the same name in every folder. */
const runIn = (name: string): string => join(parent, name, 'run');

interface Changes extends Partial<EvaluateRunOptions> {
  /** Stops as soon as so many episodes have ended. */
  readonly stopAfter?: number;
}

/** Three templates, two instances of each: six episodes for everybody. */
function evaluated(name: string, { stopAfter = Infinity, ...changes }: Changes = {}): Promise<Evaluated> {
  const stop = new AbortController();
  return evaluateRun({
    environments: [library],
    folder: runIn(name),
    subject: contender('subject'),
    round: 1,
    instances: 2,
    trials: 1,
    levels: ['new-instances', 'held-out'],
    baselines: true,
    seed: 1,
    concurrency: 2,
    browser: null,
    host: { ...createSystemHost({ workers: 0 }), clock: createManualClock() },
    signal: stop.signal,
    onProgress: ({ ended }) => {
      if (ended >= stopAfter) stop.abort();
    },
    ...changes,
  });
}

function headsIn(name: string): EpisodeHead[] {
  return episodesIn(runIn(name)).map(({ head }) => head);
}

describe('an evaluation', () => {
  it.each(isLong ? [1, 5, 8, 21] : [5, 21])(
    '[RUN-8] stopped after %i episodes and resumed is as one that was not',
    async stopAfter => {
      await evaluated('whole', { against: contender('other') });
      const name = `stopped-${stopAfter}`;
      const stopped = await evaluated(name, { stopAfter, against: contender('other') });
      expect(stopped.stopped).toBe(true);
      const before = headsIn(name);
      expect(before.length).toBeGreaterThanOrEqual(stopAfter);
      expect(before.length).toBeLessThan(30);
      const resumed = await evaluated(name, { against: contender('other') });
      expect(headsIn(name)).toEqual(headsIn('whole'));
      expect(contents(episodesIn(runIn(name)))).toEqual(contents(episodesIn(runIn('whole'))));
      const { folder: _folder, ...result } = await evaluated('whole', { against: contender('other') });
      expect(resumed).toMatchObject(result);
    },
  );

  it('[RUN-8] with more instances has places of its own, also when it is stopped', async () => {
    for (const name of ['more', 'more-stopped']) await evaluated(name);
    await evaluated('more', { instances: 3 });
    // The planner has one of its three new episodes left to do.
    await evaluated('more-stopped', { instances: 3, stopAfter: 2, concurrency: 1 });
    await evaluated('more-stopped', { instances: 3 });
    const heads = headsIn('more');
    expect(headsIn('more-stopped')).toEqual(heads);
    expect(heads).toHaveLength(6 * 9);
    expect(new Set(heads.map(({ round, index }) => `${round} ${index}`)).size).toBe(heads.length);
  });

  it('[SPLIT-2] leaves the second held-out set out unless it is asked for', async () => {
    const path = join(parent, 'second.ts');
    writeFileSync(path, secondSetLibrary);
    const usual = await evaluated('usual', { environments: [path] });
    expect(new Set(headsIn('usual').map(({ task }) => task.split))).toEqual(new Set(['train']));
    expect([usual.subject?.heldOut, usual.subject?.heldOut2]).toEqual([null, null]);
    const asked = await evaluated('asked', { environments: [path], levels: ['held-out-2'] });
    expect(new Set(headsIn('asked').map(({ task }) => task.split))).toEqual(new Set(['test-2']));
    expect(asked.subject).toMatchObject({ newInstances: null, heldOut: null, heldOut2: { overall: { n: 2 } } });
    expect(asked.baselines.map(({ heldOut2 }) => heldOut2?.overall.n)).toEqual([2, 2, 2, 2, 2]);
  });

  it('[RUN-42] runs a student with lookahead beside the same student alone, each under its own name', async () => {
    const subject = await studentContender('untrained');
    const ahead = (options: object) =>
      evaluated('ahead', {
        subject,
        baselines: false,
        strategy: readStrategy({ kind: 'lookahead', ...options }, 'The evaluation'),
      });
    const first = await ahead({ expansions: 5 });
    expect(first.subject?.student).toBe('untrained (lookahead, expansions 5)');
    expect(first.against).toMatchObject({ name: 'untrained', comparison: { newInstances: { pairs: 4 } } });
    const runs = () => new Set(headsIn('ahead').map(({ student, strategy }) => `${student}: ${strategy}`));
    expect(runs()).toEqual(new Set(['untrained: linear', 'untrained (lookahead, expansions 5): lookahead-5']));
    expect(headsIn('ahead')).toHaveLength(12);
    expect((await ahead({ expansions: 5 })).known).toHaveLength(2);
    expect(headsIn('ahead')).toHaveLength(12);
    await ahead({ expansions: 5, width: 2 });
    expect(runs()).toContain('untrained (lookahead, expansions 5, width 2): lookahead-5');
    const store = openRun(runIn('ahead'));
    const { students } = readEvaluations(store, readEvaluationRecord(runIn('ahead')), {});
    store.close();
    expect(students.map(({ student }) => student)).toEqual(['untrained']);
  });

  it.each([
    ['best-of-n', 'chooses by verdicts'],
    ['speculative-rollback', 'asks a teacher'],
  ])('[RUN-42] does not run students with %s, which %s', async (kind, why) => {
    const strategy = readStrategy({ kind }, 'The evaluation');
    await expect(evaluated('unfair', { strategy })).rejects.toThrow(why);
    expect(existsSync(runIn('unfair'))).toBe(false);
  });

  it('[RUN-42] runs the same episodes in workers', async () => {
    const subject = await studentContender('untrained');
    const strategy = readStrategy({ kind: 'lookahead', expansions: 5 }, 'The evaluation');
    const here = { subject, strategy, baselines: false, host: createSystemHost({ workers: 0 }) };
    await evaluated('ahead-here', here);
    await evaluated('ahead-workers', { ...here, host: createSystemHost({ workers: 2 }) });
    expect(contents(episodesIn(runIn('ahead-workers')))).toEqual(contents(episodesIn(runIn('ahead-here'))));
  });

  it('[RUN-40] counts in its progress the episodes that there are', async () => {
    const path = join(parent, 'scarce-progress.ts');
    writeFileSync(path, scarceLibrary);
    const seen: ProgressCounter[] = [];
    await evaluated('scarce-progress', { environments: [path], onProgress: meter => void seen.push(meter) });
    const last = seen.at(-1);
    expect(last?.planned).toBe(headsIn('scarce-progress').length);
    expect(last?.ended).toBe(last?.planned);
  });

  it('[RUN-14] leaves out what cannot be made, and the blind replay what it has no recording for', async () => {
    const path = join(parent, 'scarce.ts');
    writeFileSync(path, scarceLibrary);
    const { stopped, unmade, rows, baselines } = await evaluated('scarce', { environments: [path] });
    expect(stopped).toBe(false);
    expect(unmade).toEqual([
      {
        task: expect.stringMatching(/^library\/reserve-for-reader\/\d+$/) as string,
        message: expect.stringContaining('its task() throws: no book to reserve') as string,
      },
    ]);
    const templatesOf = (student: string): string[] =>
      headsIn('scarce').flatMap(head => (head.student === student ? [head.task.template] : []));
    const others = ['lend-to-reader', 'lend-to-reader', 'who-has-book', 'who-has-book'];
    expect(templatesOf('replay').toSorted()).toEqual(others);
    for (const name of ['planner', 'random', 'subject'])
      expect(templatesOf(name).toSorted()).toEqual([...others, 'reserve-for-reader'].toSorted());
    expect(baselines.map(({ student }) => student)).toEqual([
      'random',
      'infeasible',
      'frequent ending',
      'replay',
      'planner',
    ]);
    expect(rows).toHaveLength(6);
  });
});
