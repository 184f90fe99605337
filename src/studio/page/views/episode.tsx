import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EpisodeOutline, OutlineStep } from '../../api/api.ts';
import { get, useLoaded } from '../client.ts';
import { Checks, NotShown, OutcomeMark, Problem, Text, Waiting } from '../parts/basics.tsx';
import { readColumns, useStepTexts } from '../large-tree.ts';
import { TreeCanvas } from '../parts/tree-canvas.tsx';
import { pathTo } from '../paths.ts';
import { linkTo, replaceRoute } from '../route.ts';
import { figure, statusText } from '../words.ts';
import { CompareView } from './compare.tsx';
import { RowsView } from './rows.tsx';
import { StepPanel } from './step.tsx';

interface EpisodeProps {
  readonly run: string;
  readonly episode: number;
  readonly query: Readonly<Record<string, string>>;
}

/** One episode: its tree, and the step that is chosen. */
export function EpisodeView({ run, episode, query }: EpisodeViewProps) {
  const { data, error } = useLoaded(() => getOutline(run, episode), [run, episode]);
  if (error !== null) return <NotShown>{error}</NotShown>;
  if (data === null) return <Waiting />;
  return <Episode run={run} episode={data.row.id} query={query} outline={data} />;
}

interface EpisodeViewProps extends Omit<EpisodeProps, 'episode'> {
  /** As the address has it. */
  readonly episode: string;
}

async function getOutline(run: string, episode: string): Promise<EpisodeOutline> {
  const outline = await get<EpisodeOutline>('episode', { run, episode });
  return outline.columns === null ? outline : { ...outline, steps: readColumns(outline.columns) };
}

interface Shown extends EpisodeProps {
  readonly outline: EpisodeOutline;
}

function Episode(props: Shown) {
  const { run, episode, query, outline } = props;
  const { row, steps } = outline;
  const texts = useStepTexts(run, episode, outline);
  const first = useMemo(() => (steps.find(({ rejection }) => rejection !== null) ?? steps.at(-1))?.id ?? 0, [steps]);
  const selected = Number(query['node'] ?? first);
  const other = query['against'] === undefined ? null : Number(query['against']);
  const here = (changes: Readonly<Record<string, string | number | null>>): string =>
    linkTo(['run', run, 'episode', episode], { ...query, ...changes });
  const select = (node: number): void => replaceRoute(here({ node }));
  return (
    <>
      <h1>
        <Text>{row.instruction.slice(0, 500)}</Text>
      </h1>
      <p class="soft">
        <OutcomeMark outcome={row.outcome} />
        {row.cause === null ? null : (
          <>
            {' – '}
            <Text>{row.cause}</Text>
          </>
        )}
        {' · '}
        <Text>{row.key}</Text> · <Text>{`student ${row.student}, teacher ${outline.teacher ?? 'none'}`}</Text> ·{' '}
        {row.strategy} · {figure(row.steps)} steps on the kept path, {figure(row.taken)} taken · {outline.certified}
      </p>
      {outline.message === null ? null : <Problem>{outline.message}</Problem>}
      <WhyNot outline={outline} />
      <Tabs view={query['view']} here={here} />
      {query['view'] === 'branches' ? (
        <CompareView run={run} episode={episode} outline={outline} query={query} />
      ) : query['view'] === 'rows' ? (
        <RowsView run={run} episode={episode} table={query['table']} />
      ) : (
        <div class="episode">
          <section aria-label="Tree">
            <Legend />
            <TreeCanvas steps={steps} texts={texts} selected={selected} other={other} select={select} />
            <Film steps={steps} leaf={outline.leaf} selected={selected} select={select} />
          </section>
          {selected === 0 ? (
            <p>No step was taken.</p>
          ) : (
            <StepPanel run={run} episode={episode} outline={outline} node={selected} select={select} />
          )}
        </div>
      )}
    </>
  );
}

interface TabsProps {
  readonly view: string | undefined;
  here(changes: Readonly<Record<string, string | null>>): string;
}

const tabs = [
  { view: undefined, name: 'Tree' },
  { view: 'branches', name: 'Branch against branch' },
  { view: 'rows', name: 'Training rows' },
] as const;

function Tabs({ view: shown, here }: TabsProps) {
  return (
    <nav class="tabs" aria-label="Views of this episode">
      {tabs.map(({ view, name }) => (
        <a key={name} href={here({ view: view ?? null })} aria-current={shown === view ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Of an episode that did not pass: the checks that say why. */
function WhyNot({ outline }: { readonly outline: EpisodeOutline }) {
  const { verdict, row } = outline;
  return (
    <>
      {verdict === null ? null : (
        <details class="why" open={row.outcome === 'failed'}>
          <summary>{verdict.pass ? 'What was verified' : 'Why it did not pass'}</summary>
          <Checks verdict={verdict} />
        </details>
      )}
    </>
  );
}

function Legend() {
  return (
    <p class="legend">
      <span class="good">● kept</span>
      <span class="correct">■ correction</span>
      <span class="soft">○ rolled back</span>
      <span class="bad">✗ rejected here</span>
    </p>
  );
}

/** The end of the branch that a step leads to: the first one where it forks again. */
function endOf(steps: readonly OutlineStep[], id: number): number {
  let end = id;
  for (const step of steps) if (step.parent === end) end = step.id;
  return end;
}

interface FilmProps {
  readonly steps: readonly OutlineStep[];
  readonly leaf: number;
  readonly selected: number;
  select(id: number): void;
}

const filmMilliseconds = 900;

/** Walks along the path to the end of the episode, or of the branch that is chosen. */
function Film({ steps, leaf, selected, select }: FilmProps) {
  const [isPlaying, setPlaying] = useState(false);
  const kept = useMemo(() => pathTo(steps, leaf), [steps, leaf]);
  // A branch that was left behind is shown to its end; once it plays, it stays the one.
  const [branch, setBranch] = useState<readonly number[]>([]);
  const path = branch.includes(selected) ? branch : kept;
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => {
      const next = path[path.indexOf(selected) + 1];
      if (next === undefined) setPlaying(false);
      else select(next);
    }, filmMilliseconds);
    return () => clearTimeout(timer);
  }, [isPlaying, selected]);
  const start = (shown: readonly number[]): void => {
    setBranch(shown);
    select(shown[0] ?? selected);
    setPlaying(true);
  };
  const step = steps.find(({ id }) => id === selected);
  return (
    <p class="film">
      {isPlaying ? (
        <button type="button" onClick={() => setPlaying(false)}>
          Stop
        </button>
      ) : (
        <button type="button" onClick={() => start(kept)}>
          Play the kept path
        </button>
      )}
      {isPlaying || kept.includes(selected) ? null : (
        <button type="button" onClick={() => start(pathTo(steps, endOf(steps, selected)))}>
          Play this branch
        </button>
      )}
      <span class="soft">{step === undefined ? '' : `Step ${step.id}, ${statusText(step)}`}</span>
    </p>
  );
}
