import { useState } from 'preact/hooks';
import type { Change } from '../../../core/diff.ts';
import type { EpisodeOutline, LongText, ModelExchange, StepChanges, StepDetail, TakeOver } from '../../api/api.ts';
import { get, messageOf, post, useLoaded } from '../client.ts';
import { Advantages } from '../parts/advantages.tsx';
import { Checks, Problem, Text, Waiting } from '../parts/basics.tsx';
import { linkTo } from '../route.ts';
import { figure, statusText } from '../words.ts';

interface StepProps {
  readonly run: string;
  readonly episode: number;
  readonly outline: EpisodeOutline;
  readonly node: number;
  select(id: number): void;
}

/** Everything about one step. */
export function StepPanel(props: StepProps) {
  const { run, episode, node, outline } = props;
  const why = [run, episode, node];
  const { data, error } = useLoaded(() => get<StepDetail>('step', { run, episode, node }), why);
  const changes = useLoaded(() => get<StepChanges>('changes', { run, episode, node }), why);
  const step = outline.steps.find(({ id }) => id === node);
  if (error !== null) return <Problem>{error}</Problem>;
  if (data === null || step === undefined) return <Waiting />;
  return (
    <section class="step" aria-labelledby="step-title">
      <h2 id="step-title">
        Step {node}: <Text>{data.text}</Text>
      </h2>
      <p class="soft">
        {statusText(step)} · by {data.actor.role} <Text>{data.actor.name}</Text>
        {Object.entries(data.numbers).map(([name, value]) => ` · ${name} ${figure(value)}`)}
      </p>
      {step.rejection === null ? null : (
        <p class="rejection">
          <b>Rejected here:</b> <Text>{step.rejection}</Text>
        </p>
      )}
      {data.correction === null ? null : <Correction {...props} correction={data.correction} />}
      {data.outcome.problem === undefined ? null : (
        <p class="rejection">
          <b>Refused by the world:</b> <Text>{data.outcome.problem.message}</Text>
        </p>
      )}
      {data.verdict === null ? null : <Checks verdict={data.verdict} />}
      <TakeOverButtons
        {...props}
        parent={step.parent}
        gone={changes.data?.isGone === true ? changes.data.problem : null}
      />
      {data.thought === null ? null : (
        <>
          <h3>Thought</h3>
          <Long text={data.thought} />
        </>
      )}
      <Reviews detail={data} />
      <h3>Changed by this step</h3>
      <Changes changes={changes.data} />
      <h3>Screen before this step</h3>
      <Screen {...props} detail={data} />
      <Signals detail={data} />
      <Advantages run={run} episode={episode} node={node} />
      {data.exchanges.map((exchange, index) => (
        <Exchange key={index} exchange={exchange} />
      ))}
      <Raw detail={data} />
    </section>
  );
}

function Raw({ detail }: { readonly detail: StepDetail }) {
  const { action, outcome, before, after } = detail;
  return (
    <details>
      <summary>Action and digests</summary>
      <pre tabIndex={0}>
        <Text>{JSON.stringify({ action, outcome }, null, 2).slice(0, 100_000)}</Text>
      </pre>
      <p class="soft">
        State before: <code>{before}</code>, after: <code>{after}</code>
      </p>
    </details>
  );
}

function Correction({
  correction,
  select,
}: StepProps & { readonly correction: NonNullable<StepDetail['correction']> }) {
  const { replaces, reason } = correction;
  return (
    <p class="correction">
      <b>Correction</b>
      {replaces === null ? null : (
        <>
          {' in the place of '}
          <button type="button" class="plain" onClick={() => select(replaces)}>
            step {replaces}
          </button>
        </>
      )}
      : <Text>{reason}</Text>
    </p>
  );
}

function Signals({ detail }: { readonly detail: StepDetail }) {
  if (detail.signals.length === 0) return null;
  return (
    <>
      <h3>Signals</h3>
      <ul>
        {detail.signals.map(({ signal, text }) => (
          <li key={signal + text}>
            {signal}: <Text>{text}</Text>
          </li>
        ))}
      </ul>
    </>
  );
}

function Reviews({ detail }: { readonly detail: StepDetail }) {
  if (detail.reviews.length === 0) return null;
  return (
    <>
      <h3>Reviews</h3>
      <ul>
        {detail.reviews.map(({ by, accept, reason, isOverruled }, index) => (
          <li key={index}>
            <b>{accept ? 'accepted' : 'rejected'}</b> by <Text>{by}</Text>
            {reason === null ? null : (
              <>
                : <Text>{reason}</Text>
              </>
            )}
            {isOverruled ? ' (not acted on: the verifier passed the branch)' : null}
          </li>
        ))}
      </ul>
    </>
  );
}

interface TakeOverButtonsProps extends StepProps {
  readonly parent: number;
  /** Why the environment cannot be opened; null when it can. */
  readonly gone: string | null;
}

