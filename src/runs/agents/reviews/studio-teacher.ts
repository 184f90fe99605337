import type { CorrectionRequest, Decision, OrdinaryTeacher, Review, Segment } from '../../../core/episode/agents.ts';
import { describeStep } from '../../../core/episode/view.ts';
import type { GivenAnswer } from './api-reviews.ts';
import type { AskedQuestion, GivenOpinion, ReviewWaiting } from './contract.ts';

export interface StudioTeacherOptions extends ReviewWaiting {
  /** Key of the episode. */
  readonly episode: string;
  /** People who have to answer before the run goes on. */
  readonly opinions: number;
}

const lookMilliseconds = 300;

/** People at the studio: branches wait in a queue until enough of them have answered. */
export function createStudioTeacher(options: StudioTeacherOptions): OrdinaryTeacher {
  return {
    name: 'studio',
    patient: true,
    async review(segment) {
      const { answer, person } = await waitFor(options, reviewQuestion(segment, options));
      const { kind: _kind, ...review } = answer as Extract<GivenAnswer, { kind: 'review' }>;
      return { ...review, person } as Review;
    },
    async correct(request): Promise<Decision> {
      const { answer, person } = await waitFor(options, correctQuestion(request, options));
      return { action: (answer as Extract<GivenAnswer, { kind: 'correct' }>).action, person };
    },
  };
}

function reviewQuestion(
  { instruction, path, steps, after, verdict }: Segment,
  { episode, opinions }: StudioTeacherOptions,
): AskedQuestion {
  return {
    kind: 'review',
    episode,
    instruction,
    history: path.map(({ text }) => text),
    steps: steps.map(({ text, thought = null, applied, screen }) => ({ text, thought, applied, screen })),
    screen: after.text,
    passes: verdict === null ? null : verdict.pass,
    opinions,
  };
}

function correctQuestion({ view, reason, rejected }: CorrectionRequest, options: StudioTeacherOptions): AskedQuestion {
  const { instruction, history, observation } = view;
  return {
    kind: 'correct',
    episode: options.episode,
    instruction,
    history,
    screen: observation.text,
    reason,
    rejected: rejected === null ? null : describeStep(rejected, observation.text),
    opinions: options.opinions,
  };
}

async function waitFor(
  { queue, timers, signal, opinions }: StudioTeacherOptions,
  question: AskedQuestion,
): Promise<GivenOpinion> {
  const id = queue.ask(question);
  for (;;) {
    const given = queue.opinions(id);
    if (given.length >= opinions) return decide(given.slice(0, opinions));
    await new Promise<void>(resolve => {
      if (!signal.aborted) timers.after(lookMilliseconds, resolve);
    });
  }
}

/** What most people say; where two answers have as many, the one that was given first. */
function decide(given: readonly GivenOpinion[]): GivenOpinion {
  const groups = [...Map.groupBy(given, ({ answer }) => opinionWord(answer)).values()];
  const most = Math.max(...groups.map(({ length }) => length));
  return groups.find(({ length }) => length === most)?.[0] as GivenOpinion;
}

/** Equal for answers that say the same: reasons may be worded in any way. */
export function opinionWord(answer: GivenAnswer): string {
  if (answer.kind === 'correct') return JSON.stringify(answer.action);
  return answer.accept ? 'accept' : `reject at ${answer.at}`;
}
