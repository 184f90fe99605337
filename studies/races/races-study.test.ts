import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { baseProblems } from '../../src/envs/problems/catalog.ts';
import { racesArms, trainArm, type RacesArm, type RacesSize } from './arms.ts';
import { askQuestions } from './questions.ts';
import { studyRaces } from './races-study.ts';
import { splitProblems } from './split-problems.ts';

const small: RacesSize = { seeds: 1, instances: 12, executions: 8000, compositions: 4, questions: 6 };
const folders: string[] = [];

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'races-'));
  folders.push(made);
  return made;
}

afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true });
});

const arms = racesArms.filter(({ label }) => ['base 10', 'compositions of 10'].includes(label));

/** The words of a question without its values. */
function wordingOf(instruction: string): string {
  return (instruction.split('\nAnswer with')[0] as string).replaceAll(/[[({].*[\])}]|-?\d+|\b[a-z]\b/g, '#');
}

describe('study of problems and compositions', () => {
  it('holds out problems or whole subjects, and shares no wording with training [PRG-4]', () => {
    for (const by of ['problem', 'subject'] as const) {
      const { pool, unseen } = splitProblems(baseProblems, by);
      expect(pool.length).toBeGreaterThanOrEqual(75);
      expect(unseen.length).toBeGreaterThan(20);
      expect(pool.filter(problem => unseen.includes(problem))).toEqual([]);
      const groups = new Set(pool.map(problem => problem[by === 'subject' ? 'subject' : 'name']));
      expect(unseen.filter(problem => groups.has(problem[by === 'subject' ? 'subject' : 'name']))).toEqual([]);
      const trained = new Set(
        askQuestions(pool, { count: 400, name: 'a', use: 'training' }).map(({ instruction }) => wordingOf(instruction)),
      );
      const shared = askQuestions(unseen, { count: 150, name: 'b', use: 'evaluation' }).filter(({ instruction }) =>
        trained.has(wordingOf(instruction)),
      );
      expect(shared.map(({ problem }) => problem.name)).toEqual([]);
    }
  });

  it('asks nothing for evaluation that it trains on [PRG-4]', () => {
    const { pool } = splitProblems(baseProblems, 'problem');
    const contents = (use: 'training' | 'evaluation'): string[] =>
      pool.flatMap(problem => askQuestions([problem], { count: 12, name: 'same', use }).map(({ content }) => content));
    const trained = new Set(contents('training'));
    expect(trained.size).toBeGreaterThan(500);
    expect(contents('evaluation').filter(content => trained.has(content))).toEqual([]);
  });

  it('trains each arm with as many executions, and on no unseen problem [PRG-4]', () => {
    const { pool, unseen } = splitProblems(baseProblems, 'problem');
    const names = new Set(unseen.map(({ name }) => name));
    for (const arm of arms) {
      const { executions, problems, composed } = trainArm(arm, pool, { seed: 1, size: small });
      expect(executions).toBeGreaterThanOrEqual(small.executions);
      // The last question may go over.
      expect(executions).toBeLessThan(2 * small.executions);
      expect(problems.map(({ name }) => name).filter(name => names.has(name))).toEqual([]);
      expect(composed.flatMap(name => name.match(/[a-z][a-z0-9-]+/g) ?? []).filter(name => names.has(name))).toEqual(
        [],
      );
    }
  });

  it('learns: a trained student answers more new instances than the trivial ones [PRG-4]', async () => {
    const [base] = arms as [RacesArm];
    const size = { ...small, instances: 60, executions: 60_000, questions: 20 };
    const found = await studyRaces({ folder: folder(), size, split: 'problem', arms: [base] });
    const rate = (label: string): number =>
      found?.arms.find(arm => arm.label === label)?.rates['new instances'].mean ?? 0;
    expect(rate('base 10')).toBeGreaterThan(rate('number from the question') + 0.1);
    expect(rate('empty')).toBe(0);
  });

  it('goes on where it was stopped, and refuses other options [PRG-5]', async () => {
    const out = folder();
    const stop = new AbortController();
    const onProgress = (done: number): void => {
      if (done === 1) stop.abort();
    };
    expect(
      await studyRaces({ folder: out, size: small, split: 'problem', arms, signal: stop.signal, onProgress }),
    ).toBeNull();
    const first = readdirSync(join(out, 'students')).find(name => name.endsWith('marks.json'));
    const path = join(out, 'students', first as string);
    const before = statSync(path).mtimeMs;
    const whole = await studyRaces({ folder: out, size: small, split: 'problem', arms });
    expect(statSync(path).mtimeMs).toBe(before);
    const once = await studyRaces({ folder: folder(), size: small, split: 'problem', arms });
    expect(whole).toEqual(once);
    expect(readFileSync(join(out, 'setting.json'), 'utf8')).toContain('"split":"problem"');
    await expect(studyRaces({ folder: out, size: small, split: 'subject', arms })).rejects.toThrow('other options');
  });
});
