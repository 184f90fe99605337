import { z } from 'zod';
import { createRegistry, type Entry } from '../../core/naming/registry.ts';
import { createAlternatives } from '../../episode/strategies/alternatives.ts';
import { createBestOfN } from '../../episode/strategies/best-of-n.ts';
import { createDagger } from '../../episode/strategies/dagger.ts';
import { createForkGroup } from '../../episode/strategies/fork-group.ts';
import { createLinear } from '../../episode/strategies/linear.ts';
import { createLookahead } from '../../episode/strategies/lookahead.ts';
import { createRetry } from '../../episode/strategies/retry.ts';
import { createSpeculativeRollback } from '../../episode/strategies/speculative-rollback.ts';
import type { Strategy } from '../../episode/strategies/strategy.ts';

/** A strategy that runs can choose by name. */
export interface StrategyEntry extends Entry {
  /** Every option has a default and a description: they are settings, such as `strategy.width`. */
  readonly options: z.ZodObject;
  readonly asksTeacher: boolean;
  /** Whether students may be evaluated with it: nobody teaches, and no verdict is seen before the end. */
  readonly evaluates: boolean;
  /** Options that have no effect beside these options, each with what it needs. */
  unused?(options: Readonly<Record<string, unknown>>): Readonly<Record<string, string>>;
  create(options: Readonly<Record<string, unknown>>): Strategy;
}

interface StrategyDefinition<O extends z.ZodObject> extends Omit<StrategyEntry, 'options' | 'create'> {
  readonly options: O;
  create(options: z.infer<O>): Strategy;
}

/** Options are read with the schema before they are handed over. */
function define<O extends z.ZodObject>({ create, ...entry }: StrategyDefinition<O>): StrategyEntry {
  return { ...entry, create: options => create(entry.options.parse(options)) };
}

const counting = z.int('a whole number above 0').positive('a whole number above 0');
const share = z.number('a number from 0 to 1').min(0, 'a number from 0 to 1').max(1, 'a number from 0 to 1');

export const strategies = createRegistry<StrategyEntry>({
  noun: 'strategy',
  plural: 'strategies',
  about: 'How an episode is run: who acts, who reviews, and where it goes back.',
  module: { member: 'strategy', powers: ['name', 'run'] },
  entries: [
    define({
      name: 'linear',
      about: 'The student alone, from the start to its end.',
      asksTeacher: false,
      evaluates: true,
      options: z.object({}),
      create: () => createLinear(),
    }),
    define({
      name: 'speculative-rollback',
      about:
        'The student takes a few steps; the teacher reviews them, rolls back to the first harmful one and corrects it.',
      asksTeacher: true,
      evaluates: false,
      options: z.object({
        speculate: z
          .union([counting, z.literal('inf'), z.literal('adaptive')], {
            error: 'a whole number above 0, "inf" or "adaptive"',
          })
          .default(3)
          .describe('steps between two reviews, inf for one at the end, or adaptive: while the student is sure'),
        goOn: share.default(0.5).describe('adaptive: go on while the product of the probabilities is at least this'),
        skipSure: z
          .union([share, z.literal('never')], { error: 'a number from 0 to 1, or "never"' })
          .default('never')
          .describe('skip the review of a finish that passed, if every step was at least so probable'),
        audit: share.default(0.1).describe('share of the skipped reviews that are made all the same'),
        branching: z.boolean().default(false).describe('run rejected branches to their end, to measure the teacher'),
      }),
      unused: ({ speculate, skipSure = 'never' }) => ({
        ...(speculate === 'adaptive' ? {} : { goOn: '--speculate adaptive' }),
        ...(skipSure === 'never' ? { audit: '--set strategy.skipSure=<share>' } : {}),
      }),
      create: ({ speculate, skipSure, ...options }) =>
        createSpeculativeRollback({
          ...options,
          speculate: speculate === 'inf' ? Infinity : speculate,
          skipSure: skipSure === 'never' ? null : skipSure,
        }),
    }),
    define({
      name: 'dagger',
      about: 'The student leads; in every state the teacher says what it would do there.',
      asksTeacher: true,
      evaluates: false,
      options: z.object({}),
      create: () => createDagger(),
    }),
    define({
      name: 'retry',
      about: 'The student tries; when it fails it goes back to a step and tries again from there, told what was wrong.',
      asksTeacher: true,
      evaluates: false,
      options: z.object({
        retries: counting.default(2).describe('retries after the first attempt; of each step with from=refused'),
        from: z
          .enum(['review', 'start', 'spread', 'refused'])
          .default('review')
          .describe(
            'where retries begin: before the step that the teacher rejects, at the start, at states spread over the attempt, before refused steps',
          ),
        hint: z.boolean().default(true).describe('tell the student why it goes back; rows leave hints out'),
        first: z.enum(['student', 'teacher']).default('student').describe('who makes the first attempt'),
      }),
      unused: ({ from }) => (from === 'refused' ? { first: 'another place to retry from' } : {}),
      create: options => createRetry(options),
    }),
    define({
      name: 'alternatives',
      about: 'The teacher shows the way; in every state on it other actions of the student are tried and rolled back.',
      asksTeacher: true,
      evaluates: false,
      options: z.object({
        width: counting.default(4).describe('other actions tried in each state'),
        recover: z.boolean().default(false).describe('let the teacher take a step from where each of them led'),
      }),
      create: options => createAlternatives(options),
    }),
    define({
      name: 'best-of-n',
      about: 'Several attempts of the student from the start, at once where it is a model; one that passed is kept.',
      asksTeacher: false,
      evaluates: false,
      options: z.object({
        attempts: counting.default(4).describe('attempts of best-of-n'),
      }),
      // What passed comes first: right for collecting, where the verifier may be asked.
      create: ({ attempts }) => ({
        ...createBestOfN({ attempts, choose: 'verifier' }),
        limits: { leaves: attempts, forks: attempts - 1 },
      }),
    }),
    define({
      name: 'fork-group',
      about: 'A group of attempts that share prefixes: some fork from states in which the student was least sure.',
      asksTeacher: false,
      evaluates: false,
      options: z.object({
        group: counting.default(8).describe('attempts of fork-group'),
        starts: counting.default(2).describe('attempts of fork-group that begin at the start'),
      }),
      create: ({ group, starts }) => ({
        ...createForkGroup({ attempts: group, starts }),
        limits: { leaves: group },
      }),
    }),
    define({
      name: 'lookahead',
      about:
        'The student tries several branches and finishes the one it trusts most; the verifier is asked at the end.',
      asksTeacher: false,
      evaluates: true,
      options: z.object({
        expansions: counting.default(60).describe('steps that lookahead tries, all branches together'),
        width: counting.default(4).describe('actions that lookahead considers in a state'),
      }),
      create: options => createLookahead(options),
    }),
  ],
});
