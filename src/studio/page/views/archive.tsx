import type { ArchiveMap } from '../../api/api-archive.ts';
import { get, useLoaded } from '../client.ts';
import { NotShown, Text, Waiting } from '../parts/basics.tsx';
import { linkTo } from '../route.ts';
import { figure } from '../words.ts';

interface ArchiveProps {
  readonly run: string;
  readonly query: Readonly<Record<string, string>>;
  readonly version: number;
}

/** The map of the archive: a cell leads to the episodes that lie in its bins. */
export function ArchiveView({ run, query, version }: ArchiveProps) {
  const { data, error } = useLoaded(() => get<ArchiveMap>('archive', { run }), [run, version]);
  if (error !== null) return <NotShown>{error}</NotShown>;
  if (data === null) return <Waiting />;
  const [row, column] = [query['row'], query['column']];
  return (
    <>
      <h1>Archive</h1>
      <p class="soft">
        What an export of this run keeps: {figure(data.entries.length)} branches, by {data.rowName} and{' '}
        {data.columnName}.{data.isPartial ? ' Only the first 3,000 training episodes were read.' : ''}
      </p>
      {data.entries.length === 0 ? null : <BinTable run={run} map={data} row={row} column={column} />}
      {row === undefined || column === undefined ? null : <Bin run={run} map={data} row={row} column={column} />}
    </>
  );
}

interface BinProps {
  readonly run: string;
  readonly map: ArchiveMap;
  readonly row: string | undefined;
  readonly column: string | undefined;
}

function BinTable({ run, map, row, column }: BinProps) {
  const counts = Map.groupBy(map.entries, entry => `${entry.row}\n${entry.column}`);
  return (
    <table class="bins">
      <thead>
        <tr>
          <th scope="col">
            {map.rowName} \ {map.columnName}
          </th>
          {map.columns.map(label => (
            <th scope="col" key={label}>
              <Text>{label}</Text>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {map.rows.map(label => (
          <tr key={label}>
            <th scope="row">
              <Text>{label}</Text>
            </th>
            {map.columns.map(other => {
              const count = counts.get(`${label}\n${other}`)?.length ?? 0;
              const isChosen = label === row && other === column;
              return (
                <td key={other} class={count === 0 ? 'soft' : 'filled'}>
                  {count === 0 ? (
                    '–'
                  ) : (
                    <a
                      href={linkTo(['run', run, 'archive'], { row: label, column: other })}
                      aria-current={isChosen ? 'true' : undefined}
                      aria-label={`${count} branches: ${label}, ${other}`}
                    >
                      {figure(count)}
                    </a>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const mostShown = 200;

function Bin({ run, map, row, column }: BinProps) {
  const found = map.entries.filter(entry => entry.row === row && entry.column === column);
  return (
    <section aria-labelledby="bin-title">
      <h2 id="bin-title">
        <Text>{`${row ?? ''}, ${column ?? ''}`}</Text>
      </h2>
      <ul>
        {found.slice(0, mostShown).map(({ episode, key, steps, interventions }, index) => (
          <li key={index}>
            <a href={linkTo(['run', run, 'episode', episode])}>
              <Text>{key}</Text>
            </a>{' '}
            <span class="soft">
              {figure(steps)} steps, {figure(interventions)} by the teacher
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
