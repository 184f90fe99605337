import type {
  LearningFigure,
  LearningLevel,
  LearningStudent,
  LearningView as Learned,
  RateView,
} from '../../api/api-learning.ts';
import { get, useLoaded } from '../client.ts';
import { NotShown, Text, Waiting } from '../parts/basics.tsx';
import { RateText } from '../parts/rate.tsx';
import { Spots } from '../parts/spots.tsx';
import { SignalRoundsView } from '../parts/signal-rounds.tsx';
import { linkTo } from '../route.ts';
import { figure } from '../words.ts';

interface LearningProps {
  /** Null for all runs. */
  readonly run: string | null;
  readonly query: Readonly<Record<string, string>>;
  readonly version: number;
}

/** How students became better: curves with intervals, against what the teacher was asked, and template by template. */
export function LearningView({ run, query, version }: LearningProps) {
  const { data, error } = useLoaded(() => get<Learned>('learning', { run }), [run, version]);
  if (error !== null) return <NotShown>{error}</NotShown>;
  if (data === null) return <Waiting />;
  const curves = data.figures.filter(({ across }) => across === 'round');
  const queries = data.figures.filter(({ across }) => across === 'queries');
  return (
    <>
      <h1>{run === null ? 'Learning in all runs' : 'Learning'}</h1>
      {data.missing.map(text => (
        <p key={text} class="soft">
          <Text>{text}</Text>
        </p>
      ))}
      <Figures title="Success over rounds" figures={curves} run={run} version={version} />
      <Figures title="Success against questions to the teacher" figures={queries} run={run} version={version} />
      <Rounds data={data} isOfAll={run === null} />
      {run === null ? null : <SignalRoundsView run={run} query={query} />}
      <Templates data={data} isOfAll={run === null} />
    </>
  );
}

interface FiguresProps extends Pick<LearningProps, 'run' | 'version'> {
  readonly title: string;
  readonly figures: readonly LearningFigure[];
}

/** Drawn by the server with the code of the report; the table beside them has the numbers. */
function Figures({ title, figures, run, version }: FiguresProps) {
  if (figures.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <div class="charts">
        {figures.map(({ level, across, title: name, points }) => (
          <figure key={level}>
            <div class="spotted">
              <img src={addressOf({ run: run ?? '', level, across, version })} alt={`${title}: ${name}`} />
              <Spots title={`${title}: ${name}`} points={points} />
            </div>
            <figcaption>{name}</figcaption>
          </figure>
        ))}
      </div>
      <p class="soft">Bands are 95 % intervals. The numbers are in the table below.</p>
    </section>
  );
}

/** The version makes it another picture when the run has changed. */
function addressOf(query: Readonly<Record<string, string | number>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return `/api/learning/chart?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

interface TableProps {
  readonly data: Learned;
  readonly isOfAll: boolean;
}

function Rounds({ data, isOfAll }: TableProps) {
  if (data.rows.length === 0) return <p>This run has no rounds: nothing was collected or evaluated.</p>;
  const rateIn = (rates: Learned['rows'][number]['rates'], level: LearningLevel): RateView | null =>
    rates[level] ?? null;
  return (
    <section>
      <h2>The numbers</h2>
      <div class="wide" tabIndex={0} role="group" aria-label="Success by round">
        <table>
          <thead>
            <tr>
              {isOfAll ? <th scope="col">Run</th> : null}
              <th scope="col">Round</th>
              {data.levels.map(({ level, title }) => (
                <th scope="col" key={level}>
                  {title}
                </th>
              ))}
              <th scope="col">Questions to the teacher so far</th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map(({ run, round, queries, rates }) => (
              <tr key={`${run} ${round}`}>
                {isOfAll ? (
                  <th scope="row">
                    <a href={linkTo(['run', run, 'learning'])}>
                      <Text>{run}</Text>
                    </a>
                  </th>
                ) : null}
                <td>{round}</td>
                {data.levels.map(({ level }) => (
                  <td key={level}>
                    <RateText rate={rateIn(rates, level)} />
                  </td>
                ))}
                <td>{figure(queries)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Students beside each other on each template. */
function Templates({ data, isOfAll }: TableProps) {
  if (data.templates.length === 0) return null;
  const levels = [...new Set(data.templates.map(({ level }) => level))];
  return (
    <section>
      <h2>Students compared by template</h2>
      <div class="wide" tabIndex={0} role="group" aria-label="Students compared by template">
        <table>
          <thead>
            <tr>
              <th scope="col">Template</th>
              {data.students.map((student, index) => (
                <th scope="col" key={index}>
                  <Text>{studentText(student, isOfAll)}</Text>
                </th>
              ))}
            </tr>
          </thead>
          {levels.map(level => (
            <tbody key={level}>
              <tr>
                <th scope="rowgroup" colSpan={data.students.length + 1} class="group">
                  {level}
                </th>
              </tr>
              {data.templates
                .filter(own => own.level === level)
                .map(({ template, rates }) => (
                  <tr key={template}>
                    <th scope="row">
                      <Text>{template}</Text>
                    </th>
                    {rates.map((rate, index) => (
                      <td key={index}>
                        <EpisodesLink student={data.students[index]} template={template} rate={rate} />
                      </td>
                    ))}
                  </tr>
                ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  );
}

function studentText({ run, name, round, isBaseline }: LearningStudent, isOfAll: boolean): string {
  if (isBaseline) return `${name} (baseline)`;
  return isOfAll ? `${run}, round ${round}` : `${name}, round ${round}`;
}

interface EpisodesLinkProps {
  readonly student: LearningStudent | undefined;
  readonly template: string;
  readonly rate: RateView | null;
}

/** The rate leads to the episodes it was counted from. */
function EpisodesLink({ student, template, rate }: EpisodesLinkProps) {
  if (student === undefined || rate === null) return <>–</>;
  const link = linkTo(['run', student.run], { phase: 'evaluate', template, student: student.name });
  return (
    <a href={link}>
      <RateText rate={rate} />
    </a>
  );
}
