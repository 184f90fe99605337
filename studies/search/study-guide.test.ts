import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { handWeights } from '../../src/agents/page-search/words/feature-weights.ts';
import { priorName } from './search-run.ts';
import { givenGuide, guideFor, studentSolver } from './study-guide.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-guide-'));
afterAll(() => rmSync(folder, { recursive: true }));

const small = `small:${join(import.meta.dirname, '../../test/fixtures/small')}`;
const choices = { holdOut: ['shelf'] };

/** A student as a round leaves it, with what it may say in apps that it knows and in others. */
function studentOf(known: number, other: number): string {
  const file = join(folder, 'student.round-1.json');
  const about = (weight: number) => ({ weight, rows: 9, words: 1, learned: 1, mixed: 1, usesLearned: weight > 0 });
  const weights = { knownApps: about(known), otherApps: about(other), features: handWeights };
  writeFileSync(file.replace('.json', '.weights.json'), JSON.stringify(weights));
  return file;
}

describe('what guides the searches of a study', () => {
  it('[SEARCH-97] is the student that somebody names, with the weight and the hash of its model in the name of the prior', async () => {
    const given = await givenGuide({ guide: small, weight: 0.3 });
    const setting = { choices, given };
    const first = guideFor(setting, null, 'desk');
    expect(priorName(first)).toMatch(/^words and small [0-9a-f]{8}, weight 0\.3$/);
    expect(first?.file).toBe(small);
    const later = guideFor(setting, studentOf(0.4, 0), 'desk');
    expect(priorName(later)).toMatch(/^learned words and small [0-9a-f]{8}, weight 0\.3$/);
    expect(priorName(guideFor(setting, studentOf(0.4, 0), 'shelf'))).toBe(priorName(first));
    expect((await givenGuide({ guide: 'student.json' }))?.name).toBe('student.json');
  });

  it('[SEARCH-27] is the student of the round before where nobody names one, as far as it was measured to help', async () => {
    const setting = { choices, given: await givenGuide({}) };
    expect(guideFor(setting, null, 'desk')).toBeNull();
    const student = studentOf(0.4, 0.1);
    expect(guideFor(setting, student, 'desk')).toMatchObject({ file: student, weight: 0.4, features: handWeights });
    expect(guideFor(setting, student, 'shelf')).toMatchObject({ file: student, weight: 0.1 });
  });

  it('[SEARCH-97] solves held-out tasks alone: a model by its likeliest steps, another student as it is', () => {
    expect(studentSolver(small)).toMatchObject({ kind: 'agents', student: { kind: 'small', temperature: 0 } });
    expect(studentSolver('student.json')).toEqual({ kind: 'student', file: 'student.json' });
  });
});
