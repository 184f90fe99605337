import { useEffect, useState } from 'preact/hooks';
import type { Action } from '../../../core/action.ts';
import type { Advice, AgentRole, KeptBranch, TakeOver } from '../../api/api.ts';
import { get, messageOf, post } from '../client.ts';
import { Checks, NotShown, Problem, Text, Waiting } from '../parts/basics.tsx';
import { LiveScreen } from '../parts/live-screen.tsx';
import { linkTo } from '../route.ts';

/** The world as the server last told it, and what can be asked of it. */
function useTakeOver(id: string) {
  const [held, setHeld] = useState<TakeOver | null>(null);
  const [advice, setAdvice] = useState<(Advice & { readonly role: AgentRole }) | null>(null);
  const [kept, setKept] = useState<KeptBranch | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (cause) {
      setError(messageOf(cause));
      // Another person may have acted in the same world.
      await get<TakeOver>('take-over', { id }).then(setHeld, () => undefined);
    }
    setBusy(false);
  };
  const change = (name: string, body: object = {}): void =>
    void run(async () => {
      setHeld(await post<TakeOver>(`take-over/${name}`, { id, ...body }));
      setAdvice(null);
    });
  const ask = (role: AgentRole): void =>
    void run(async () => setAdvice({ role, ...(await post<Advice>('take-over/ask', { id, role })) }));
  const keep = (reason: string): void =>
    void run(async () => setKept(await post<KeptBranch>('take-over/keep', { id, reason, seen: held?.at })));
  useEffect(() => void run(async () => setHeld(await get<TakeOver>('take-over', { id }))), [id]);
  return { held, advice, kept, error, isBusy, change, ask, keep };
}

/** A world that a person holds: act in it, ask the agents of the run, verify, and keep the branch. */
export function TakeOverView({ id }: { readonly id: string }) {
  const { held, advice, kept, error, isBusy, change, ask, keep } = useTakeOver(id);
  if (held === null) return error === null ? <Waiting /> : <NotShown>{error}</NotShown>;
  if (kept !== null) return <Kept held={held} kept={kept} />;
  const act = (action: Action): void => change('step', { action, seen: held.at });
  return (
    <>
      <h1>
        {held.episode === 0 ? 'Play' : 'Take over'}: <Text>{held.instruction.slice(0, 500)}</Text>
      </h1>
      <p class="soft">
        {held.episode === 0 ? (
          'A new world'
        ) : (
          <>
            <span class="good">✓ State restored and compared</span> with the recorded digest <code>{held.digest}</code>
          </>
        )}{' '}
        · {held.node === 0 ? 'start of the task' : `after step ${held.node}`} · acting as <Text>{held.person}</Text>
        {held.replaces === null ? null : (
          <>
            {' '}
            · instead of step {held.replaces.id}: <Text>{held.replaces.text}</Text>
          </>
        )}
      </p>
      {error === null ? null : <Problem>{error}</Problem>}
      <div class="episode" aria-busy={isBusy}>
        <section aria-label="Screen">
          <h2>Screen</h2>
          {held.hasEnded ? <p>The task has ended here. Take the last step back to go on.</p> : null}
          <LiveScreen screen={held.screen} isOver={held.hasEnded} act={act} />
        </section>
        <aside class="desk" aria-label="What you can do">
          <TakenSteps held={held} undo={() => change('undo', { seen: held.at })} />
          <FinishForm isOver={held.hasEnded} act={act} />
          <Agents
            held={held}
            advice={advice}
            ask={ask}
            act={act}
            goOn={role => change('go-on', { role, steps: 30, seen: held.at })}
          />
          <h2>Verify and keep</h2>
          <button type="button" onClick={() => change('verify')}>
            Verify
          </button>
          {held.verdict === null ? null : <Checks verdict={held.verdict} />}
          <KeepForm held={held} keep={keep} />
        </aside>
      </div>
    </>
  );
}

