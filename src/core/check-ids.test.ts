import { describe, expect, it } from 'vitest';
import { checkIds, failedChecks } from './check-ids.ts';

describe('ids of checks', () => {
  it('[VER-11] are their words without the values of the task, so that seeds share them', () => {
    const ids = (subject: string): string[] =>
      checkIds([{ name: `"${subject}" is starred` }, { name: 'nothing was sent' }], { subject, count: 3 });
    expect(ids('Lunch on Friday')).toEqual(['is-starred', 'nothing-was-sent']);
    expect(ids('Über uns: 50 % ')).toEqual(ids('Lunch on Friday'));
  });

  it('[VER-11] are the ones given, and never the same twice', () => {
    const checks = [{ id: 'moved', name: 'm1 is in Trash' }, { id: 'moved', name: 'm2 is in Trash' }, { name: 'Anna' }];
    expect(checkIds(checks, { name: 'Anna' })).toEqual(['moved', 'moved-2', 'check']);
    for (const id of checkIds([{ name: `a${' long'.repeat(40)} name` }, { name: '' }], {})) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  });

  it('[VER-11] name what failed, also in verdicts that were written without them', () => {
    const verdict = {
      pass: false,
      checks: [
        { name: '"Lunch" is starred', pass: false },
        { id: 'answer', name: 'the answer is right', pass: false },
        { name: 'it is archived', pass: true },
      ],
      progress: 1 / 3,
      clean: false,
      evidence: { sideEffects: ['/labels'], answer: null },
    };
    expect(failedChecks(verdict, { subject: 'Lunch' })).toEqual(['is-starred', 'answer', 'clean']);
    expect(failedChecks({ ...verdict, clean: true, checks: [] }, {})).toEqual([]);
  });
});
