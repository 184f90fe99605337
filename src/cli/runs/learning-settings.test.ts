import { Command } from 'commander';
import { expect, test } from 'vitest';
import { studySettings } from './learning-settings.ts';
import { addStudy } from './rl-commands.ts';

const sizes = { group: 8, instances: 2, srcRounds: 2, evalEvery: 2, evalInstances: 2 };

test('[CLI-19] study takes its sizes as settings, and by their options of before', () => {
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  expect(studySettings({}, note)).toMatchObject(sizes);
  expect(studySettings({ set: ['study.group=4', 'study.srcRounds=1'] }, note)).toMatchObject({
    ...sizes,
    group: 4,
    srcRounds: 1,
  });
  expect(notes).toEqual([]);
  const former = { srcRounds: '3', evalEvery: '5' };
  expect(studySettings(former as object, note)).toMatchObject({ ...sizes, srcRounds: 3, evalEvery: 5 });
  expect(notes).toEqual([
    '--src-rounds is now --set study.srcRounds=3; the old spelling goes in 0.3.',
    '--eval-every is now --set study.evalEvery=5; the old spelling goes in 0.3.',
  ]);
  expect(() => studySettings({ set: ['study.group=0'] }, note)).toThrow('study.group');
});

test('[CLI-19] help of study shows 22 options at most', () => {
  const program = new Command();
  addStudy(program, { output: null as never, finish: async () => undefined });
  expect(program.commands[0]?.options.filter(({ hidden }) => !hidden).length).toBeLessThanOrEqual(22);
});
