import { describe, expect, it } from 'vitest';
import { planFor, runOne, studentBy } from '../../../test/fixtures/episode-setup.ts';
import { mailWorld } from '../../../test/fixtures/episodes.ts';
import {
  createScriptedModel,
  kindsOf,
  wordsOf,
  type Asked,
  type Told,
} from '../../../test/fixtures/models/scripted-model.ts';
import { drawnWorld } from '../../../test/fixtures/pictures/drawn-world.ts';
import type { Action } from '../../core/action.ts';
import { fenced } from '../../core/chat/fence.ts';
import { servedMember, servedQuestionSchema } from '../../core/chat/served.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { JsonObject } from '../../core/json.ts';
import { createSpeculativeRollback } from '../../episode/strategies/speculative-rollback.ts';
import { createLlmTeacher } from './llm-teacher.ts';
import { readPrompts } from '../../models/prompt/prompts.ts';
import { readReviewAnswer, reviewFormat } from './review-answer.ts';

const task = mailWorld.task('star-message', 1);
const right = planFor(mailWorld.open(task));
const wrong: Action = { kind: 'click', ref: 'e7' };
const strategy = createSpeculativeRollback({ speculate: 2 });
const accept: Told = { text: JSON.stringify({ reason: 'fine', accept: true, step: null }) };
const reject = (step: number): Told => ({ text: JSON.stringify({ reason: 'wrong folder', accept: false, step }) });
const told = (action: Action, rest: Told = {}): Told => {
  const { name, input } = toolCallOf(action);
  return { ...rest, calls: [[name, input]] };
};
const isReview = ({ format }: Asked): boolean => format !== undefined;

interface Scene {
  readonly record: EpisodeRecord;
  readonly requests: readonly Asked[];
}

/** A student that goes wrong at its first step and right ever after, and a teacher that answers as told. */
async function play(
  answer: (request: Asked, index: number) => Told,
  options: Partial<Parameters<typeof createLlmTeacher>[0]> = {},
): Promise<Scene> {
  const model = createScriptedModel(answer, options.served === undefined ? 'openai' : 'espalier');
  let isFirst = true;
  const student = studentBy(step => {
    if (!isFirst) return { action: right[step] ?? { kind: 'finish' } };
    isFirst = false;
    return { action: wrong, thought: 'Spam it is.' };
  });
  const environment = options.observe === undefined ? mailWorld : drawnWorld(mailWorld);
  const teacher = createLlmTeacher({ model, ...options });
  const record = await runOne({ task, parts: { environment, student, teacher, strategy } });
  return { record, requests: model.requests };
}

/** Rejects the first branch at its first step, corrects it, and accepts all else. */
function rightly(request: Asked, index: number): Told {
  if (!isReview(request)) return told(right[0] as Action, { text: 'This one.' });
  return index === 0 ? reject(1) : accept;
}