function TakenSteps({ held, undo }: { readonly held: TakeOver; undo(): void }) {
  return (
    <>
      <h2>Your branch</h2>
      {held.steps.length === 0 ? <p class="soft">No step yet. Click an element of the screen.</p> : null}
      <ol>
        {held.steps.map(({ id, text, by, problem, result }) => (
          <li key={id}>
            <Text>{text}</Text> <span class="soft">{by}</span>
            {problem === null ? null : (
              <span class="bad">
                {' '}
                refused: <Text>{problem}</Text>
              </span>
            )}
            {result === null ? null : (
              <pre>
                <Text>{JSON.stringify(result, null, 1).slice(0, 5000)}</Text>
              </pre>
            )}
          </li>
        ))}
      </ol>
      <button type="button" disabled={held.steps.length === 0} onClick={undo}>
        Take the last step back
      </button>
    </>
  );
}

function FinishForm({ isOver, act }: { readonly isOver: boolean; act(action: Action): void }) {
  const finish = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const answer = String(data.get('answer'));
    const infeasible = data.get('infeasible') !== null;
    act({ kind: 'finish', ...(answer === '' ? {} : { answer }), ...(infeasible ? { infeasible: true } : {}) });
  };
  return (
    <form class="finish" onSubmit={finish}>
      <h2>Finish the task</h2>
      <label>
        Answer, if the task asks for one
        <input name="answer" />
      </label>
      <label class="check">
        <input type="checkbox" name="infeasible" /> It cannot be done
      </label>
      <button type="submit" disabled={isOver}>
        Finish
      </button>
    </form>
  );
}

interface AgentsProps {
  readonly held: TakeOver;
  readonly advice: (Advice & { readonly role: AgentRole }) | null;
  ask(role: AgentRole): void;
  act(action: Action): void;
  goOn(role: AgentRole): void;
}

function Agents({ held, advice, ask, act, goOn }: AgentsProps) {
  if (held.agents.length === 0) return <p class="soft">The agents of this run cannot be asked.</p>;
  return (
    <>
      <h2>Ask</h2>
      <p class="buttons">
        {held.agents.map(role => (
          <button key={`ask ${role}`} type="button" disabled={held.hasEnded} onClick={() => ask(role)}>
            Ask the {role} for the next action
          </button>
        ))}
        {held.agents.map(role => (
          <button key={`go ${role}`} type="button" disabled={held.hasEnded} onClick={() => goOn(role)}>
            Let the {role} go on
          </button>
        ))}
      </p>
      {advice === null ? null : (
        <p class="advice" role="status">
          <b>
            The {advice.role} (<Text>{advice.by}</Text>) would:
          </b>{' '}
          <Text>{advice.text}</Text>
          {advice.thought === null ? null : (
            <>
              {' – '}
              <Text>{advice.thought}</Text>
            </>
          )}{' '}
          {advice.action === null || held.hasEnded ? null : (
            <button type="button" onClick={() => act(advice.action as Action)}>
              Do it
            </button>
          )}
        </p>
      )}
    </>
  );
}

function KeepForm({ held, keep }: { readonly held: TakeOver; keep(reason: string): void }) {
  if (held.notKept !== null) return <p class="soft">{held.notKept}</p>;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const reason = new FormData(event.currentTarget as HTMLFormElement).get('reason');
    keep(String(reason ?? '') || 'A person took another way.');
  };
  return (
    <form class="finish" onSubmit={submit}>
      {held.replaces === null ? null : (
        <label>
          Why step {held.replaces.id} was wrong
          <input name="reason" />
        </label>
      )}
      <button type="submit" class="main" disabled={held.steps.length === 0}>
        {held.replaces === null ? 'Keep as a new branch' : 'Keep as a correction'}
      </button>
    </form>
  );
}

function Kept({ held, kept }: { readonly held: TakeOver; readonly kept: KeptBranch }) {
  return (
    <section>
      <h1>The branch is kept</h1>
      <p>
        It is the episode <code>{kept.key}</code> of the run, {kept.outcome}. Its last steps are signed by{' '}
        <Text>{held.person}</Text>.
      </p>
      <p class="links">
        <a href={linkTo(['run', held.run, 'episode', kept.episode])}>Open it</a>
        <a href={linkTo(['run', held.run, 'episode', kept.episode], { view: 'rows' })}>See its training rows</a>
        {held.episode === 0 ? null : (
          <a href={linkTo(['run', held.run, 'episode', held.episode])}>Back to the episode it came from</a>
        )}
        <a href={linkTo(['run', held.run])}>All episodes, and export</a>
      </p>
    </section>
  );
}
