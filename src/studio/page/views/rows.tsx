import type { RowPreview, RowsPreview, TablePreview } from '../../api/api-episodes.ts';
import { get, useLoaded } from '../client.ts';
import { Problem, Text, Waiting } from '../parts/basics.tsx';
import { TokenRows } from '../parts/tokens.tsx';
import { linkTo } from '../route.ts';

/** The training rows of an episode. What the model learns to say is marked; the rest is masked. */
export function RowsView({ run, episode, table }: RowsProps) {
  const { data, error } = useLoaded(() => get<RowsPreview>('rows', { run, episode, table }), [run, episode, table]);
  if (error !== null) return <Problem>{error}</Problem>;
  if (data === null) return <Waiting />;
  return (
    <section aria-label="Training rows">
      <p class="soft">
        {data.rows.length === 0
          ? 'This episode gives no such rows: it did not pass and was not corrected, or it is for evaluation.'
          : 'Rows as an export writes them, if the archive keeps the episode. Marked: what is learned. The rest is masked.'}
      </p>
      <TableChoice run={run} episode={episode} table={table} tables={data.tables} />
      {table === undefined ? <TokenRows run={run} episode={episode} /> : null}
      {data.rows.map(({ table: name, row }, index) => (
        <details key={index} class="exchange">
          <summary>
            {name} · node {String(row['node'] ?? '')} ·{' '}
            <code>
              <Text>{String(row['action'] ?? row['reason'] ?? '').slice(0, 160)}</Text>
            </code>
          </summary>
          <Messages row={row} />
        </details>
      ))}
    </section>
  );
}

interface RowsProps {
  readonly run: string;
  readonly episode: number;
  /** Those that an export writes by itself when left out. */
  readonly table: string | undefined;
}

/** Every table that an export can write, with the rows it has of this episode. */
function TableChoice({ run, episode, table, tables }: RowsProps & { readonly tables: readonly TablePreview[] }) {
  const about = tables.find(({ name }) => name === table)?.about;
  return (
    <p class="legend">
      <label>
        Table{' '}
        <select
          value={table ?? ''}
          onChange={event => {
            const chosen = event.currentTarget.value;
            location.hash = linkTo(['run', run, 'episode', episode], { view: 'rows', table: chosen });
          }}
        >
          <option value="">all that an export writes by itself</option>
          {tables.map(({ name, rows, hasMore, isUsual }) => (
            <option key={name} value={name}>
              {`${name}: ${rows}${hasMore ? ' or more' : ''} ${rows === 1 ? 'row' : 'rows'}${isUsual ? '' : ', when asked for'}`}
            </option>
          ))}
        </select>
      </label>
      <span class="soft">{about}</span>
    </p>
  );
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

function Messages({ row }: { readonly row: RowPreview['row'] }) {
  const { messages, prompt, chosen, rejected, ...rest } = row;
  const said = listOf(messages);
  const list: readonly Marked[] = [
    ...said.map((message, index) => ({
      message,
      mark: index === said.length - 1 && message.role === 'assistant' ? 'learned' : 'masked',
    })),
    ...listOf(prompt).map(message => ({ message, mark: 'masked' })),
    ...listOf(chosen).map(message => ({ message, mark: 'chosen, learned' })),
    ...listOf(rejected).map(message => ({ message, mark: 'rejected, learned to avoid' })),
  ];
  return (
    <>
      {list.map(({ message, mark }, index) => {
        return (
          <div key={index} class={mark === 'masked' ? '' : 'learned'}>
            <h2>
              {message.role} – {mark}
            </h2>
            <pre tabIndex={0}>
              <Text>{textOf(message)}</Text>
            </pre>
          </div>
        );
      })}
      <pre tabIndex={0}>
        <Text>{JSON.stringify(rest, null, 2).slice(0, 50_000)}</Text>
      </pre>
    </>
  );
}

interface Marked {
  readonly message: Message;
  /** Whether it is in the loss. */
  readonly mark: string;
}

function listOf(value: unknown): readonly Message[] {
  return Array.isArray(value) ? (value as readonly Message[]) : [];
}

function textOf({ content, tool_calls: calls }: Message): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 1);
  return `${text ?? ''}${calls === undefined || calls === null ? '' : `\n${JSON.stringify(calls, null, 1)}`}`.slice(
    0,
    100_000,
  );
}
