import type { RunSummary } from '../../api/api.ts';
import type { GroupFigures, OutcomeCounts } from '../../api/api-live.ts';
import { Problem, Text, Waiting } from '../parts/basics.tsx';
import { RateText } from '../parts/rate.tsx';
import { FleetLink } from './fleet.tsx';
import { linkTo } from '../route.ts';
import { dollars, duration, figure, levelNames, outcomes, rate } from '../words.ts';

/** All runs of the folder, with how they go. */
export function RunsView({ runs }: { readonly runs: readonly RunSummary[] | null }) {
  if (runs === null) return <Waiting />;
  const waiting = runs.reduce((sum, run) => sum + run.waiting, 0);
  return (
    <>
      <h1>Runs</h1>
      {runs.length === 0 ? <p>No run yet. This page shows one as soon as it is there.</p> : null}
      <p class="links">
        {runs.length > 1 ? <a href={linkTo(['compare'])}>Compare runs</a> : null}
        {runs.length > 1 ? <a href={linkTo(['learning'])}>Learning curves of all runs</a> : null}
        <FleetLink />
        <a href={linkTo(['memories'])}>Memories</a>
        <a href={linkTo(['reviews'])}>Review queue{waiting === 0 ? '' : ` (${figure(waiting)} waiting)`}</a>
      </p>
      <ul class="cards">
        {runs.map(run => (
          <RunCard key={run.id} run={run} />
        ))}
      </ul>
    </>
  );
}

function RunCard({ run }: { readonly run: RunSummary }) {
  const { id, name, problem, isLive, unfinished, students, environments } = run;
  const total = outcomes.reduce((sum, outcome) => sum + run.outcomes[outcome], 0);
  return (
    <li class="card">
      <h2>
        <a href={linkTo(['run', id])}>
          <Text>{name}</Text>
        </a>
        {isLive ? <span class="live">running</span> : null}
      </h2>
      {problem === null ? null : <Problem>{problem}</Problem>}
      {run.isReading ? <p class="soft">Its episodes are being read. The figures follow.</p> : null}
      <Progress run={run} />
      <Evaluated evaluation={run.evaluation} />
      <Success title="Training" note={run.training === null ? 'nothing collected' : ''} figures={run.training} />
      <dl class="facts">
        <Fact name="episodes" value={figure(total)} />
        <Fact name="errors" value={figure(run.outcomes.errored)} />
        <Fact name="open now" value={figure(unfinished)} />
        <Fact name="steps" value={figure(run.taken)} />
        <Fact name="teacher queries" value={figure(run.queries)} />
        <Fact name="corrections" value={figure(run.corrections)} />
        <Fact name="tokens" value={run.tokens === 0 ? '–' : figure(run.tokens)} />
        <Fact
          name="cost"
          value={run.budget === null ? dollars(run.cost) : `${dollars(run.cost)} of ${dollars(run.budget)}`}
        />
      </dl>
      <p class="soft">
        <Text>{`${shortList(environments)} · student ${shortList(students)}`}</Text>
      </p>
      <Beside beside={run.beside} />
      <p class="links">
        <a href={linkTo(['run', id])}>Episodes</a>
        <a href={linkTo(['run', id], { failure: 'any' })}>Failures</a>
        {run.outcomes.discarded === 0 ? null : <a href={linkTo(['run', id], { outcome: 'discarded' })}>Discarded</a>}
        {run.outcomes.errored === 0 ? null : <a href={linkTo(['run', id], { outcome: 'errored' })}>Errors</a>}
        <a href={linkTo(['run', id, 'failures'])}>Why episodes fail</a>
        <a href={linkTo(['run', id], { actor: 'teacher', phase: 'collect' })}>Corrected</a>
        <a href={linkTo(['run', id, 'tasks'])}>Tasks and worlds</a>
        <a href={linkTo(['run', id, 'learning'])}>Learning</a>
        <a href={linkTo(['run', id, 'report'])}>Report</a>
      </p>
    </li>
  );
}

/** The student that was evaluated last, level by level: success on near tasks says nothing of far ones. */
function Evaluated({ evaluation }: Pick<RunSummary, 'evaluation'>) {
  if (evaluation === null) return <Success title="Evaluation" note="not evaluated yet" figures={null} />;
  return (
    <>
      <p class="soft">
        <Text>{`Evaluated: ${studentText(evaluation.student, evaluation.round)}`}</Text>
      </p>
      {evaluation.levels.map(({ level, ...figures }) => (
        <Success key={level} title={levelNames[level]} note="" figures={figures} />
      ))}
    </>
  );
}

/** Students of a loop have their round in their name. */
function studentText(student: string, round: number): string {
  return student.endsWith(`round ${round}`) ? student : `${student}, round ${round}`;
}

const mostNames = 3;

/** The first names, and how many there are besides. */
function shortList(names: readonly string[]): string {
  const rest = names.length - mostNames;
  return rest <= 0 ? names.join(', ') : `${names.slice(0, mostNames).join(', ')} and ${rest} more`;
}

/** How far a run is with what it planned, how fast it is, and how long it still needs. */
function Progress({ run: { progress, isLive, rates } }: { readonly run: RunSummary }) {
  if (progress === null) return isLive ? <p class="soft">{ratesText(rates)}</p> : null;
  const { phase, round, planned, done, secondsLeft } = progress;
  const what = `${phase === 'collect' ? 'collecting' : 'evaluating'}, round ${round}`;
  const left = secondsLeft === null ? 'time left not known yet' : `about ${duration(secondsLeft)} left`;
  return (
    <div class="progress">
      <progress max={Math.max(planned, 1)} value={done} aria-label={`Episodes of ${what}`} />
      <span class="soft">
        {isLive ? what : `not finished: ${what}`}: {figure(done)} of {figure(planned)} episodes
        {isLive ? ` · ${ratesText(rates)} · ${left}` : ''}
      </span>
    </div>
  );
}

function ratesText({ episodes, steps, cost }: RunSummary['rates']): string {
  const spend = cost === 0 ? '' : ` · ${dollars(cost * 3600)} an hour`;
  return `${rate(episodes)} episodes/s · ${rate(steps)} steps/s${spend}`;
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** What is in neither rate, so that the numbers add up. */
function Beside({ beside: { earlier, baselines, people } }: Pick<RunSummary, 'beside'>) {
  const parts = [
    [earlier, 'of other students'],
    [baselines, 'of baselines'],
    [people, 'by people'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${figure(count)} ${what}`);
  return told.length === 0 ? null : <p class="soft">In neither rate: {told.join(', ')}.</p>;
}

interface SuccessProps {
  readonly title: string;
  readonly note: string;
  readonly figures: GroupFigures | null;
}

/** How often agents passed, with the interval of 95 %. */
function Success({ title, note, figures }: SuccessProps) {
  return (
    <div class="success">
      <span>{title}</span>
      <b>
        <RateText rate={figures?.success ?? null} />
      </b>
      <span class="soft">
        <Text>{note}</Text>
      </span>
      {figures === null ? null : <OutcomeBar counts={figures.outcomes} />}
    </div>
  );
}

function OutcomeBar({ counts }: { readonly counts: OutcomeCounts }) {
  const total = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  const text = outcomes.map(outcome => `${figure(counts[outcome])} ${outcome}`).join(', ');
  return (
    <div class="bar" role="img" aria-label={text} title={text}>
      {outcomes.map(outcome => (
        <span
          key={outcome}
          class={outcome}
          style={{ width: `${total === 0 ? 0 : (100 * counts[outcome]) / total}%` }}
        />
      ))}
    </div>
  );
}
