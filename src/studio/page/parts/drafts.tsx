import { useState } from 'preact/hooks';
import type { TakeOverDraft } from '../../api/api-tasks.ts';
import { get, post, useLoaded } from '../client.ts';
import { linkTo } from '../route.ts';
import { Text } from './basics.tsx';

/** Branches that somebody began and did not keep: they can be gone on with, also after a crash. */
export function Drafts({ run }: { readonly run: string }) {
  const [dropped, setDropped] = useState(0);
  const { data } = useLoaded(() => get<TakeOverDraft[]>('drafts', { run }), [run, dropped]);
  if (data === null || data.length === 0) return null;
  const drop = async (id: string): Promise<void> => {
    await post('take-over/drop', { id });
    setDropped(count => count + 1);
  };
  return (
    <section class="drafts" aria-label="Take-overs that were not kept">
      <b>Not kept yet</b>
      <ul>
        {data.map(draft => (
          <li key={draft.id}>
            {draft.problem === null ? <Draft draft={draft} /> : <Text>{draft.problem}</Text>}{' '}
            <button type="button" class="plain" onClick={() => void drop(draft.id)}>
              Discard
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Draft({ draft }: { readonly draft: TakeOverDraft }) {
  const { id, person, episode, node, steps, instruction } = draft;
  return (
    <>
      <a href={linkTo(['take-over', id])}>
        Go on: <Text>{instruction.slice(0, 100)}</Text>
      </a>{' '}
      <span class="soft">
        <Text>{person}</Text>, {episode === 0 ? 'played from the start' : `episode ${episode} after step ${node}`},{' '}
        {steps === 1 ? '1 step' : `${steps} steps`}
      </span>
    </>
  );
}
