import { useState } from 'preact/hooks';
import { personKey } from '../../../core/naming/person-key.ts';
import type { Invitation, RunSummary } from '../../api/api.ts';
import type {
  Agreement,
  GivenAnswer,
  ReviewList,
  TakenAnswer,
  WaitingQuestion,
} from '../../../runs/agents/reviews/api-reviews.ts';
import { get, messageOf, post, useLoaded } from '../client.ts';
import { NotShown, Problem, Text, Waiting } from '../parts/basics.tsx';
import { LiveScreen } from '../parts/live-screen.tsx';
import { linkTo } from '../route.ts';
import { figure, percent } from '../words.ts';

interface ReviewsProps {
  readonly runs: readonly RunSummary[] | null;
  readonly query: Readonly<Record<string, string>>;
}

/** Branches that wait for a person, and the one that is chosen. */
export function ReviewsView({ runs, query }: ReviewsProps) {
  const [given, setGiven] = useState(0);
  const [said, setSaid] = useState('');
  const [person, setPerson] = useState(localStorage.getItem('person') ?? 'me');
  const { data, error } = useLoaded(() => get<ReviewList>('reviews'), [runs, given]);
  if (error !== null) return <NotShown>{error}</NotShown>;
  if (data === null) return <Waiting />;
  const hasAnswered = (name: string): boolean => personKey(name) === personKey(person);
  const open = data.questions.filter(({ answeredBy }) => !answeredBy.some(hasAnswered));
  const shown = open.find(({ id }) => id === query['question']) ?? open[0];
  const answer = async (question: WaitingQuestion, chosen: GivenAnswer): Promise<void> => {
    localStorage.setItem('person', person);
    try {
      const { run, id } = question;
      setSaid(takenText(await post<TakenAnswer>('reviews/answer', { run, id, person, answer: chosen })));
    } catch (cause) {
      setSaid(messageOf(cause));
    }
    setGiven(count => count + 1);
  };
  return (
    <>
      <h1>Review queue</h1>
      <p>
        <label>
          You are{' '}
          <input value={person} maxLength={60} size={12} onInput={event => setPerson(event.currentTarget.value)} />
        </label>{' '}
        <span role="status">{said}</span>
      </p>
      <InviteButton />
      <AgreementText agreement={data.agreement} />
      {data.problems.map(problem => (
        <Problem key={problem}>
          <Text>{problem}</Text>
        </Problem>
      ))}
      {shown === undefined ? (
        <p>Nothing waits for you. Runs of espalier collect --teacher studio ask here.</p>
      ) : (
        <div class="reviews">
          <QuestionList questions={open} chosen={shown.id} />
          <Question key={shown.id} question={shown} answer={chosen => void answer(shown, chosen)} />
        </div>
      )}
    </>
  );
}

/** Another person answers in a browser of their own: each link opens one. */
function InviteButton() {
  const [said, setSaid] = useState('');
  const invite = async (): Promise<void> => {
    try {
      const { link } = await post<Invitation>('invite', {});
      setSaid(`${location.origin}${link}`);
    } catch (cause) {
      setSaid(messageOf(cause));
    }
  };
  return (
    <p>
      <button type="button" onClick={() => void invite()}>
        Make a link for another person
      </button>{' '}
      <span role="status">{said === '' ? '' : <code>{said}</code>}</span>{' '}
      {said === '' ? null : <span class="soft">It works once, on this machine.</span>}
    </p>
  );
}

function takenText({ before, agrees, isLate }: TakenAnswer): string {
  if (agrees === null) return 'Taken.';
  const first = `${before[0] ?? 'Somebody'} answered first; yours is a further opinion${isLate ? ', for the agreement only' : ''}.`;
  return `${first} You ${agrees ? 'agree' : 'disagree'}.`;
}

function AgreementText({ agreement }: { readonly agreement: Agreement }) {
  const { questions, observed, alpha, pairs } = agreement;
  if (questions === 0 || observed === null) return null;
  return (
    <p class="soft">
      Agreement on {figure(questions)} branches with two opinions or more: {percent(observed)}
      {alpha === null ? '' : `, Krippendorff’s alpha ${alpha.toFixed(2)}`}.{' '}
      {pairs.map(({ people, questions: shared, kappa }) => (
        <span key={people.join(' ')}>
          <Text>{people.join(' and ')}</Text>: {kappa === null ? 'no kappa' : `kappa ${kappa.toFixed(2)}`} over{' '}
          {figure(shared)}.{' '}
        </span>
      ))}
    </p>
  );
}

