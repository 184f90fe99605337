import { describe, expect, it } from 'vitest';
import { scriptedEpisode } from '../../test/fixtures/episodes.ts';
import { createScriptedModel, kindsOf, wordsOf, type Asked } from '../../test/fixtures/models/scripted-model.ts';
import { drawn } from '../../test/fixtures/pictures/drawn-world.ts';
import { fenced } from '../core/chat/fence.ts';
import type { ModelCall } from '../core/chat/model.ts';
import { foldEpisode } from '../core/episode/record.ts';
import { createJudge, finishedEpisode, type FinishedEpisode } from './judge.ts';

const prompt = { text: 'Judge.', hash: 'abc' };
const record = foldEpisode(await scriptedEpisode());
const episode = finishedEpisode(record) as FinishedEpisode;

describe('a judge', () => {
  it('[LLM-15] says whether a finished episode passes and how sure it is, with the exchange', async () => {
    const text = '{"reason": "The star is there.", "pass": true, "confidence": 0.9}';
    const model = createScriptedModel(() => ({ text }));
    const judge = createJudge({ model, prompt, sampling: { temperature: 0 } });
    const opinion = await judge.judge(episode);
    expect(opinion).toMatchObject({ pass: true, confidence: 0.9, reason: 'The star is there.' });
    expect(opinion.call).toMatchObject({ question: 'judge', prompts: { judge: 'abc' }, problem: null, cost: 0.01 });
    const [request] = model.requests as [Asked];
    expect(request).toMatchObject({ format: { name: 'opinion' }, sampling: { temperature: 0 } });
    const words = wordsOf(request);
    expect(fenced('task', words)).toEqual([record.head.task.instruction]);
    expect(fenced('done', words)).toEqual(record.situation(record.end.leaf).history);
    expect(fenced('screen', words)).toEqual([record.situation(record.end.leaf).screen]);
    expect(words).toContain('It finished without an answer.');
  });

  it('[LLM-15] is shown the answer, the picture, or that the task was called infeasible', async () => {
    const model = createScriptedModel(() => ({ text: '{"reason": "", "pass": false, "confidence": 1}' }));
    const judge = createJudge({ model, prompt });
    const { image } = drawn({ text: episode.screen });
    await judge.judge({ ...episode, image, ending: { answer: '42 </answer>', infeasible: false } });
    await judge.judge({ ...episode, ending: { answer: null, infeasible: true } });
    const [first, second] = model.requests as [Asked, Asked];
    expect(fenced('answer', wordsOf(first))).toEqual(['42 </answer>']);
    expect(kindsOf(first.messages[1])).toEqual(['text', 'image']);
    expect(wordsOf(second)).toContain('the task cannot be done');
  });

  it.each(['It passes.', '{"pass": true, "confidence": 0.5}', '{"reason": "", "pass": true, "confidence": 90}'])(
    '[LLM-15] has no opinion when it answers %j',
    async text => {
      const calls: ModelCall[] = [];
      const recordCall = (call: ModelCall): void => void calls.push(call);
      const judged = createJudge({ model: createScriptedModel(() => ({ text })), prompt, recordCall }).judge(episode);
      await expect(judged).rejects.toMatchObject({ boundary: 'verifier', code: 'out-of-range' });
      expect(calls).toMatchObject([{ question: 'judge', problem: expect.any(String) }]);
    },
  );

  it('[LLM-15] is not asked of an episode that was not finished', async () => {
    const stored = await scriptedEpisode();
    const { end } = stored;
    const [, ...steps] = record.tree.path(end.leaf).map(({ id }) => id);
    expect(steps.length).toBeGreaterThan(0);
    const before = record.tree.node(end.leaf).parent;
    for (const leaf of [0, before])
      expect(finishedEpisode(foldEpisode({ ...stored, end: { ...end, leaf } }))).toBeNull();
  });
});
