import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { EpisodePage, EpisodeRow } from '../../api/api.ts';
import { Connections, get, messageOf, post } from '../client.ts';
import type { ExportedRows } from '../../api/api.ts';
import { OutcomeMark, Problem, Text } from '../parts/basics.tsx';
import { Drafts } from '../parts/drafts.tsx';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { linkTo } from '../route.ts';
import { dollars, figure } from '../words.ts';
import { Filters, type EpisodesPlace } from './episode-filters.tsx';
import { SavedViews } from './saved-views.tsx';

interface EpisodesProps extends EpisodesPlace {
  /** Changes when the run does. */
  readonly version: number;
}

const pageSize = 100;
const heads = ['Outcome', 'Task', 'Instruction', 'Why', 'Steps', 'Corrections', 'Cost', 'Seconds'];

interface Rows {
  readonly page: EpisodePage | null;
  readonly error: string | null;
  row(index: number): EpisodeRow | undefined;
  want(first: number, last: number): void;
}

/** Pages of the table, asked for as they come into view. */
function useRows({ run, query, version }: EpisodesProps): Rows {
  const filter = JSON.stringify(query);
  const [page, setPage] = useState<EpisodePage | null>(null);
  const [error, setError] = useState<string | null>(null);
  const known = useRef({ filter: '', version: -1, pages: new Map<number, readonly EpisodeRow[] | null>() });
  const load = (number: number): void => {
    const { pages } = known.current;
    if (pages.has(number)) return;
    pages.set(number, null);
    get<EpisodePage>('episodes', { ...query, run, from: number * pageSize, count: pageSize }).then(
      found => {
        if (known.current.pages !== pages) return;
        pages.set(number, found.rows);
        setError(null);
        setPage(found);
      },
      (cause: unknown) => {
        pages.delete(number);
        setError(messageOf(cause));
      },
    );
  };
  const connections = useContext(Connections);
  useEffect(() => {
    known.current = { filter, version, pages: new Map() };
    load(0);
  }, [filter, version, connections]);
  return {
    page,
    error,
    row: index => known.current.pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    want(first, last) {
      for (let at = Math.floor(first / pageSize); at <= Math.floor(last / pageSize); at++) load(at);
    },
  };
}

export function EpisodesView(props: EpisodesProps) {
  const { run, query } = props;
  const { page, error, row, want } = useRows(props);
  const linkOf = ({ id }: EpisodeRow): string => linkTo(['run', run, 'episode', id]);
  const cells = (index: number) => {
    const found = row(index);
    return found === undefined ? null : cellsOf(found, linkOf(found));
  };
  return (
    <div class="episodes">
      <Filters run={run} query={query} page={page} />
      <section aria-labelledby="episodes-title">
        <div class="titled">
          <h1 id="episodes-title">
            {page === null ? 'Episodes' : `${figure(page.total)} of ${figure(page.all)} episodes`}
          </h1>
          <a href={linkTo(['run', run, 'report'])}>Report</a>
          <a href={linkTo(['run', run, 'learning'])}>Learning</a>
          <a href={linkTo(['run', run, 'failures'])}>Why episodes fail</a>
          <a href={linkTo(['run', run, 'archive'])}>Archive</a>
          <a href={linkTo(['run', run, 'tasks'])}>Tasks and worlds</a>
          <ExportButton run={run} />
        </div>
        <Drafts run={run} />
        <Chosen run={run} query={query} />
        <SavedViews run={run} query={query} />
        {page?.isPartial === true ? (
          <p class="soft">Only the first 3,000 episodes were searched for that text.</p>
        ) : null}
        {error === null ? null : <Problem>{error}</Problem>}
        {page?.total === 0 ? (
          <Empty run={run} all={page.all} />
        ) : (
          <VirtualTable
            label="Episodes"
            heads={heads}
            count={page?.total ?? 0}
            rowHeight={46}
            onRange={want}
            cells={cells}
            open={index => {
              const found = row(index);
              if (found !== undefined) location.hash = linkOf(found);
            }}
          />
        )}
      </section>
    </div>
  );
}

/** Why the table has no rows. */
function Empty({ run, all }: { readonly run: string; readonly all: number }) {
  if (all === 0) return <p class="empty">No episode has ended yet. The table shows one as soon as it has.</p>;
  const clear = (): void => {
    location.hash = linkTo(['run', run]);
  };
  return (
    <p class="empty">
      None of the {figure(all)} episodes matches the filter.{' '}
      <button type="button" onClick={clear}>
        Clear the filter
      </button>
    </p>
  );
}

function cellsOf(row: EpisodeRow, link: string) {
  return [
    <OutcomeMark key="outcome" outcome={row.outcome} />,
    <a key="task" href={link}>
      <Text>{row.key.split('/').slice(2).join('/')}</Text>
    </a>,
    <Text key="instruction">{row.instruction.slice(0, 200)}</Text>,
    <Text key="why">{row.cause ?? ''}</Text>,
    row.steps === row.taken ? figure(row.steps) : `${figure(row.steps)} of ${figure(row.taken)}`,
    figure(row.corrections),
    dollars(row.cost),
    row.seconds.toFixed(1),
  ];
}

/** The filters that are set, each with a link that takes it away. */
function Chosen({ run, query }: Pick<EpisodesProps, 'run' | 'query'>) {
  const set = Object.entries(query).filter(([name, value]) => value !== '' && name !== 'sort');
  if (set.length === 0) return null;
  return (
    <p class="chosen">
      {set.map(([name, value]) => (
        <a key={name} href={linkTo(['run', run], { ...query, [name]: null })} title="Remove this filter">
          {name}: <Text>{value}</Text> <span aria-hidden="true">×</span>
        </a>
      ))}
      <a href={linkTo(['run', run])}>Remove all</a>
    </p>
  );
}

function ExportButton({ run }: { readonly run: string }) {
  const [said, setSaid] = useState<string>('');
  const work = async (): Promise<void> => {
    setSaid('Exporting …');
    try {
      const { folder, files } = await post<ExportedRows>('export', { run });
      const rows = files.filter(({ name }) => name.endsWith('.jsonl')).map(({ name, rows: n }) => `${name}: ${n}`);
      setSaid(`Written to ${folder}: ${rows.join(', ')}`);
    } catch (cause) {
      setSaid(messageOf(cause));
    }
  };
  return (
    <>
      <button type="button" onClick={() => void work()}>
        Export training rows
      </button>
      <span role="status" class="soft">
        {said}
      </span>
    </>
  );
}