/** Opens the state before or after a step for a person. */
function TakeOverButtons({ run, episode, node, outline, parent, gone }: TakeOverButtonsProps) {
  const [said, setSaid] = useState('');
  const [person, setPerson] = useState(localStorage.getItem('person') ?? 'me');
  const why = outline.noTakeOver ?? gone;
  if (why !== null)
    return (
      <p class="soft">
        No take-over: <Text>{why}</Text>
      </p>
    );
  const open = async (at: number, replaces: number | null): Promise<void> => {
    setSaid('Restoring the state …');
    localStorage.setItem('person', person);
    try {
      const { id } = await post<TakeOver>('take-over/open', { run, episode, node: at, person, replaces });
      location.hash = linkTo(['take-over', id]);
    } catch (cause) {
      setSaid(messageOf(cause));
    }
  };
  return (
    <div class="take-over-buttons">
      <button type="button" class="main" onClick={() => void open(parent, node)}>
        Take over instead of this step
      </button>
      <button type="button" onClick={() => void open(node, null)}>
        Take over after this step
      </button>
      <label>
        as <input value={person} maxLength={60} size={10} onInput={event => setPerson(event.currentTarget.value)} />
      </label>
      <a href={linkTo(['run', run, 'episode', episode], { view: 'branches', left: outline.leaf, right: node })}>
        Compare with the kept path
      </a>
      <span role="status" class="soft">
        {said}
      </span>
      {outline.notKept === null ? null : (
        <p class="soft">
          {outline.notKept} <a href={linkTo(['run', run, 'tasks'])}>Tasks and worlds</a>{' '}
          <a href={linkTo(['run', run], { phase: 'collect', actor: 'teacher' })}>
            Training episodes that a teacher corrected
          </a>
        </p>
      )}
    </div>
  );
}

function Screen({ run, episode, node, detail }: StepProps & { readonly detail: StepDetail }) {
  const { picture, screen } = detail;
  const whole = `/api/screen?run=${encodeURIComponent(run)}&episode=${episode}&node=${node}`;
  return (
    <>
      {picture === null ? null : <Picture run={run} picture={picture} />}
      <Long text={screen} whole={whole} />
    </>
  );
}

/** The screenshot, with the place of the action drawn on it. */
function Picture({ run, picture }: { readonly run: string; readonly picture: NonNullable<StepDetail['picture']> }) {
  const { hash, width, height, target } = picture;
  const share = (value: number, of: number): string => `${(100 * value) / of}%`;
  return (
    <div class="picture">
      <img src={`/api/picture?run=${encodeURIComponent(run)}&hash=${hash}`} alt="Screen before this step" />
      {target === null ? null : (
        <span
          class="target"
          style={{
            left: share(target.x, width),
            top: share(target.y, height),
            width: share(target.width, width),
            height: share(target.height, height),
          }}
        />
      )}
    </div>
  );
}

/** A text that may be very long: what is left out is said, and can be opened as a plain file. */
function Long({ text, whole }: { readonly text: LongText; readonly whole?: string }) {
  const isCut = text.text.length < text.length;
  return (
    <>
      <pre class="screen" tabIndex={0}>
        <Text>{text.text}</Text>
      </pre>
      {isCut ? (
        <p class="soft">
          The first {figure(text.text.length)} of {figure(text.length)} characters.{' '}
          {whole === undefined ? null : (
            <a href={whole} target="_blank" rel="noreferrer">
              Open all of it
            </a>
          )}
        </p>
      ) : null}
    </>
  );
}

const mostChanges = 200;

function Changes({ changes }: { readonly changes: StepChanges | null }) {
  if (changes === null) return <Waiting />;
  if (changes.problem !== null) return <p class="soft">Not known: {changes.problem}</p>;
  if (changes.changes.length === 0) return <p class="soft">Nothing.</p>;
  return (
    <ul class="changes">
      {changes.changes.slice(0, mostChanges).map((change, index) => (
        <li key={index}>
          <code>
            <Text>{change.path}</Text>
          </code>{' '}
          <ChangeText change={change} />
        </li>
      ))}
    </ul>
  );
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 400);
}

function ChangeText({ change }: { readonly change: Change }) {
  const { before, value: after } = change as { readonly before?: unknown; readonly value?: unknown };
  return (
    <>
      {before === undefined ? null : (
        <del>
          <Text>{short(before)}</Text>
        </del>
      )}{' '}
      {after === undefined ? null : (
        <ins>
          <Text>{short(after)}</Text>
        </ins>
      )}
    </>
  );
}

/** How sure the model was of a token: a class from 0, unsure, to 4. */
function sureness(logprob: number | null): string {
  if (logprob === null) return '';
  return `sure-${Math.min(4, Math.floor(Math.exp(logprob) * 5))}`;
}

function Exchange({ exchange }: { readonly exchange: ModelExchange }) {
  const { question, by, endpoint, usage, messages, reply, tokens, problem } = exchange;
  return (
    <details class="exchange">
      <summary>
        Model asked to {question} · <Text>{`${by} · ${endpoint}`}</Text> <span class="soft">{usage}</span>
      </summary>
      {problem === null ? null : <Problem>{problem}</Problem>}
      {messages.map((message, index) => (
        <div key={index}>
          <h4>{message.role}</h4>
          <pre tabIndex={0}>
            <Text>{message.text}</Text>
          </pre>
        </div>
      ))}
      <h4>Reply</h4>
      <pre tabIndex={0}>
        <Text>{reply}</Text>
      </pre>
      {tokens.length === 0 ? null : (
        <>
          <h4>Tokens of the reply</h4>
          <p class="tokens">
            {tokens.map(({ id, logprob }, index) => (
              <span key={index} class={sureness(logprob)} title={logprob === null ? '' : `log probability ${logprob}`}>
                {id}
              </span>
            ))}
          </p>
        </>
      )}
    </details>
  );
}
