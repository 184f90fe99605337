import type { RowPreview } from '../../src/server/studio/api.ts';
import { get, useLoaded } from '../client.ts';
import { Problem, Text, Waiting } from '../parts/basics.tsx';
import { TokenRows } from '../parts/tokens.tsx';

/** The training rows of an episode. What the model learns to say is marked; the rest is masked. */
export function RowsView({ run, episode }: { readonly run: string; readonly episode: number }) {
  const { data, error } = useLoaded(() => get<RowPreview[]>('rows', { run, episode }), [run, episode]);
  if (error !== null) return <Problem>{error}</Problem>;
  if (data === null) return <Waiting />;
  return (
    <section aria-label="Training rows">
      <p class="soft">
        {data.length === 0
          ? 'This episode gives no training rows: it did not pass and was not corrected, or it is for evaluation.'
          : 'Rows as an export writes them, if the archive keeps the episode. Marked: what is learned. The rest is masked.'}
      </p>
      <TokenRows run={run} episode={episode} />
      {data.map(({ table, row }, index) => (
        <details key={index} class="exchange">
          <summary>
            {table} · node {String(row['node'] ?? '')} ·{' '}
            <Text>{String(row['action'] ?? row['reason'] ?? '').slice(0, 160)}</Text>
          </summary>
          <Messages row={row} />
        </details>
      ))}
    </section>
  );
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

function Messages({ row }: { readonly row: RowPreview['row'] }) {
  const { messages, ...rest } = row;
  const list = Array.isArray(messages) ? (messages as readonly Message[]) : [];
  return (
    <>
      {list.map((message, index) => {
        const isLearned = index === list.length - 1 && message.role === 'assistant';
        return (
          <div key={index} class={isLearned ? 'learned' : ''}>
            <h2>
              {message.role}
              {isLearned ? ' – learned' : ' – masked'}
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

function textOf({ content, tool_calls: calls }: Message): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 1);
  return `${text ?? ''}${calls === undefined || calls === null ? '' : `\n${JSON.stringify(calls, null, 1)}`}`.slice(
    0,
    100_000,
  );
}
