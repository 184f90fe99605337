import { describe, expect, it } from 'vitest';
import { app } from '../../examples/library/library.ts';
import { impatientTimers, planFor, run } from '../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../test/fixtures/memory-journal.ts';
import type { ModelCall } from '../core/chat/model.ts';
import type { Decision, OrdinaryPolicy, OrdinaryTeacher, Review } from '../core/episode/agents.ts';
import { AnswerError } from '../core/episode/answer-error.ts';
import { createCallReader } from '../core/episode/call-log.ts';
import type { StoredEpisode } from '../core/episode/journal.ts';
import { foldEpisode } from '../core/episode/record.ts';
import { createWorld } from '../kernel/world.ts';
import type { EpisodeParts } from './attempt.ts';
import { createLinear } from './strategies/linear.ts';
import { createSpeculativeRollback } from './strategies/speculative-rollback.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));

function callOf(question: ModelCall['question'], answer: string, problem: string | null = null): ModelCall {
  return {
    endpoint: 'openai:m@http://127.0.0.1:1/v1',
    question,
    prompts: {},
    messages: [{ role: 'user', content: [{ type: 'text', text: question }] }],
    tools: [],
    sampling: {},
    reply: {
      id: answer,
      model: 'm',
      version: null,
      message: { role: 'assistant', content: answer },
      finish: 'stop',
      usage: { prompt: 7, completion: 3 },
      tokens: null,
    },
    cost: 0.5,
    attempts: 1,
    problem,
  };
}

/** Goes by the plan, after an answer that is no use. */
const student: OrdinaryPolicy = {
  name: 'asking',
  act({ history }): Decision {
    const action = plan[history.length] ?? null;
    return { action, calls: [callOf('act', 'eh', 'no call'), callOf('act', `step ${history.length}`)] };
  },
};

const refused = (answer: string): never => {
  throw new AnswerError(
    { boundary: 'reviewer', code: 'out-of-range', message: 'No review.', expected: 'Expected one.' },
    [callOf('review', answer, 'no review')],
  );
};

async function ran(given: Partial<EpisodeParts>): Promise<{ episode: StoredEpisode; answers: string[] }> {
  const journal = createMemoryJournal();
  const parts = { environment: world, student, strategy: createLinear(), ...given };
  const { stored } = await run({ tasks: [task], parts, journal, timers: impatientTimers });
  const episode = stored[0] as StoredEpisode;
  const read = createCallReader(journal.attachment);
  const answers = episode.events.flatMap(event =>
    event.kind === 'call' ? `${event.question}: ${read(event.record).reply.message.content}` : event.kind,
  );
  return { episode, answers };
}

describe('calls to models', () => {
  it('[TOK-5] are in the journal before the step that they led to, unusable answers too', async () => {
    const { episode, answers } = await ran({});
    expect(answers.slice(0, 7)).toEqual(['open', 'act: eh', 'act: step 0', 'step', 'act: eh', 'act: step 1', 'step']);
    const record = foldEpisode(episode);
    expect(record.calls).toHaveLength(2 * plan.length);
    expect(record.callsFor(1)).toEqual(record.calls.slice(0, 2));
    expect(record.callsFor(2).map(({ by, at, problem }) => ({ by, at, problem }))).toEqual([
      { by: { role: 'student', name: 'asking' }, at: 1, problem: 'no call' },
      { by: { role: 'student', name: 'asking' }, at: 1, problem: null },
    ]);
  });

  it('[TOK-5] are in the journal before the review and the correction that they led to', async () => {
    const reviews = [{ accept: false, at: 0, reason: 'no' }, { accept: true }] as const;
    let asked = 0;
    const teacher: OrdinaryTeacher = {
      name: 'teaching',
      review: (): Review => ({ ...(reviews[asked++] ?? { accept: true }), calls: [callOf('review', `${asked}`)] }),
      correct: (): Decision => ({ action: plan[0] ?? null, calls: [callOf('correct', 'better')] }),
    };
    const strategy = createSpeculativeRollback({ speculate: 1 });
    const { episode, answers } = await ran({ teacher, strategy });
    expect(answers.slice(0, 9)).toEqual([
      'open',
      'act: eh',
      'act: step 0',
      'step',
      'review: 1',
      'review',
      'rollback',
      'correct: better',
      'step',
    ]);
    const record = foldEpisode(episode);
    expect(record.callsFor(2).map(({ question, by }) => [question, by.role])).toEqual([['correct', 'teacher']]);
    // A review that was accepted led to no step.
    expect(record.callsFor(4).map(({ question }) => question)).toEqual(['act', 'act']);
  });

  it('[TOK-6] of a question that is asked again, and of one that fails in the end, are kept and paid for', async () => {
    let asked = 0;
    const teacher: OrdinaryTeacher = {
      name: 'failing',
      review: () => refused(`try ${++asked}`),
      correct: () => expect.fail('nothing to correct'),
    };
    const strategy = createSpeculativeRollback({ speculate: 1 });
    const { episode, answers } = await ran({ teacher, strategy });
    expect(episode.end).toMatchObject({ outcome: 'errored', boundary: 'reviewer' });
    expect(answers.slice(-3)).toEqual(['review: try 1', 'review: try 2', 'review: try 3']);
    expect(episode.end.counts).toMatchObject({ cost: 1.5, tokens: 30 });
  });

  it('[TOK-6] of a student that breaks are kept as well', async () => {
    const breaking: OrdinaryPolicy = {
      name: 'breaking',
      act() {
        throw new AnswerError({ boundary: 'policy', code: 'threw', message: 'Broke.', expected: 'Expected a step.' }, [
          callOf('act', 'last words'),
        ]);
      },
    };
    const { episode, answers } = await ran({ student: breaking });
    expect(episode.end).toMatchObject({ outcome: 'errored', boundary: 'policy' });
    expect(answers).toEqual(['open', 'act: last words']);
  });

  it('[TOK-7] that are none are the fault of the agent that names them', async () => {
    const { reply: _reply, ...half } = callOf('act', 'x');
    const confused = { name: 'confused', act: () => ({ action: plan[0], calls: [half] }) } as unknown as OrdinaryPolicy;
    const { episode } = await ran({ student: confused });
    expect(episode.end).toMatchObject({
      outcome: 'errored',
      boundary: 'policy',
      message: expect.stringContaining('names a call that is none: reply'),
    });
  });
});
