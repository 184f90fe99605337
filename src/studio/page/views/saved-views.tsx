import { useEffect, useState } from 'preact/hooks';
import type { SavedView } from '../../api/api-episodes.ts';
import { get, messageOf, post } from '../client.ts';
import { Text } from '../parts/basics.tsx';
import { linkTo } from '../route.ts';
import type { EpisodesPlace } from './episode-filters.tsx';

/** Filters with a name, kept in the folder of the run. Without a filter there is nothing to save. */
export function SavedViews({ run, query }: EpisodesPlace) {
  const [views, setViews] = useState<readonly SavedView[]>([]);
  const [error, setError] = useState('');
  const take = (found: Promise<readonly SavedView[]>): void =>
    void found.then(
      list => {
        setViews(list);
        setError('');
      },
      (cause: unknown) => setError(messageOf(cause)),
    );
  useEffect(() => take(get<SavedView[]>('views', { run })), [run]);
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    if (name !== '') take(post<SavedView[]>('views/save', { run, name, query }));
  };
  const isFiltered = Object.values(query).some(value => value !== '');
  if (views.length === 0 && !isFiltered) return null;
  return (
    <div class="views">
      {views.length === 0 ? null : <span class="soft">Saved views:</span>}
      {views.map(view => (
        <span key={view.name} class="view">
          <a href={linkTo(['run', run], view.query)}>
            <Text>{view.name}</Text>
          </a>
          <button
            type="button"
            class="plain"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => take(post<SavedView[]>('views/remove', { run, name: view.name }))}
          >
            ×
          </button>
        </span>
      ))}
      {isFiltered ? (
        <form onSubmit={save}>
          <label>
            Save this view as <input name="name" maxLength={80} size={14} />
          </label>{' '}
          <button type="submit">Save</button>
        </form>
      ) : null}
      <span role="status" class="soft">
        {error}
      </span>
    </div>
  );
}
