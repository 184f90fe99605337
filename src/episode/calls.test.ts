import { describe, expect, it } from 'vitest';
import { app } from '../../examples/library/library.ts';
import { impatientTimers, planFor, run } from '../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../test/fixtures/memory-journal.ts';
import type { ModelCall, RecordCall } from '../core/chat/model.ts';
import type { Decision, OrdinaryPolicy, OrdinaryTeacher, Review, Segment } from '../core/episode/agents.ts';
import { createCallReader } from '../core/episode/call-log.ts';
import type { Journal, StoredEpisode } from '../core/episode/journal.ts';
import { foldEpisode } from '../core/episode/record.ts';
import { EspalierError } from '../core/errors.ts';
import { createWorld } from '../worlds/world.ts';
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
  act({ history, recordCall }): Decision {
    recordCall?.(callOf('act', 'eh', 'no call'));
    recordCall?.(callOf('act', `step ${history.length}`));
    return { action: plan[history.length] ?? null };
  },
};

const refused = ({ recordCall }: Segment, answer: string): never => {
  recordCall?.(callOf('review', answer, 'no review'));
  throw new EspalierError({ boundary: 'reviewer', code: 'out-of-range', message: 'No review.', expected: 'One.' });
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
      review({ recordCall }): Review {
        const review = reviews[asked++] ?? ({ accept: true } as const);
        recordCall?.(callOf('review', `${asked}`));
        return review;
      },
      correct({ view }): Decision {
        view.recordCall?.(callOf('correct', 'better'));
        return { action: plan[0] ?? null };
      },
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
      review: segment => refused(segment, `try ${++asked}`),
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
      act({ recordCall }) {
        recordCall?.(callOf('act', 'last words'));
        throw new Error('Broke.');
      },
    };
    const { episode, answers } = await ran({ student: breaking });
    expect(episode.end).toMatchObject({ outcome: 'errored', boundary: 'policy' });
    expect(answers).toEqual(['open', 'act: last words']);
  });

  it('[TOK-7] that are none are the fault of the agent that names them', async () => {
    const { reply: _reply, ...half } = callOf('act', 'x');
    const confused: OrdinaryPolicy = {
      name: 'confused',
      act({ recordCall }) {
        recordCall?.(half as ModelCall);
        return { action: plan[0] ?? null };
      },
    };
    const { episode } = await ran({ student: confused });
    expect(episode.end).toMatchObject({
      outcome: 'errored',
      boundary: 'policy',
      message: expect.stringContaining('recorded a call that is none: reply'),
    });
  });

  it('[TOK-6] before a deadline are kept and paid for, and those after it are not', async () => {
    let late: RecordCall | undefined;
    const slow: OrdinaryPolicy = {
      name: 'slow',
      act({ recordCall }) {
        recordCall?.(callOf('act', 'in time'));
        late = recordCall;
        return new Promise<never>(() => undefined);
      },
    };
    const { episode, answers } = await ran({ student: slow });
    late?.(callOf('act', 'too late'));
    expect(episode.end).toMatchObject({ boundary: 'policy', reason: 'deadline', counts: { cost: 0.5, tokens: 10 } });
    expect(answers).toEqual(['open', 'act: in time']);
  });

  it('[TOK-5] [ROL-9] that cannot be written stop the run, whatever the agent does about it', async () => {
    const journal = createMemoryJournal();
    const full: Journal = {
      ...journal,
      begin(head) {
        const log = journal.begin(head);
        return { ...log, append: event => (event.kind === 'call' ? expect.fail('disk full') : log.append(event)) };
      },
    };
    const parts = { environment: world, student, strategy: createLinear() };
    await expect(run({ tasks: [task], parts, journal: full })).rejects.toMatchObject({ boundary: 'store' });
    expect([...journal.episodes()]).toEqual([]);
  });
});
