import type { Action } from '../../core/action.ts';
import type { ServedQuestion } from '../../core/chat/served.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import type { PrivilegedPolicy, PrivilegedTeacher, Review } from '../../core/episode/agents.ts';
import type { Random } from '../../core/random.ts';
import { createEpisodes } from './episodes.ts';
import { contextOf, type EpisodeRuntime } from './question-context.ts';
import { RefusedError, type ServedPolicy } from './served-policy.ts';
import { offeredTools, writeAction } from './write-action.ts';

export interface ServedPlannerOptions extends Pick<ServedPolicy, 'id' | 'version'> {
  /** By the id of the environment that a task names. */
  readonly worlds: ReadonlyMap<string, StateEnvironment>;
  /** Created for each episode, because its memory shapes its answers. */
  createPolicy(): PrivilegedPolicy;
  createTeacher(): PrivilegedTeacher;
  /** What the task is opened with, to walk to where the client is. */
  readonly runtime: EpisodeRuntime;
}

/** Of both kinds: enough for every run on one machine. */
const mostEpisodes = 4096;

/**
 * A privileged policy and teacher. It needs the state, so it only answers clients that send the task and the steps so far. It
 * opens the task in its own world and replays the steps.
 */
export function createServedPlanner(options: ServedPlannerOptions): ServedPolicy {
  const { id, version } = options;
  const decide = createDeciding(options);
  return {
    id,
    version,
    async answer({ chat, question, random }) {
      if (question === null) throw notPrivileged(id);
      const decided = await decide(question, random);
      const says = isReview(decided) ? { text: reviewText(decided) } : writeAction(decided, offeredTools(chat));
      return { says, odds: null };
    },
  };
}

type Deciding = (question: ServedQuestion, random: Random) => Promise<Action | Review | null>;

function createDeciding({ worlds, createPolicy, createTeacher, runtime }: ServedPlannerOptions): Deciding {
  const askPolicy = createEpisodes<PrivilegedPolicy, Action | null>(createPolicy, mostEpisodes);
  const askTeacher = createEpisodes<PrivilegedTeacher, Action | Review | null>(createTeacher, mostEpisodes);
  return async (question, random) => {
    const { task } = question;
    const world = worlds.get(task.environment) ?? unknownWorld(task.environment, worlds);
    const { view, segment, states } = await contextOf(world, question, runtime);
    switch (question.question) {
      case 'act':
        return askPolicy(question, async policy => (await policy.act({ ...view, random }, states.at(0))).action);
      case 'review':
        return askTeacher(question, teacher => teacher.review({ ...segment, random }, states));
      case 'correct': {
        const { reason, rejected } = question;
        const plea = { view: { ...view, random }, reason, rejected };
        return askTeacher(question, async teacher => (await teacher.correct(plea, states.at(0))).action);
      }
    }
  };
}

function isReview(decided: Action | Review | null): decided is Review {
  return decided !== null && 'accept' in decided;
}

/** Steps are counted from 1, as reviewers are shown them. */
function reviewText(review: Review): string {
  const answer = review.accept
    ? { reason: '', accept: true, step: null }
    : { reason: review.reason, accept: false, step: review.at + 1 };
  return JSON.stringify(answer);
}

function notPrivileged(id: string): RefusedError {
  return new RefusedError(
    `The policy "${id}" plans on the state of the task, which no chat shows. Expected the member "espalier" with the task and ` +
      'the steps so far, as espalier collect and eval send it; ask a student for answers to chats alone.',
  );
}

function unknownWorld(name: string, worlds: ReadonlyMap<string, StateEnvironment>): never {
  const known = [...worlds.keys()].join(', ');
  throw new RefusedError(`The planner has no environment "${name}". Expected one of: ${known}; serve it with --env.`);
}
