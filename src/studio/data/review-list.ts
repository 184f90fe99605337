import { personKey } from '../../core/naming/person-key.ts';
import type { StudioReviews, WaitingQuestion } from '../../runs/agents/reviews/api-reviews.ts';
import { measureAgreement } from '../../runs/reviews/agreement.ts';
import type { ReviewQueue } from '../../runs/agents/reviews/contract.ts';
import { opinionWord } from '../../runs/agents/reviews/studio-teacher.ts';

/** Questions that are shown at once. */
const mostShown = 200;

interface AskingRun {
  readonly id: string;
  readonly reviews: ReviewQueue;
}

export interface ReviewListOptions {
  runs(): Iterable<AskingRun>;
  run(id: string): AskingRun;
}

/** What the runs of the studio ask people, and what they answered. */
export function createReviewList({ runs, run }: ReviewListOptions): StudioReviews {
  return {
    list() {
      const found = [...runs()].flatMap(own => questionsOf(own.id, own.reviews));
      const waits = ({ opinions, answeredBy }: WaitingQuestion): number => Number(answeredBy.length >= opinions);
      const nameOf = createNames();
      const opinions = [...runs()].flatMap(own => opinionsOf(own.reviews, nameOf));
      return {
        questions: found.toSorted((one, other) => waits(one) - waits(other)).slice(0, mostShown),
        agreement: measureAgreement(opinions),
        problems: [...runs()].flatMap(own => own.reviews.problems().map(problem => `${own.id}: ${problem}`)),
      };
    },
    answer({ run: id, id: question, person }, answer) {
      const queue = run(id).reviews;
      const before = queue.opinions(question);
      queue.answer(question, { person, answer });
      const [first] = queue.opinions(question);
      const isFirst = first !== undefined && personKey(first.person) === personKey(person);
      return {
        before: before.map(own => own.person),
        agrees: isFirst || first === undefined ? null : opinionWord(first.answer) === opinionWord(answer),
        isLate: before.length >= queue.question(question).opinions,
      };
    },
  };
}

function questionsOf(run: string, queue: ReviewQueue): WaitingQuestion[] {
  return queue.ids().map(id => {
    const answeredBy = queue.opinions(id).map(({ person }) => person);
    return { ...queue.question(id), id, run, answeredBy };
  });
}

/** A person is called as they first wrote their name, in all runs. */
function createNames(): (person: string) => string {
  const names = new Map<string, string>();
  return person => {
    const known = names.get(personKey(person)) ?? person;
    names.set(personKey(person), known);
    return known;
  };
}

function opinionsOf(queue: ReviewQueue, nameOf: (person: string) => string): ReadonlyMap<string, string>[] {
  return queue
    .ids()
    .filter(id => queue.question(id).kind === 'review')
    .map(id => new Map(queue.opinions(id).map(({ person, answer }) => [nameOf(person), opinionWord(answer)])));
}

/** Notices questions and answers that came since. */
export function watchReviews(queue: ReviewQueue): { refresh(): boolean; waiting(): number } {
  let [waiting, files] = [0, 0];
  return {
    waiting: () => waiting,
    refresh() {
      const before = files;
      const ids = queue.ids();
      const given = ids.map(id => queue.opinions(id).length);
      waiting = ids.filter((id, place) => (given[place] ?? 0) < queue.question(id).opinions).length;
      files = given.reduce((sum, count) => sum + count, ids.length);
      return files !== before;
    },
  };
}