describe('a model as a teacher', () => {
  it('[LLM-12] reviews the branch it is shown, and rejects at the step it names', async () => {
    const { record, requests } = await play(rightly);
    expect(record.end.outcome).toBe('passed');
    expect(record.reviews[0]).toMatchObject({ accept: false, at: 1, reason: 'wrong folder', retries: 0 });
    expect(record.corrections).toMatchObject([{ replaces: 1, reason: 'wrong folder' }]);
    const [review] = requests as [Asked];
    expect(review.format).toEqual(reviewFormat);
    expect(review.tools).toBeUndefined();
    const words = wordsOf({ ...review, messages: review.messages.slice(1) });
    expect(review.messages[0]?.content).toBe(readPrompts().texts.review);
    expect(fenced('task', words)).toEqual([task.instruction]);
    expect(fenced('thought', words)).toEqual(['Spam it is.']);
    expect(fenced('done', words)[0]).toMatch(/^click e7\nclick link /);
    expect(fenced('screen', words)).toHaveLength(3);
    expect(fenced('screen', words)[0]).toBe(mailWorld.open(task).observe().text);
    expect(words).toContain('Step 2 of 2:');
  });

  it('[LLM-12] is shown the steps before the branch, and what the verifier says of a finish', async () => {
    const { record, requests } = await play(rightly);
    const reviews = requests.filter(isReview);
    expect(fenced('done', wordsOf(reviews[1] as Asked))[0]).toBe(record.text(record.tree.path(record.end.leaf)[0]!.id));
    expect(wordsOf(reviews.at(-1) as Asked)).toContain('The verifier passes the finish.');
    const early = createScriptedModel(request => (isReview(request) ? accept : told({ kind: 'finish' })));
    const finishing = studentBy(() => ({ action: { kind: 'finish' } }));
    const teacher = createLlmTeacher({ model: early });
    const failed = await runOne({ task, parts: { environment: mailWorld, student: finishing, teacher, strategy } });
    // Whatever it accepts, the verifier has the last word.
    expect(failed.end.outcome).not.toBe('passed');
    const verdict = fenced('verdict', wordsOf(early.requests[0] as Asked))[0];
    expect(verdict).toContain('not met: ');
  });

  it('[LLM-13] corrects in the restored state, asked as a student is, with the reason', async () => {
    const { record, requests } = await play(rightly);
    const correctionRequest = requests.find(request => !isReview(request)) as Asked;
    expect(correctionRequest.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
    expect(correctionRequest.messages[0]?.content).toBe(readPrompts().texts.act);
    const words = wordsOf({ ...correctionRequest, messages: correctionRequest.messages.slice(1) });
    expect(fenced('screen', words)).toEqual([mailWorld.open(task).observe().text]);
    expect(fenced('reason', words)).toEqual(['wrong folder']);
    expect(fenced('done', words)).toEqual(['click e7']);
    expect(correctionRequest.tools?.map(({ name }) => name)).toContain('give-up');
    const corrected = record.tree.node(record.corrections[0]!.node);
    expect(corrected).toMatchObject({ action: right[0], thought: 'This one.', actor: { role: 'teacher' } });
  });

  it('[LLM-13] may say that it knows no way', async () => {
    const { record } = await play(request => (isReview(request) ? reject(1) : { calls: [['give-up', {}]] }));
    expect(record.end).toMatchObject({ outcome: 'discarded', reason: 'no correction' });
  });

  it.each<[string, Told]>([
    ['words', { text: 'Looks good to me!' }],
    ['no step', { text: '{"reason": "no", "accept": false, "step": null}' }],
    ['a step out of range', reject(3)],
    ['both', { text: '{"reason": "no", "accept": true, "step": 1}' }],
    ['other members', { text: '{"accept": true}' }],
    ['no reason', { text: '{"reason": " ", "accept": false, "step": 1}' }],
    ['half of it', { text: '{"reason": "fine", "accept": true, "st', finish: 'length' }],
  ])(
    '[LLM-12] is asked again when it answers %s, told what was wrong, and never taken for an acceptance',
    async (_, bad) => {
      const once = await play((request, index) => (index === 0 ? bad : rightly(request, index - 1)));
      expect(once.record.end.outcome).toBe('passed');
      expect(once.record.reviews[0]).toMatchObject({ accept: false, retries: 1 });
      const [first, second] = once.requests as [Asked, Asked];
      expect(second.messages.slice(0, 2)).toEqual(first.messages);
      expect(wordsOf({ ...second, messages: second.messages.slice(2) })).toContain('This could not be used: ');
      const always = await play(() => bad);
      expect(always.record.end).toMatchObject({ outcome: 'errored', boundary: 'reviewer' });
      expect(always.record.reviews).toEqual([]);
      expect(always.requests).toHaveLength(3);
    },
  );

  it('[LLM-13] whose correction is of no use is asked again, then fails', async () => {
    const { record, requests } = await play(request => (isReview(request) ? reject(1) : { text: 'I would click it.' }));
    expect(record.end).toMatchObject({ outcome: 'errored', boundary: 'reviewer', reason: 'out of range' });
    expect(record.end.message).toContain('There is no tool call in the answer.');
    expect(requests).toHaveLength(4);
    expect(requests.map(({ messages }) => messages.length)).toEqual([2, 3, 5, 7]);
    // Every exchange is in the journal, and in the bill.
    expect(record.end.counts.tokens).toBe(4 * 105);
  });

  it('[LLM-14] served by us, is told the branch, and the reason and step of a rejection', async () => {
    const { requests } = await play(rightly, { served: { episode: 'run/key', task } });
    const questions = requests.map(({ extra }) => servedQuestionSchema.parse(extra?.[servedMember]));
    expect(questions[0]).toMatchObject({ question: 'review', episode: 'run/key', path: [], branch: [wrong, right[1]] });
    expect(questions[1]).toMatchObject({ question: 'correct', path: [], reason: 'wrong folder', rejected: wrong });
    expect(questions[2]).toMatchObject({ question: 'review', path: [right[0]] });
    expect(new Set(questions.map(({ random }) => random)).size).toBe(questions.length);
  });

  it('[LLM-10] is shown the pictures of the branch', async () => {
    const { requests } = await play(rightly, { observe: 'both' });
    expect(kindsOf(requests[0]?.messages[1]).filter(kind => kind === 'image')).toHaveLength(3);
  });

  it('[LLM-2] is not shown the first screens of a branch that is too long', async () => {
    const { requests } = await play(rightly, { window: 2_000 });
    const words = wordsOf(requests[0] as Asked);
    expect(fenced('screen', words)).toHaveLength(2);
    expect(words).toContain('(screen left out)');
  });

  it('[LLM-12] reads answers with words or a code block around them', () => {
    const text = 'Let me see {x}.\n```json\n{"reason": "loop", "accept": false, "step": 2}\n```';
    expect(readReviewAnswer(text, 2)).toEqual({ accept: false, at: 1, reason: 'loop' });
    const properties = reviewFormat.schema['properties'] as JsonObject;
    expect(Object.keys(properties)).toEqual(reviewFormat.schema['required']);
  });
});
