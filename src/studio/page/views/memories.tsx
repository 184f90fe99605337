import type { MemoryFile, MemoryItemRow, MemoryView as Shown } from '../../api/api-memory.ts';
import { get, useLoaded } from '../client.ts';
import { NotShown, Problem, Text, Waiting } from '../parts/basics.tsx';
import { linkTo, replaceRoute } from '../route.ts';
import { figure } from '../words.ts';

/** The memories in the folder of the studio. */
export function MemoriesView() {
  const { data, error } = useLoaded(() => get<MemoryFile[]>('memories'), []);
  if (error !== null) return <NotShown>{error}</NotShown>;
  if (data === null) return <Waiting />;
  return (
    <>
      <h1>Memories</h1>
      {data.length === 0 ? (
        <p>
          There is none in this folder. <code>espalier remember &lt;run&gt; --out memory.json</code> writes one.
        </p>
      ) : null}
      <ul>
        {data.map(({ file, problem, version, items, retired, refused }) => (
          <li key={file}>
            {problem === null ? (
              <>
                <a href={linkTo(['memory', file])}>
                  <Text>{file}</Text>
                </a>{' '}
                <span class="soft">
                  version {figure(version)}, {figure(items)} items, {figure(retired)} retired, {figure(refused)} refused
                </span>
              </>
            ) : (
              <>
                <Text>{file}</Text> <Problem>{problem}</Problem>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface MemoryProps {
  readonly file: string;
  readonly query: Readonly<Record<string, string>>;
}

/** One memory: its items, with where they come from and what they were worth. */
export function MemoryView({ file, query }: MemoryProps) {
  const { kind, text, from = '0' } = query;
  const { data, error } = useLoaded(() => get<Shown>('memory', { file, kind, text, from }), [file, kind, text, from]);
  if (error !== null) return <NotShown>{error}</NotShown>;
  if (data === null) return <Waiting />;
  const narrow = (changed: Readonly<Record<string, string>>): string =>
    linkTo(['memory', file], { kind, text, ...changed });
  return (
    <>
      <h1>
        <Text>{file}</Text>
      </h1>
      <p class="soft">
        Version {figure(data.file.version)}: {figure(data.file.items)} items, {figure(data.file.retired)} retired.
      </p>
      <form class="filters" onSubmit={event => event.preventDefault()}>
        <label>
          Kind{' '}
          <select value={kind ?? ''} onChange={event => replaceRoute(narrow({ kind: event.currentTarget.value }))}>
            <option value="">all</option>
            {data.kinds.map(([name, count]) => (
              <option key={name} value={name}>{`${name} (${figure(count)})`}</option>
            ))}
          </select>
        </label>
        <label>
          Text{' '}
          <input
            value={text ?? ''}
            onChange={event => replaceRoute(narrow({ text: event.currentTarget.value }))}
            type="search"
          />
        </label>
      </form>
      <Items rows={data.rows} />
      <Pages from={Number(from)} found={data.found} count={data.rows.length} linkFrom={at => narrow({ from: at })} />
      <Refused refused={data.refused} />
    </>
  );
}

const mostTasks = 3;

function Items({ rows }: { readonly rows: readonly MemoryItemRow[] }) {
  return (
    <div class="wide text" tabIndex={0} role="group" aria-label="Items">
      <table>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Kind</th>
            <th scope="col">Written by</th>
            <th scope="col">From tasks</th>
            <th scope="col">Since version</th>
            <th scope="col">Passed of uses</th>
            <th scope="col">Broken</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              <th scope="row">
                <Text>{row.title}</Text>
                <div class="soft about">
                  <Text>{row.text.slice(0, 400)}</Text>
                </div>
                {row.retired === null ? null : <b>retired: {row.retired}</b>}
              </th>
              <td>{row.kind}</td>
              <td>
                <Text>{row.writer}</Text>
              </td>
              <td>
                <Text>{tasksText(row)}</Text>
              </td>
              <td>{row.since === null ? '–' : figure(row.since)}</td>
              <td>{row.uses === 0 ? '–' : `${figure(row.wins)} of ${figure(row.uses)}`}</td>
              <td>{row.broken === 0 ? '–' : figure(row.broken)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function tasksText({ tasks }: MemoryItemRow): string {
  const rest = tasks.length - mostTasks;
  return `${tasks.slice(0, mostTasks).join(', ')}${rest > 0 ? ` and ${figure(rest)} more` : ''}`;
}

interface PagesProps {
  readonly from: number;
  readonly found: number;
  readonly count: number;
  linkFrom(at: string): string;
}

function Pages({ from, found, count, linkFrom }: PagesProps) {
  return (
    <p>
      {found === 0 ? 'No item fits.' : `${figure(from + 1)} to ${figure(from + count)} of ${figure(found)}`}{' '}
      {from > 0 ? <a href={linkFrom(String(Math.max(0, from - 100)))}>Before</a> : null}{' '}
      {from + count < found ? <a href={linkFrom(String(from + count))}>Next</a> : null}
    </p>
  );
}

function Refused({ refused }: Pick<Shown, 'refused'>) {
  if (refused.length === 0) return null;
  return (
    <section aria-labelledby="refused-title">
      <h2 id="refused-title">Turned away by gates</h2>
      <ul>
        {refused.map(({ title, reason }, at) => (
          <li key={at}>
            <Text>{`${title.slice(0, 200)}: ${reason}`}</Text>
          </li>
        ))}
      </ul>
    </section>
  );
}