function QuestionList({
  questions,
  chosen,
}: {
  readonly questions: readonly WaitingQuestion[];
  readonly chosen: string;
}) {
  return (
    <nav aria-label="Waiting">
      <ul class="questions">
        {questions.map(({ id, kind, run, instruction, answeredBy, opinions }) => (
          <li key={id}>
            <a href={linkTo(['reviews'], { question: id })} aria-current={id === chosen ? 'true' : undefined}>
              {kind === 'review' ? 'Review' : 'Correct'}: <Text>{instruction.slice(0, 120)}</Text>
            </a>
            <span class="soft">
              {run} ·{' '}
              {answeredBy.length >= opinions ? 'second opinion' : `${answeredBy.length} of ${opinions} answered`}
            </span>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface QuestionProps {
  readonly question: WaitingQuestion;
  answer(chosen: GivenAnswer): void;
}

function Question({ question, answer }: QuestionProps) {
  return (
    <section aria-labelledby="question-title">
      <h2 id="question-title">
        <Text>{question.instruction.slice(0, 2000)}</Text>
      </h2>
      {question.history.length === 0 ? null : (
        <details>
          <summary>{figure(question.history.length)} steps before</summary>
          <ol>
            {question.history.map((line, index) => (
              <li key={index}>
                <Text>{line}</Text>
              </li>
            ))}
          </ol>
        </details>
      )}
      {question.kind === 'review' ? (
        <ReviewForm question={question} answer={answer} />
      ) : (
        <CorrectForm question={question} answer={answer} />
      )}
    </section>
  );
}

interface ReviewFormProps {
  readonly question: Extract<WaitingQuestion, { kind: 'review' }>;
  answer(chosen: GivenAnswer): void;
}

function ReviewForm({ question, answer }: ReviewFormProps) {
  const { steps, screen, passes } = question;
  const reject = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    answer({ kind: 'review', accept: false, at: Number(data.get('at')), reason: String(data.get('reason')) });
  };
  return (
    <>
      <form class="finish" onSubmit={reject}>
        <fieldset>
          <legend>The first wrong step</legend>
          {steps.map(({ text, thought, applied, screen: before }, index) => (
            <div key={index}>
              <label class="check">
                <input type="radio" name="at" value={index} required /> {index + 1}. <Text>{text}</Text>
                {applied ? null : <span class="bad"> (nothing happened)</span>}
              </label>
              {thought === null ? null : (
                <p class="soft">
                  <Text>{thought.slice(0, 2000)}</Text>
                </p>
              )}
              <details>
                <summary>Screen before step {index + 1}</summary>
                <pre tabIndex={0}>
                  <Text>{before.slice(0, 100_000)}</Text>
                </pre>
              </details>
            </div>
          ))}
        </fieldset>
        <label>
          Why it is wrong
          <input name="reason" required maxLength={2000} />
        </label>
        <p class="buttons">
          <button type="button" class="main" onClick={() => answer({ kind: 'review', accept: true })}>
            Accept all steps
          </button>
          <button type="submit">Reject from the chosen step on</button>
        </p>
      </form>
      {passes === null ? null : <p>The verifier {passes ? 'passes' : 'does not pass'} the finish.</p>}
      <h3>Screen after these steps</h3>
      <pre class="screen" tabIndex={0}>
        <Text>{screen.slice(0, 200_000)}</Text>
      </pre>
    </>
  );
}

interface CorrectFormProps {
  readonly question: Extract<WaitingQuestion, { kind: 'correct' }>;
  answer(chosen: GivenAnswer): void;
}

/** The state before the wrong step, as controls: one click is the right step. */
function CorrectForm({ question, answer }: CorrectFormProps) {
  const { reason, rejected, screen } = question;
  const finish = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get('answer'));
    answer({ kind: 'correct', action: { kind: 'finish', ...(text === '' ? {} : { answer: text }) } });
  };
  return (
    <>
      <p class="rejection">
        <b>Rejected:</b> <Text>{rejected ?? ''}</Text> – <Text>{reason}</Text>
      </p>
      <h3>Take the right step</h3>
      <LiveScreen screen={screen} isOver={false} act={action => answer({ kind: 'correct', action })} />
      <form class="finish" onSubmit={finish}>
        <label>
          Answer, if the task asks for one
          <input name="answer" />
        </label>
        <p class="buttons">
          <button type="submit">Finish the task</button>
          <button
            type="button"
            onClick={() => answer({ kind: 'correct', action: { kind: 'finish', infeasible: true } })}
          >
            Finish: it cannot be done
          </button>
          <button type="button" onClick={() => answer({ kind: 'correct', action: null })}>
            I know no way from here
          </button>
        </p>
      </form>
    </>
  );
}
