import { z } from 'zod';
import { createRegistry } from '../../core/naming/registry.ts';
import { createAlternatives } from '../../episode/strategies/alternatives.ts';
import { createBestOfN } from '../../episode/strategies/best-of-n.ts';
import { counting, defineStrategy as define, share, type StrategyEntry } from '../../episode/strategies/definition.ts';
import { createDagger } from '../../episode/strategies/dagger.ts';
import { createForkGroup } from '../../episode/strategies/fork-group.ts';
import { createLinear } from '../../episode/strategies/linear.ts';
import { createLookahead } from '../../episode/strategies/lookahead.ts';
import { createPlant } from '../../episode/strategies/plant.ts';
import { plantedErrors } from '../../episode/strategies/planted-errors.ts';
import { createRetry } from '../../episode/strategies/retry.ts';
import { cascade } from '../../episode/strategies/control/cascade.ts';
import { guide } from '../../episode/strategies/control/guide.ts';
import { pipeline } from '../../episode/strategies/control/pipeline.ts';
import { sagePlan } from '../../episode/strategies/control/sage-plan.ts';
import { vlaaGui } from '../../episode/strategies/control/vlaa-gui.ts';
import { argus } from '../../episode/strategies/search/argus.ts';
import { latr } from '../../episode/strategies/search/latr.ts';
import { levin } from '../../episode/strategies/search/levin.ts';
import { agentQ, puct } from '../../episode/strategies/search/monte-carlo.ts';
import { simpleTes } from '../../episode/strategies/search/simple-tes.ts';
import { webOperator } from '../../episode/strategies/search/web-operator.ts';
import { gta1 } from '../../episode/strategies/selection/gta1.ts';
import { judged } from '../../episode/strategies/selection/judged.ts';
import { seAgent } from '../../episode/strategies/selection/se-agent.ts';
import { tmas } from '../../episode/strategies/selection/tmas.ts';
import { pdr, rtv } from '../../episode/strategies/selection/tournament.ts';
import { createSpeculativeRollback } from '../../episode/strategies/speculative-rollback.ts';

const searching = [levin, puct, agentQ, webOperator, latr, simpleTes, argus];
const selecting = [judged, gta1, rtv, pdr, seAgent, tmas];
const controlling = [cascade, vlaaGui, sagePlan, guide, pipeline];

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
          .enum(['review', 'start', 'spread', 'refused', 'verdict'])
          .default('review')
          .describe(
            'where retries begin: before the step that the teacher rejects, at the start, at states spread over the attempt, before refused steps, at the start with what the verifier said',
          ),
        hint: z.boolean().default(true).describe('tell the student why it goes back; rows leave hints out'),
        first: z.enum(['student', 'teacher']).default('student').describe('who makes the first attempt'),
        all: z.boolean().default(false).describe('make all retries, also after one passed: candidates to choose from'),
      }),
      unused: ({ from }) =>
        from === 'refused' ? { first: 'another place to retry from', all: 'another place to retry from' } : {},
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
      name: 'plant',
      about:
        'The student tries; where it passed, errors are planted into its run one at a time, and the rest is played on.',
      asksTeacher: false,
      evaluates: false,
      options: z.object({
        modes: z
          .array(z.enum(plantedErrors.map(({ mode }) => mode)))
          .min(1)
          .optional()
          .describe('modes of AEGIS to plant; all fourteen unless given'),
      }),
      create: ({ modes }) => createPlant(modes === undefined ? {} : { modes }),
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
    ...searching,
    ...selecting,
    ...controlling,
  ],
});
